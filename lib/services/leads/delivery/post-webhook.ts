import type { Lead } from '../../../ports/leads/leads.ts';
import { OutboundFailure } from '../../../ports/outbound.ts';
import type { Ports } from '../../../ports/ports.ts';
import { toEnquiry } from '../enquiries.ts';
import { toLeadResponse } from '../serialize-lead.ts';
import type { Sent } from './sent.ts';

const WEBHOOK_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1_024;
const MAX_WAIT_SECONDS = 6 * 3_600;

export interface Webhook {
  url: string;
  /** `whsec_…`. */
  secret: string;
}

type WebhookPorts = Pick<Ports, 'fetcher' | 'clock'>;

/** Posts the whole lead. `webhook-id` is the same on every try. */
export function postLead(ports: WebhookPorts, lead: Lead, update: number, webhook: Webhook): Promise<Sent> {
  const { id, created_at: timestamp } = toEnquiry(lead, update);
  const { delivery: _, updates, ...data } = toLeadResponse(lead);
  return postSigned(ports, webhook, `msg_${id}`, {
    type: update > 0 ? 'lead.updated' : 'lead.created',
    timestamp,
    data: { ...data, updates: updates.map(({ delivery: _, ...rest }) => rest) },
  });
}

/** Posts an event, signed as the Standard Webhooks specification has it. */
export async function postSigned(
  { fetcher, clock }: WebhookPorts,
  { url, secret }: Webhook,
  id: string,
  event: object,
): Promise<Sent> {
  const { Webhook: Signer } = (await import('standardwebhooks')).default;
  const body = JSON.stringify(event);
  const at = new Date(clock.now());
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Signer(secret).sign(id, at, body),
  };
  const limits = { maxBytes: MAX_ANSWER_BYTES, timeoutMs: WEBHOOK_TIMEOUT_MS, httpsOnly: true };
  try {
    const answer = await fetcher.fetch({ url, method: 'POST', headers, body, ...limits });
    if (answer.status >= 200 && answer.status < 300) return { kind: 'delivered' };
    const reason = `http_${answer.status}`;
    if (answer.status === 410) return { kind: 'refused', reason };
    const asked = Number(answer.headers['retry-after']);
    return { kind: 'failed', reason, afterSeconds: asked > 0 ? Math.min(asked, MAX_WAIT_SECONDS) : null };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { kind: 'failed', reason: error.reason, afterSeconds: null };
  }
}
