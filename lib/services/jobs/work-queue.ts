import type { Clock } from '../../ports/system.ts';

export interface Queue<Job> {
  /** Leases at most so many jobs; none: nothing is due, or what is due is limited elsewhere. */
  claim(max: number): Promise<readonly Job[]>;
  work(job: Job): Promise<void>;
  maxWorkers: number;
  /** No job is claimed after it, ms since the epoch. */
  until: number;
  clock: Clock;
}

/**
 * Works on what is due until nothing is or time is up, some jobs at a time: a slow one keeps a worker busy, and no other
 * job waiting. Throws what the first failing job threw, once those under way have ended.
 */
export async function drainQueue<Job>({ claim, work, maxWorkers, until, clock }: Queue<Job>): Promise<void> {
  const working = new Set<Promise<void>>();
  const failures: unknown[] = [];
  while (clock.now() <= until && failures.length === 0) {
    const free = maxWorkers - working.size;
    const jobs = free > 0 ? await claim(free) : [];
    if (jobs.length === 0 && working.size === 0) break;
    for (const job of jobs) {
      const worker: Promise<void> = work(job)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => working.delete(worker));
      working.add(worker);
    }
    if (jobs.length === 0) await Promise.race(working);
  }
  await Promise.all(working);
  if (failures.length > 0) throw failures[0];
}
