import { Unavailable } from '../../ports/faults.ts';
import type { ImageJob, ImageRetry } from '../../ports/images.ts';
import type { Leases } from '../../ports/store.ts';
import { AvoidedHosts } from './avoided-hosts.ts';
import { fetchImage, type ImageOutcome, type ImagePorts, NO_ROOM, type Transient } from './fetch-image.ts';
import { perHost } from './per-host.ts';

/** Waits between the tries of an image whose failure may pass, in seconds; after the last it has failed for good. */
const BACKOFF = [30, 120, 600, 3_600, 6 * 3_600] as const;
const TIMEOUT_MS = 10_000;
/** For an image's turn among those of all accounts; then it goes back into the queue. */
const TURN_MS = 60_000;
const BATCH = 24;
/** Claimed at once while nothing but images of unreachable hosts is due: those are only put off. */
const IDLE_BATCH = 480;
/** Longer than the slowest batch; a worker that sleeps longer is fenced off. */
const LEASE_SECONDS = 180;
/** A run stops taking images in time before the platform would cut it off. */
const RUN_MS = 200_000;
/** Runs at the same time, over all instances. */
const SLOTS = 4;
const SLOT_SECONDS = 240;
/** A listing has some twenty images: announced together, it is written once for all of them. */
const ANNOUNCED_TOGETHER = 500;
/** Until images of a host that was slow are asked for again. */
const SLOW_HOST_SECONDS = 60;
/** Until images are tried again after a part of ours failed. */
const OWN_FAULT_SECONDS = 60;
const BROKEN = { kind: 'transient', reason: 'internal', afterSeconds: null, unreachable: false } as const;

type Counts = Record<'stored' | 'failed' | 'retried', number>;
export interface ImageRun {
  outcome: 'done' | 'busy';
  result: (Counts & { stopped?: string }) | null;
}

export type DueImagePorts = ImagePorts & { leases: Leases };

/** Runs of this process, by their queue: one at a time, which goes on when it is asked again meanwhile. */
const running = new WeakMap<object, { again: boolean }>();

/**
 * Fetches what is due until nothing is, whatever the account: after the answer that queued it, and every minute for
 * what was cut off. Doubled calls are harmless.
 */
export async function fetchDueImages(ports: DueImagePorts): Promise<ImageRun> {
  const own = running.get(ports.images);
  if (own) {
    own.again = true;
    return { outcome: 'busy', result: null };
  }
  const mark = { again: true };
  running.set(ports.images, mark);
  try {
    return await inSlot(ports, async (counts, late) => {
      while (mark.again && !late()) {
        mark.again = false;
        await workOff(ports, counts, late);
      }
    });
  } finally {
    running.delete(ports.images);
  }
}

async function inSlot(
  ports: DueImagePorts,
  work: (counts: Counts, late: () => boolean) => Promise<void>,
): Promise<ImageRun> {
  const ends = ports.clock.now() + RUN_MS;
  const result: Counts & { stopped?: string } = { stored: 0, failed: 0, retried: 0 };
  let slot: Awaited<ReturnType<typeof freeSlot>> = null;
  try {
    slot = await freeSlot(ports.leases);
    if (slot === null) return { outcome: 'busy', result: null };
    await work(result, () => ports.clock.now() > ends);
  } catch (error) {
    // A part of ours does not answer, or the service is ending: the queue keeps what is left for the next run.
    if (!(error instanceof Unavailable)) throw error;
    result.stopped = error.message;
  } finally {
    // Where the database is what went away, the lease ends by itself.
    if (slot) await ports.leases.release(slot.job, slot.fence, result).catch(() => undefined);
  }
  return { outcome: 'done', result };
}

async function freeSlot(leases: Leases): Promise<{ job: string; fence: number } | null> {
  for (let slot = 0; slot < SLOTS; slot++) {
    const job = `images-${slot}`;
    const lease = await leases.acquire(job, SLOT_SECONDS);
    if (lease) return { job, fence: lease.fence };
  }
  return null;
}

/** First what has stopped no worker; then, one by one, what may have stopped its last one. */
export async function workOff(ports: DueImagePorts, counts: Counts, late: () => boolean): Promise<void> {
  try {
    await fetchQueue(ports, counts, late);
  } finally {
    await ports.images.announceSettled();
  }
}

async function fetchQueue(ports: DueImagePorts, counts: Counts, late: () => boolean): Promise<void> {
  let settled = 0;
  const hosts = new AvoidedHosts();
  const later: ImageRetry[] = [];
  for (const [which, least, most] of [
    ['sound', BATCH, IDLE_BATCH],
    ['suspects', 1, 1],
  ] as const) {
    for (let batch: number = least; !late(); ) {
      const jobs = await ports.images.claim(batch, LEASE_SECONDS, which);
      if (jobs.length === 0) break;
      const idle = jobs.filter(({ host }) => hosts.find(host) !== null);
      const live = jobs.filter(({ host }) => hosts.find(host) === null);
      // More than the lease gives time for goes back.
      for (const job of live.splice(least))
        later.push({ job, reason: null, delaySeconds: 0, counted: false });
      const open = new Set([...idle, ...live]);
      try {
        const full = await ports.images.findFull(jobs.map(({ accountId }) => accountId));
        await perHost([...open], async (job) => {
          try {
            if (full.has(job.accountId)) counts[await settleImage(ports, job, NO_ROOM)] += 1;
            else await tryOne(ports, job, hosts, later, counts);
          } catch (error) {
            if (error instanceof Unavailable) throw error;
            // A bug over this image: it waits longer with each try, so that the others' turn comes.
            open.delete(job);
            await settleImage(ports, job, BROKEN);
            throw error;
          }
          open.delete(job);
        });
      } finally {
        // What a throw left open is nobody's for now, instead of this worker's until its lease ends.
        for (const job of open)
          later.push({ job, reason: null, delaySeconds: OWN_FAULT_SECONDS, counted: false });
        await ports.images.retryAll(later.splice(0));
      }
      batch = live.length === 0 ? most : least;
      settled += live.length;
      if (settled >= ANNOUNCED_TOGETHER) {
        settled = 0;
        await ports.images.announceSettled();
      }
    }
  }
}

/** A host that does not answer is not asked for each of its images in turn; they are put off together. */
async function tryOne(
  ports: ImagePorts,
  job: ImageJob,
  hosts: AvoidedHosts,
  later: ImageRetry[],
  counts: Counts,
): Promise<void> {
  const avoided = hosts.find(job.host);
  if (avoided?.isSlow) {
    later.push({ job, reason: null, delaySeconds: SLOW_HOST_SECONDS, counted: false });
    return;
  }
  const limits = { timeoutMs: TIMEOUT_MS, signal: AbortSignal.timeout(TURN_MS) };
  const outcome = avoided?.outcome ?? (await fetchImage(ports, job, limits));
  if (outcome.kind === 'late') {
    later.push({ job, reason: null, delaySeconds: 0, counted: false });
    return;
  }
  hosts.record(job.host, outcome);
  const host = outcome.kind === 'transient' && outcome.unreachable ? outcome : null;
  const delaySeconds = host && pauseBefore(job, host);
  if (host === null || delaySeconds === null) {
    counts[await settleImage(ports, job, outcome)] += 1;
    return;
  }
  later.push({ job, reason: host.reason, delaySeconds, counted: true });
  counts.retried += 1;
}

/** Writes down what became of a job. Nothing happens when another worker has it by now. */
export async function settleImage(
  { images }: Pick<ImagePorts, 'images'>,
  job: ImageJob,
  outcome: Exclude<ImageOutcome, { kind: 'late' }>,
): Promise<keyof Counts> {
  if (outcome.kind === 'stored') {
    await images.store(job, outcome.image);
    return 'stored';
  }
  const wait = outcome.kind === 'transient' ? pauseBefore(job, outcome) : null;
  if (wait === null) {
    await images.fail(job, outcome.reason);
    return 'failed';
  }
  await images.retry(job, outcome.reason, wait, true);
  return 'retried';
}

/** Seconds until the next try; null after the last. */
function pauseBefore({ attempts }: ImageJob, { afterSeconds }: Transient): number | null {
  const wait = BACKOFF[attempts];
  return wait === undefined ? null : Math.max(wait, afterSeconds ?? 0);
}
