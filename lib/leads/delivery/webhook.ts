import { writeWebhookCheck } from '../../accounts/dealers/webhooks.ts';
import { isAllowedPlain } from '../../outside/fetcher/allowed-host.ts';
import { newId } from '../../outside/new-id.ts';
import { OutboundFailure } from '../../outside/outbound.ts';
import type { Ports } from '../../ports.ts';
import { toEnquiry, toLeadResponse } from '../enquiries.ts';
import { confirmDestination } from '../queries/sends.ts';
import type { Lead } from '../schemas/leads.ts';
import { DELIVERED, type Sent, sendWithinLimits } from './send.ts';
import { readWebhookSecrets } from './webhook-secret.ts';

const WEBHOOK_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1_024;
const MAX_WAIT_SECONDS = 6 * 3_600;

/** `id` is the same on every try. */
interface WebhookEvent {
  id: string;
  type: 'ping' | 'lead.created' | 'lead.updated';
  timestamp: string;
  data: object;
}

/** How a call ended, and what went back and forth; a call that was not made has neither. */
export interface Called extends Sent {
  request?: { url: string; headers: Record<string, string>; body: string };
  /** Null when nothing answered. */
  response?: { status: number } | null;
}

/** The whole lead; `update` is the number of the enquiry that is news. */
export function toLeadEvent(lead: Lead, update: number): WebhookEvent {
  const { id, created_at: timestamp } = toEnquiry(lead, update);
  const { delivery: _, updates, ...data } = toLeadResponse(lead);
  return {
    id: `msg_${id}`,
    type: update > 0 ? 'lead.updated' : 'lead.created',
    timestamp,
    data: { ...data, updates: updates.map(({ delivery: _, ...rest }) => rest) },
  };
}

interface Calling {
  accountId: string;
  dealer: { slug: string; lead_webhook_url: string | null };
  /** The event is about a flagged enquiry. */
  suspicious?: boolean;
}

/** Calls a dealer's webhook within the limits; a 2xx confirms it. */
export async function callWebhook(
  ports: Ports,
  { accountId, dealer: { slug, lead_webhook_url: url }, suspicious = false }: Calling,
  event: WebhookEvent,
): Promise<Called> {
  const secrets = await readWebhookSecrets(ports, accountId, slug);
  if (url === null || secrets.length === 0) return { kind: 'refused', reason: 'no_address' };
  const request = { dealer: slug, address: url, countedAs: url, suspicious };
  return sendWithinLimits(ports.db, accountId, request, async (isConfirmed) => {
    const called = await postSigned(ports, url, secrets, event);
    if (called.kind === 'delivered' && !isConfirmed) await confirmDestination(ports.db, accountId, url);
    return called;
  });
}

/** The same outside of a lead's delivery: how it ended stands on the dealer. */
export async function checkWebhook(ports: Ports, calling: Calling, event: WebhookEvent): Promise<Called> {
  const called = await callWebhook(ports, calling, event);
  const { slug, lead_webhook_url: url } = calling.dealer;
  const { kind: outcome, reason } = called;
  const check = { at: new Date(ports.clock.now()).toISOString(), outcome, reason };
  if (url !== null) await writeWebhookCheck(ports.db, calling.accountId, slug, url, check);
  return called;
}

/** Calls a webhook that was just set, so that its owner sees at once whether it works. */
export function pingWebhook(ports: Ports, calling: Calling): Promise<Called> {
  const timestamp = new Date(ports.clock.now()).toISOString();
  const data = { dealer: calling.dealer.slug };
  return checkWebhook(ports, calling, { id: newId(ports, 'msg_ping'), type: 'ping', timestamp, data });
}

/**
 * Posts an event, signed as the Standard Webhooks specification has it by each of `secrets` (`whsec_…`, newest first).
 * @public by the test of the bundle
 */
export async function postSigned(
  { fetcher, clock, settings }: Pick<Ports, 'fetcher' | 'clock' | 'settings'>,
  url: string,
  secrets: readonly string[],
  { id, ...event }: WebhookEvent,
): Promise<Called> {
  const { Webhook: Signer } = (await import('standardwebhooks')).default;
  const body = JSON.stringify(event);
  const at = new Date(clock.now());
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, at, body)).join(' '),
  };
  const request = { url, headers, body };
  const httpsOnly = !isAllowedPlain(settings.outboundAllow, URL.parse(url));
  const limits = { maxBytes: MAX_ANSWER_BYTES, timeoutMs: WEBHOOK_TIMEOUT_MS, httpsOnly };
  try {
    const answer = await fetcher.fetch({ ...request, method: 'POST', ...limits });
    return { ...toSent(answer), request, response: { status: answer.status } };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { kind: 'failed', reason: error.reason, request, response: null };
  }
}

function toSent({ status, headers }: { status: number; headers: Readonly<Record<string, string>> }): Sent {
  if (status >= 200 && status < 300) return DELIVERED;
  const reason = `http_${status}`;
  if (status === 410) return { kind: 'refused', reason };
  const retryAfter = Number(headers['retry-after']) || 0;
  return { kind: 'failed', reason, afterSeconds: Math.min(retryAfter, MAX_WAIT_SECONDS) };
}
