import {
  claimJob,
  type Job,
  type JobKind,
  type JobsOf,
  listWaiting,
  releaseJob,
  renewLease,
} from '../db/jobs/queue.ts';
import type { Sql } from '../db/sql.ts';
import { Unavailable } from '../outside/faults.ts';
import type { Ports } from '../ports.ts';

/** What a try of a job came to. */
export interface Outcome {
  /** Seconds until it is due again; null: it is done. */
  again: number | null;
  counts: Readonly<Record<string, number>>;
  /** It was put off without a try. */
  isNoTry?: boolean;
  /** Written together with the release, unless the lease was lost. */
  save?(db: Sql): Promise<unknown>;
}

/** How jobs of a kind are worked on. */
export interface Work {
  kind: JobKind;
  /** Jobs that a process works on at a time. */
  maxWorkers: number;
  /** Jobs of an account that all processes work on at a time; default 2. */
  maxPerAccount?: number;
  /** Called once for each run over the queue; returns what tries a job. `untilMs`: when to stop, since the epoch. */
  start(ports: Ports, untilMs: number): (job: Job) => Promise<Outcome>;
}

/** What a run came to; `stopped`: a part of ours did not answer, and the queue keeps what is left. */
export type Counts = Record<string, number> & { stopped?: string };

/** Waits after the first, the second … try that failed. */
const BACKOFF_SECONDS = [60, 300, 900, 3_600, 3 * 3_600, 6 * 3_600] as const;
/** Until a job is due again after a part of ours failed. */
const OWN_FAULT_SECONDS = 60;

export const BACKOFF_STEPS = BACKOFF_SECONDS.length;
export const backoffAfter = (tries: number) =>
  BACKOFF_SECONDS[Math.min(tries, BACKOFF_STEPS) - 1] ?? BACKOFF_SECONDS[0];

/** Workers of this process, by database and kind: invocations that overlap in it share its memory. */
const busy = new WeakMap<object, Map<JobKind, number>>();

/**
 * Works on what is due of a kind until nothing is or time is up, in rounds: one job of each account that waits, the longest
 * waiting first. With `filter`, only on these jobs. A throw of a try is a bug: its job waits as after a failure, and the
 * first bug is thrown at the end.
 */
export async function drain(
  ports: Ports,
  { kind, maxWorkers, maxPerAccount = 2, start }: Work,
  filter: JobsOf | null = null,
) {
  const { db, clock, settings } = ports;
  const untilMs = clock.now() + settings.feeds.softDeadlineMs;
  const counts: Counts = {} as Counts;
  if (settings.restingJobs.has(kind)) return counts;
  const bugs: unknown[] = [];
  const workers = busy.get(db) ?? new Map<JobKind, number>();
  busy.set(db, workers);
  const tryJob = start(ports, untilMs);

  /** Null: nothing can be claimed right now. Those who ask wait for each other; after a claim that fails there is none. */
  async function* claimJobs(): AsyncGenerator<Job | null> {
    for (;;) {
      let isIdle = true;
      for (const accountId of filter === null ? await listWaiting(db, kind) : [filter.accountId]) {
        if (clock.now() > untilMs || counts.stopped !== undefined) return;
        const job = await claimJob(db, kind, filter ?? { accountId }, maxPerAccount);
        if (job === null) continue;
        isIdle = false;
        yield job;
      }
      if (isIdle) yield null;
    }
  }
  const jobs = claimJobs();
  const claimNext = async () => (await jobs.next()).value;

  function note(error: unknown) {
    if (error instanceof Unavailable) counts.stopped = error.message;
    else bugs.push(error);
  }
  function add(more: Readonly<Record<string, number>>) {
    for (const [name, n] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + n;
  }
  /** A worker that finds a job starts another, as long as there is room. */
  async function work() {
    const workerCount = workers.get(kind) ?? 0;
    if (workerCount >= maxWorkers) return;
    workers.set(kind, workerCount + 1);
    const others: Promise<void>[] = [];
    try {
      for (let job = await claimNext(); job; job = await claimNext()) {
        others.push(work());
        await finish(ports, job, tryJob).then(add, note);
      }
    } catch (error) {
      note(error);
    } finally {
      workers.set(kind, (workers.get(kind) ?? 1) - 1);
    }
    await Promise.all(others);
  }
  await work();
  if (bugs.length > 0) throw bugs[0];
  return counts;
}

/** A quarter of a lease. */
const HEARTBEAT_MS = 15_000;

/** Tries a job and gives it back, with what the try came to; a heartbeat keeps the lease meanwhile. */
async function finish(ports: Ports, job: Job, tryJob: (job: Job) => Promise<Outcome>) {
  // What fails here shows in the release.
  const beat = () => void renewLease(ports.db, job).catch(() => undefined);
  const heartbeat = setInterval(beat, HEARTBEAT_MS);
  try {
    const { again, counts, isNoTry = false, save } = await tryJob(job);
    return await ports.db.transaction(async (db) => {
      if (!(await releaseJob(db, job, again, !isNoTry))) return { lost: 1 };
      await save?.(db);
      return counts;
    }, 'ingest');
  } catch (error) {
    const isOurs = error instanceof Unavailable;
    const again = isOurs ? OWN_FAULT_SECONDS : backoffAfter(job.tries);
    // Where the database is what went away, the lease ends by itself.
    await releaseJob(ports.db, job, again, !isOurs).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}
