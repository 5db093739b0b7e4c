import { DELIVERY_KINDS, type DeliveryKind } from '../../../contract/leads/lead-states.ts';
import { Unavailable } from '../../../ports/faults.ts';
import type { DeliveryJob } from '../../../ports/leads/leads.ts';
import type { Ports } from '../../../ports/ports.ts';
import { drainQueue } from '../../jobs/work-queue.ts';
import { type SendPorts, sendLead } from './send-lead.ts';
import type { Sent } from './sent.ts';

/** Waits between the tries, in seconds: from a minute to six hours. */
const BACKOFF = [60, 300, 900, 3_600, 3 * 3_600, 6 * 3_600] as const;
/** After three days and as many tries a delivery is given up, and the lead says so. */
const GIVE_UP_SECONDS = 3 * 24 * 3_600;
/** Of one try as a whole, whatever the receiver does. */
const TRY_TIMEOUT_MS = 30_000;
/** Longer than a try; what is written after it is rejected. */
const LEASE_SECONDS = 60;
/** A run stops taking deliveries in time before the platform would cut it off. */
const RUN_MS = 200_000;
/** Mails at a time, and webhooks at a time: neither waits for the other. */
const MAX_WORKERS = 8;

export type DeliveryPorts = SendPorts & Pick<Ports, 'log'>;
type Counts = Record<'delivered' | 'retried' | 'waiting' | 'dead', number>;
export interface DeliveryRun {
  outcome: 'done';
  result: Counts & { stopped?: string };
}

/**
 * Sends what is due until nothing is: after the answer that captured a lead, and every minute for what was cut off or
 * has to be tried again. Runs side by side share the work. A run that dies between sending and writing it down sends
 * again: at least once, never not at all, under the same id.
 */
export async function deliverLeads(
  ports: DeliveryPorts,
  tryTimeoutMs = TRY_TIMEOUT_MS,
): Promise<DeliveryRun> {
  const counts: Counts = { delivered: 0, retried: 0, waiting: 0, dead: 0 };
  const { clock, leads } = ports;
  const until = clock.now() + RUN_MS;
  const drain = (kind: DeliveryKind) =>
    drainQueue<DeliveryJob>({
      maxWorkers: MAX_WORKERS,
      until,
      clock,
      claim: (max) => leads.claim(kind, max, LEASE_SECONDS),
      work: (job) => deliver(ports, job, counts, tryTimeoutMs),
    });
  const drained = await Promise.allSettled(DELIVERY_KINDS.map(drain));
  const failures = drained.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length === 0) return { outcome: 'done', result: counts };
  // The outbox keeps what is left for the next run.
  const bug = failures.find((error) => !(error instanceof Unavailable));
  if (bug !== undefined) throw bug;
  return { outcome: 'done', result: { ...counts, stopped: failures[0].message } };
}

async function deliver(
  ports: DeliveryPorts,
  job: DeliveryJob,
  counts: Counts,
  timeoutMs: number,
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  const sent = await Promise.race([send(ports, job, signal), timedOut(signal)]).catch((error: unknown) =>
    reportOwnFault(ports, job, error),
  );
  // Erased meanwhile: its deliveries went with it.
  if (sent === null) return;
  if (sent.kind === 'delivered') {
    await ports.leads.delivered(job);
    counts.delivered += 1;
  } else if (sent.kind === 'postponed') {
    await ports.leads.postpone(job, sent.reason, sent.afterSeconds);
    counts.waiting += 1;
  } else if (sent.kind === 'refused' || isHopeless(job)) {
    await ports.leads.bury(job, sent.reason);
    counts.dead += 1;
  } else {
    const wait = BACKOFF[Math.min(job.attempts, BACKOFF.length) - 1] ?? BACKOFF[0];
    await ports.leads.retry(job, sent.reason, Math.max(wait, sent.afterSeconds ?? 0));
    counts.retried += 1;
  }
}

const timedOut = (signal: AbortSignal): Promise<Sent> =>
  new Promise((resolve) => {
    const failed: Sent = { kind: 'failed', reason: 'timeout', afterSeconds: null };
    signal.addEventListener('abort', () => resolve(failed), { once: true });
  });

/** A lead that trips over a fault of ours must not come round for ever. What it tripped over may quote the lead. */
function reportOwnFault({ log }: DeliveryPorts, { leadId, kind }: DeliveryJob, error: unknown): Sent {
  if (error instanceof Unavailable) throw error;
  const name = error instanceof Error ? error.name : typeof error;
  log.write({ level: 'error', event: 'lead_delivery_failed', lead: leadId, kind, error: name });
  return { kind: 'failed', reason: 'internal_error', afterSeconds: null };
}

/** An outage of ours does not count as trying. */
const isHopeless = ({ ageSeconds, attempts }: DeliveryJob) =>
  ageSeconds > GIVE_UP_SECONDS && attempts >= BACKOFF.length;

async function send(ports: DeliveryPorts, job: DeliveryJob, signal: AbortSignal): Promise<Sent | null> {
  const { accountId, leadId, update, kind } = job;
  const lead = await ports.leads.of(accountId).get(leadId);
  if (lead === null) return null;
  const dealer = await ports.dealers.of(accountId).get(lead.dealer);
  if (dealer === null) return { kind: 'refused', reason: 'no_dealer' };
  return sendLead(ports, { accountId, dealer, lead, update, kind }, signal);
}
