import type { DeliveryKind } from '../../../contract/leads/lead-states.ts';
import { toMailbox } from '../../../domain/accounts/mailbox.ts';
import type { Dealer } from '../../../ports/accounts/dealers.ts';
import type { Lead } from '../../../ports/leads/leads.ts';
import type { Ports } from '../../../ports/ports.ts';
import { callWebhook } from './call-webhook.ts';
import { mailLead } from './mail-lead.ts';
import { toLeadEvent } from './post-webhook.ts';
import { sendWithinLimits } from './send-limits.ts';
import type { Sent } from './sent.ts';

export type SendPorts = Pick<
  Ports,
  | 'accounts'
  | 'leadDestinations'
  | 'dealers'
  | 'listings'
  | 'secrets'
  | 'mailer'
  | 'fetcher'
  | 'settings'
  | 'clock'
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
  if (kind === 'email') {
    if (to === null) return { kind: 'refused', reason: 'no_address' };
    if (await ports.accounts.isTest(accountId)) return { kind: 'refused', reason: 'test_account' };
    const destination = { address: to.toLowerCase(), countedAs: toMailbox(to) };
    return sendWithinLimits(ports, { accountId, dealer: slug, destination }, ({ confirmed }) =>
      mailLead(ports, { accountId, lead, update, dealer, to, confirmed }, signal),
    );
  }
  const { sent } = await callWebhook(ports, { accountId, dealer: slug, url }, toLeadEvent(lead, update));
  return sent;
}
