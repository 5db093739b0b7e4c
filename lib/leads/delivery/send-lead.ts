import type { Dealer } from '../../accounts/dealers/schemas.ts';
import { readIsTest } from '../../accounts/queries/accounts.ts';
import { toMailbox } from '../../outside/mailer/mailbox.ts';
import type { Ports } from '../../outside/ports.ts';
import { toEnquiry } from '../enquiries.ts';
import type { Lead } from '../ports/leads.ts';
import type { DeliveryKind } from '../schemas/lead-states.ts';
import { callWebhook } from './call-webhook.ts';
import { mailDigest } from './mail-digest.ts';
import { mailLead } from './mail-lead.ts';
import { toLeadEvent } from './post-webhook.ts';
import { sendWithinLimits } from './send-limits.ts';
import type { Sent } from './sent.ts';

export type SendPorts = Pick<
  Ports,
  | 'db'
  | 'leads'
  | 'leadDestinations'
  | 'db'
  | 'secrets'
  | 'mailer'
  | 'fetcher'
  | 'settings'
  | 'clock'
  | 'limiter'
>;

interface Sending {
  accountId: string;
  dealer: Dealer;
  lead: Lead;
  /** Number of the update; 0: the lead itself. */
  update: number;
  kind: DeliveryKind;
}

/** Sends a lead to its dealer in one of the ways that the dealer chose. */
export async function sendLead(
  ports: SendPorts,
  { accountId, dealer, lead, update, kind }: Sending,
  signal: AbortSignal,
): Promise<Sent> {
  const { lead_email: to, lead_webhook_url: url, slug } = dealer;
  const { suspicious } = toEnquiry(lead, update);
  if (kind === 'email') {
    if (to === null) return { kind: 'refused', reason: 'no_address' };
    if (await readIsTest(ports.db, accountId)) return { kind: 'refused', reason: 'test_account' };
    const destination = { address: to.toLowerCase(), countedAs: toMailbox(to) };
    const request = { accountId, dealer: slug, destination, suspicious };
    const mailed = await sendWithinLimits(ports, request, ({ confirmed }) =>
      mailLead(ports, { accountId, lead, update, dealer, to, confirmed }, signal),
    );
    if (mailed.kind !== 'postponed' || !suspicious) return mailed;
    return mailDigest(ports, { accountId, dealer, to, destination }, signal);
  }
  const calling = { accountId, dealer: slug, url, suspicious };
  const { sent } = await callWebhook(ports, calling, toLeadEvent(lead, update));
  return sent;
}
