import { Unavailable } from '../../ports/faults.ts';
import type { DeliveryJob } from '../../ports/leads.ts';
import type { Ports } from '../../ports/ports.ts';
import { mailLead, postLead, type Sent } from './send-lead.ts';

/** Waits between the tries, in seconds: from a minute to six hours. */
const BACKOFF = [60, 300, 900, 3_600, 3 * 3_600, 6 * 3_600] as const;
/** After three days and as many tries a delivery is given up, and the lead says so. */
const GIVE_UP_SECONDS = 3 * 24 * 3_600;
const BATCH = 10;
/** Longer than the slowest try; a holder that sleeps longer is fenced off. */
const LEASE_SECONDS = 120;
/** A run stops taking deliveries in time before the platform would cut it off. */
const RUN_MS = 200_000;

export type DeliveryPorts = Pick<Ports, 'leads' | 'dealers' | 'mailer' | 'fetcher' | 'clock' | 'log'>;
type Counts = Record<'delivered' | 'retried' | 'dead', number>;
export interface DeliveryRun {
  outcome: 'done' | 'busy';
  result: (Counts & { stopped?: string }) | null;
}

/** Runs of this process, by their outbox: one at a time, which goes on when it is asked again meanwhile. */
const running = new WeakMap<object, { again: boolean }>();

/**
 * Sends what is due until nothing is: after the answer that captured a lead, and every minute for what was cut off or
 * has to be tried again. Runs side by side share the work. A run that dies between sending and writing it down sends
 * again: at least once, never not at all, under the same id.
 */
export async function deliverLeads(ports: DeliveryPorts): Promise<DeliveryRun> {
  const own = running.get(ports.leads);
  if (own) {
    own.again = true;
    return { outcome: 'busy', result: null };
  }
  const mark = { again: true };
  running.set(ports.leads, mark);
  const counts: Counts = { delivered: 0, retried: 0, dead: 0 };
  const ends = ports.clock.now() + RUN_MS;
  try {
    while (mark.again && ports.clock.now() < ends) {
      mark.again = false;
      await workOff(ports, counts, ends);
    }
    return { outcome: 'done', result: counts };
  } catch (error) {
    // The outbox keeps what is left for the next run.
    if (!(error instanceof Unavailable)) throw error;
    return { outcome: 'done', result: { ...counts, stopped: error.message } };
  } finally {
    running.delete(ports.leads);
  }
}

async function workOff(ports: DeliveryPorts, counts: Counts, ends: number): Promise<void> {
  while (ports.clock.now() < ends) {
    const jobs = await ports.leads.claim(BATCH, LEASE_SECONDS);
    if (jobs.length === 0) return;
    const settled = await Promise.allSettled(jobs.map((job) => deliver(ports, job, counts)));
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
  }
}

async function deliver(ports: DeliveryPorts, job: DeliveryJob, counts: Counts): Promise<void> {
  const sent = await send(ports, job).catch((error: unknown) => ownFault(ports, job, error));
  // Erased meanwhile: its deliveries went with it.
  if (sent === null) return;
  if (sent.kind === 'delivered') {
    await ports.leads.delivered(job);
    counts.delivered += 1;
  } else if (sent.kind === 'refused' || isHopeless(job)) {
    await ports.leads.bury(job, sent.reason);
    counts.dead += 1;
  } else {
    const wait = BACKOFF[Math.min(job.attempts, BACKOFF.length) - 1] ?? BACKOFF[0];
    await ports.leads.retry(job, sent.reason, Math.max(wait, sent.afterSeconds ?? 0));
    counts.retried += 1;
  }
}

/** A lead that trips over a fault of ours must not come round for ever. What it tripped over may quote the lead. */
function ownFault({ log }: DeliveryPorts, { leadId, kind }: DeliveryJob, error: unknown): Sent {
  if (error instanceof Unavailable) throw error;
  const name = error instanceof Error ? error.name : typeof error;
  log.write({ level: 'error', event: 'lead_delivery_failed', lead: leadId, kind, error: name });
  return { kind: 'failed', reason: 'internal_error', afterSeconds: null };
}

/** An outage of ours does not count as trying. */
const isHopeless = ({ ageSeconds, attempts }: DeliveryJob) =>
  ageSeconds > GIVE_UP_SECONDS && attempts >= BACKOFF.length;

async function send(
  ports: DeliveryPorts,
  { accountId, leadId, update, kind }: DeliveryJob,
): Promise<Sent | null> {
  const lead = await ports.leads.of(accountId).get(leadId);
  if (lead === null) return null;
  const dealers = ports.dealers.of(accountId);
  const dealer = await dealers.get(lead.dealer);
  if (dealer === null) return { kind: 'refused', reason: 'no_dealer' };
  if (kind === 'email') return mailLead(ports, lead, update, dealer);
  const secret = await dealers.webhookSecret(lead.dealer);
  return postLead(ports, lead, update, dealer.lead_webhook_url, secret);
}
