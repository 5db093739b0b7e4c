import { type JobKind, listDue } from '../db/jobs/queue.ts';
import type { Context } from '../http/context.ts';
import { settleAll } from '../outside/settle-all.ts';
import { letSleep, maySleep } from './database-sleep.ts';
import { drain } from './drain.ts';
import { KINDS } from './kinds.ts';

/** Upper limit of the delay when the flag of a write is lost. */
const MAX_SLEEP_SECONDS = 3_600;

/**
 * The job of every minute: works on every kind of job that is due, side by side. One statement asks which; while the
 * database may sleep, nothing is asked. Throws what the first failing kind threw, once all have ended.
 */
export async function runDueJobs({ ports, note }: Context) {
  if (await maySleep(ports)) return { due: [] };
  // Another release may have kinds that this one has not.
  const queuedKinds = (await listDue(ports.db)).filter(({ kind }) => kind in KINDS);
  const due = queuedKinds.flatMap(({ kind, seconds }) => (seconds <= 0 ? [kind] : [])).sort();
  if (due.length === 0) {
    const next = Math.min(...queuedKinds.map(({ seconds }) => seconds), MAX_SLEEP_SECONDS);
    if (next >= 1) await letSleep(ports, Math.floor(next));
  }
  note({ due });
  const run = async (kind: JobKind) => [kind, await drain(ports, await KINDS[kind]())] as const;
  const result = { due, ...Object.fromEntries(await settleAll(due.map(run))) };
  note(result);
  return result;
}
