import { isAllowedPlain } from '../../outside/fetcher/allowed-host.ts';
import { OutboundFailure } from '../../outside/outbound.ts';
import type { Ports } from '../../outside/ports.ts';
import { toEnquiry } from '../enquiries.ts';
import type { Lead } from '../ports/leads.ts';
import { toLeadResponse } from '../serialize-lead.ts';
import type { Sent } from './sent.ts';

const WEBHOOK_TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1_024;
const MAX_WAIT_SECONDS = 6 * 3_600;

export interface Webhook {
  url: string;
  /** `whsec_…`, the newest first: each signs. */
  secrets: readonly string[];
}

/** `id` is the same on every try. */
export interface WebhookEvent {
  id: string;
  type: 'ping' | 'lead.created' | 'lead.updated';
  timestamp: string;
  data: object;
}

/** A call of a webhook, and how it ended; `status` is null when nothing answered. */
export interface Posted {
  sent: Sent;
  request: { url: string; headers: Record<string, string>; body: string };
  status: number | null;
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

/** Posts an event, signed as the Standard Webhooks specification has it. */
export async function postSigned(
  { fetcher, clock, settings }: Pick<Ports, 'fetcher' | 'clock' | 'settings'>,
  { url, secrets }: Webhook,
  { id, ...event }: WebhookEvent,
): Promise<Posted> {
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
    return { sent: toSent(answer), request, status: answer.status };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { sent: { kind: 'failed', reason: error.reason, afterSeconds: null }, request, status: null };
  }
}

function toSent({ status, headers }: { status: number; headers: Readonly<Record<string, string>> }): Sent {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = `http_${status}`;
  if (status === 410) return { kind: 'refused', reason };
  const asked = Number(headers['retry-after']);
  return { kind: 'failed', reason, afterSeconds: asked > 0 ? Math.min(asked, MAX_WAIT_SECONDS) : null };
}
