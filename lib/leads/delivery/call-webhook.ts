import { writeWebhookCheck } from '../../accounts/dealers/queries.ts';
import type { Ports } from '../../outside/ports.ts';
import { type Posted, postSigned, type WebhookEvent } from './post-webhook.ts';
import { sendWithinLimits } from './send-limits.ts';
import type { Sent } from './sent.ts';
import { readWebhookSecrets } from './webhook-secret.ts';

export type WebhookPorts = Pick<
  Ports,
  'db' | 'leadDestinations' | 'secrets' | 'fetcher' | 'settings' | 'clock'
>;

interface Calling {
  accountId: string;
  dealer: string;
  /** Null: the dealer has none. */
  url: string | null;
  /** The event is about a flagged enquiry. */
  suspicious: boolean;
}

/** Calls a dealer's webhook within the limits; a 2xx confirms it. `posted` is null when it was not called. */
export async function callWebhook(
  ports: WebhookPorts,
  { accountId, dealer, url, suspicious }: Calling,
  event: WebhookEvent,
): Promise<{ sent: Sent; posted: Posted | null }> {
  const secrets = await readWebhookSecrets(ports, accountId, dealer);
  if (url === null || secrets.length === 0)
    return { sent: { kind: 'refused', reason: 'no_address' }, posted: null };
  const destination = { address: url, countedAs: url };
  let posted: Posted | null = null;
  const request = { accountId, dealer, destination, suspicious };
  const sent = await sendWithinLimits(ports, request, async ({ confirmed }) => {
    posted = await postSigned(ports, { url, secrets }, event);
    if (posted.sent.kind === 'delivered' && !confirmed)
      await ports.leadDestinations.of(accountId).confirm(url);
    return posted.sent;
  });
  return { sent, posted };
}

/** The same outside of a lead's delivery: how it ended stands on the dealer. */
export async function checkWebhook(
  ports: WebhookPorts,
  calling: Calling,
  event: WebhookEvent,
): Promise<{ sent: Sent; posted: Posted | null }> {
  const called = await callWebhook(ports, calling, event);
  const { accountId, dealer, url } = calling;
  if (url === null) return called;
  const { sent } = called;
  const reason = sent.kind === 'delivered' ? null : sent.reason;
  const at = new Date(ports.clock.now()).toISOString();
  await writeWebhookCheck(ports.db, accountId, dealer, url, { at, outcome: sent.kind, reason });
  return called;
}
