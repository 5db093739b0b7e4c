import type { Dealer } from '../../ports/dealers.ts';
import { type Lead, MailFailure } from '../../ports/leads.ts';
import { OutboundFailure } from '../../ports/outbound.ts';
import type { Ports } from '../../ports/ports.ts';
import { formatAdf } from './adf.ts';
import { toEnquiry } from './enquiries.ts';
import { toLeadResponse } from './serialize-lead.ts';

export type Sent =
  | { kind: 'delivered' }
  /** `afterSeconds`: what the receiver asked for. */
  | { kind: 'failed'; reason: string; afterSeconds: number | null }
  /** The receiver is gone for good. */
  | { kind: 'refused'; reason: string };

const WEBHOOK_TIMEOUT_MS = 10_000;
const ANSWER_BYTES = 64 * 1_024;
const LONGEST_WAIT = 6 * 3_600;

/**
 * A lead (update 0) or a later enquiry by mail: ADF as the plain-text body and nothing beside it, which is what CRMs
 * parse. A reply goes to the visitor. The Message-ID is the same on every try.
 */
export async function mailLead(
  { mailer }: Pick<Ports, 'mailer'>,
  whole: Lead,
  update: number,
  dealer: Dealer,
  signal: AbortSignal,
): Promise<Sent> {
  if (dealer.lead_email === null) return { kind: 'refused', reason: 'no_address' };
  const lead = toEnquiry(whole, update);
  const { truck } = lead;
  const kind = lead.suspicious ? 'Lead to check' : update > 0 ? 'Added to a lead' : 'New lead';
  const about = truck ? [truck.year, truck.make, truck.model].filter(Boolean).join(' ') : dealer.name;
  try {
    const mail = {
      to: dealer.lead_email,
      replyTo: lead.email === null ? null : { name: lead.name, address: lead.email },
      subject: `${kind}: ${about}`,
      text: await formatAdf([{ lead, dealer }]),
      id: lead.id,
    };
    await mailer.send(mail, signal);
    return { kind: 'delivered' };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return { kind: 'failed', reason: error.reason, afterSeconds: null };
  }
}

/** The whole lead by signed webhook (Standard Webhooks). `webhook-id` is the same on every try. */
export async function postLead(
  { fetcher, clock }: Pick<Ports, 'fetcher' | 'clock'>,
  lead: Lead,
  update: number,
  url: string | null,
  secret: string | null,
): Promise<Sent> {
  if (url === null || secret === null) return { kind: 'refused', reason: 'no_address' };
  const { Webhook } = (await import('standardwebhooks')).default;
  const { id, created_at: timestamp } = toEnquiry(lead, update);
  const { delivery: _, updates, ...data } = toLeadResponse(lead);
  const body = JSON.stringify({
    ...{ type: update > 0 ? 'lead.updated' : 'lead.created', timestamp },
    data: { ...data, updates: updates.map(({ delivery: _, ...rest }) => rest) },
  });
  const at = new Date(clock.now());
  const headers = {
    'content-type': 'application/json',
    'webhook-id': `msg_${id}`,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(`msg_${id}`, at, body),
  };
  const limits = { maxBytes: ANSWER_BYTES, timeoutMs: WEBHOOK_TIMEOUT_MS, httpsOnly: true };
  try {
    const answer = await fetcher.fetch({ url, method: 'POST', headers, body, ...limits });
    if (answer.status >= 200 && answer.status < 300) return { kind: 'delivered' };
    const reason = `http_${answer.status}`;
    if (answer.status === 410) return { kind: 'refused', reason };
    const asked = Number(answer.headers['retry-after']);
    return { kind: 'failed', reason, afterSeconds: asked > 0 ? Math.min(asked, LONGEST_WAIT) : null };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { kind: 'failed', reason: error.reason, afterSeconds: null };
  }
}
