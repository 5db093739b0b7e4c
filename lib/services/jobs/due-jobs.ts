import type { DueJob } from '../../ports/store.ts';
import type { Context } from '../context.ts';
import { letSleep, maySleep } from './database-sleep.ts';
import { runJob } from './jobs.ts';

/** Upper limit of the delay when the flag of a write is lost. */
const MAX_SLEEP_SECONDS = 3_600;

const JOB = 'due';

/**
 * The job of every minute: runs the jobs that are due, side by side. One statement asks which; while the database may
 * sleep, nothing is asked. Throws what the first failing one threw, once all have ended.
 */
export async function runDueJobs(ctx: Context) {
  if (await maySleep(ctx.ports)) return { job: JOB, outcome: 'done', result: { due: [] } };
  const queues = Object.entries(await ctx.ports.store.dueJobs()) as [DueJob, number | null][];
  const due = queues.flatMap(([job, seconds]) => (seconds !== null && seconds <= 0 ? [job] : []));
  if (due.length === 0) {
    const next = Math.min(...queues.map(([, seconds]) => seconds ?? MAX_SLEEP_SECONDS), MAX_SLEEP_SECONDS);
    if (next >= 1) await letSleep(ctx.ports, Math.floor(next));
    return { job: JOB, outcome: 'done', result: { due } };
  }
  ctx.note({ due });
  const runs = await Promise.allSettled(due.map((job) => runJob(ctx, job)));
  const results: Record<string, object | null> = {};
  for (const run of runs) {
    if (run.status === 'rejected') throw run.reason;
    results[run.value.job] = run.value.result;
  }
  return { job: JOB, outcome: 'done', result: { due, ...results } };
}
