import { once } from 'node:events';
import { findDealer } from '../../accounts/dealers/find-dealer.ts';
import type { Job, JobsOf } from '../../db/jobs/queue.ts';
import { type Context, requireAccount } from '../../http/context.ts';
import {
  BACKOFF_STEPS,
  backoffAfter,
  type Counts,
  drain,
  type Outcome,
  type Work,
} from '../../jobs/drain.ts';
import { Unavailable } from '../../outside/faults.ts';
import { settleAll } from '../../outside/settle-all.ts';
import type { Ports } from '../../ports.ts';
import { toEnquiry } from '../enquiries.ts';
import { type Delivery, endDelivery } from '../queries/deliveries.ts';
import { selectLead } from '../queries/leads.ts';
import { DELIVERY_KINDS } from '../statuses.ts';
import { mailLead } from './mail.ts';
import type { Sent } from './send.ts';
import { callWebhook, toLeadEvent } from './webhook.ts';

/** After three days and as many tries as there are waits a delivery is given up, and the lead says so. */
const GIVE_UP_SECONDS = 3 * 24 * 3_600;
/** Of one try as a whole, whatever the receiver does. */
const TRY_TIMEOUT_MS = 30_000;

/** Mails, webhooks and flagged leads: none of them waits for the others. */
const KINDS = [...DELIVERY_KINDS, 'flagged'] as const;

/**
 * How deliveries of a kind are tried. A worker that dies between sending and writing it down sends again: at least once,
 * never not at all, under the same id.
 */
export const describeDelivery = (kind: (typeof KINDS)[number]): Work => ({
  kind,
  maxWorkers: 8,
  start: (ports) => (job) => deliver(ports, job),
});

/** Sends what is due, of one account or of all. */
export const deliverLeads = (ports: Ports, only: JobsOf | null = null): Promise<Counts[]> =>
  settleAll(KINDS.map((kind) => drain(ports, describeDelivery(kind), only)));

/** What the caller's account has to send is sent at once. */
export function deliverAfterAnswer(ctx: Context): void {
  const { id } = requireAccount(ctx);
  ctx.after((ports) => deliverLeads(ports, { accountId: id }));
}

/** As `DELIVERY_KEY` of the queue makes it. */
function parseKey(key: string): Delivery {
  const [leadId = '', update, destination] = key.split('.');
  return { leadId, update: Number(update), kind: destination === 'email' ? 'email' : 'webhook' };
}

async function deliver(ports: Ports, job: Job): Promise<Outcome> {
  const jobKey = parseKey(job.key);
  const signal = AbortSignal.timeout(TRY_TIMEOUT_MS);
  const result = await Promise.race([send(ports, job, jobKey, signal), waitForTimeout(signal)]).catch(
    (error: unknown) => reportOwnFault(ports, jobKey, error),
  );
  if (result === null) return { again: null, counts: {} };
  const retrySeconds = againAfter(job, result);
  const status = result.kind === 'delivered' ? 'delivered' : retrySeconds === null ? 'dead' : 'pending';
  const isNoTry = result.kind === 'postponed';
  const attempts = isNoTry ? job.tries - 1 : job.tries;
  const end = { status, error: result.reason, attempts, againSeconds: retrySeconds } as const;
  return {
    again: retrySeconds,
    isNoTry,
    counts: { [status]: 1 },
    save: (db) => endDelivery(db, job.accountId, jobKey, end),
  };
}

/** Null: there is no further try. An outage of ours does not count as trying. */
function againAfter(job: Job, { kind, afterSeconds = 0 }: Sent): number | null {
  if (kind === 'delivered' || kind === 'refused') return null;
  const isOld = job.ageSeconds > GIVE_UP_SECONDS;
  // A flagged one gives way to others for so long; a clean one is sent when there is room.
  if (kind === 'postponed') return isOld && job.kind === 'flagged' ? null : afterSeconds;
  const { tries } = job;
  if (isOld && tries >= BACKOFF_STEPS) return null;
  return Math.max(backoffAfter(tries), afterSeconds);
}

async function waitForTimeout(signal: AbortSignal): Promise<Sent> {
  await once(signal, 'abort');
  return { kind: 'failed', reason: 'timeout' };
}

/** A lead that trips over a fault of ours must not come round for ever. What it tripped over may quote the lead. */
function reportOwnFault({ log }: Ports, { leadId, kind }: Delivery, error: unknown): Sent {
  if (error instanceof Unavailable) throw error;
  const name = error instanceof Error ? error.name : typeof error;
  log.write({ level: 'error', event: 'lead_delivery_failed', lead: leadId, kind, error: name });
  return { kind: 'failed', reason: 'internal_error' };
}

/** Null when there is nothing to send: it was erased, or reached its dealer in another way. */
async function send(
  ports: Ports,
  { accountId }: Job,
  { leadId, update, kind }: Delivery,
  signal: AbortSignal,
): Promise<Sent | null> {
  const lead = await selectLead(ports.db, accountId, leadId);
  if (lead === null) return null;
  const { delivery, suspicious } = toEnquiry(lead, update);
  if (delivery.find((one) => one.kind === kind)?.status !== 'pending') return null;
  const dealer = await findDealer(ports.db, accountId, lead.dealer);
  if (dealer === null) return { kind: 'refused', reason: 'no_dealer' };
  if (kind === 'email') return mailLead(ports, { accountId, dealer, lead, update, signal });
  return callWebhook(ports, { accountId, dealer, suspicious }, toLeadEvent(lead, update));
}
