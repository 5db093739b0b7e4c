import type { Dealer } from '../../ports/dealers.ts';
import { type Lead, MailFailure } from '../../ports/leads.ts';
import { OutboundFailure } from '../../ports/outbound.ts';
import type { Ports } from '../../ports/ports.ts';
import { adfOf } from './adf.ts';
import { leadView } from './serialize-lead.ts';

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
 * The lead by mail: ADF as the plain-text body and nothing beside it, which is what CRMs parse. A reply goes to the
 * visitor. The Message-ID is the same on every try.
 */
export async function mailLead({ mailer }: Pick<Ports, 'mailer'>, lead: Lead, dealer: Dealer): Promise<Sent> {
  if (dealer.lead_email === null) return { kind: 'refused', reason: 'no_address' };
  const { truck } = lead;
  const about = truck ? [truck.year, truck.make, truck.model].filter(Boolean).join(' ') : dealer.name;
  try {
    await mailer.send({
      to: dealer.lead_email,
      replyTo: lead.email === null ? null : { name: lead.name, address: lead.email },
      subject: `${lead.suspicious ? 'Lead to check' : 'New lead'}: ${about}`,
      text: await adfOf([{ lead, dealer }]),
      id: lead.id,
    });
    return { kind: 'delivered' };
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    return { kind: 'failed', reason: error.reason, afterSeconds: null };
  }
}

/** The lead by signed webhook (Standard Webhooks). `webhook-id` is the same on every try. */
export async function postLead(
  { fetcher, clock }: Pick<Ports, 'fetcher' | 'clock'>,
  lead: Lead,
  url: string | null,
  secret: string | null,
): Promise<Sent> {
  if (url === null || secret === null) return { kind: 'refused', reason: 'no_address' };
  const { Webhook } = (await import('standardwebhooks')).default;
  const { delivery: _, ...data } = leadView(lead);
  const body = JSON.stringify({ type: 'lead.created', timestamp: lead.created_at, data });
  const at = new Date(clock.now());
  const headers = {
    'content-type': 'application/json',
    'webhook-id': `msg_${lead.id}`,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(`msg_${lead.id}`, at, body),
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
