import type { Limiter, Quota, Verdict } from '../../ports/limits.ts';
import type { Clock } from '../../ports/system.ts';
import { emptyLog, type SlidingLog, takeFrom } from './sliding-log.ts';

/**
 * The logs of one quota in two generations. A log moves to the young one when a call is admitted; once per window
 * the young become the old, and the old, by then quiet for a whole window, are dropped. No sweep, no order to keep.
 */
interface Generations {
  young: Map<string, SlidingLog>;
  old: Map<string, SlidingLog>;
  turnedAt: number;
}

/**
 * The fair-use limiter of one process: an exact sliding log per quota and subject, O(1). A flood of subjects beyond
 * `maxSubjects` per quota turns the generations early: those admitted longest ago are forgotten, newcomers are not
 * refused. Quotas do not push out each other's subjects.
 */
export function memoryLimiter(clock: Clock, maxSubjects = 20_000): Limiter & { readonly size: number } {
  const quotas = new Map<string, Generations>();

  function look(quota: Quota, subject: string): Verdict {
    const { log, now, windowMs } = findLog(quota, subject);
    return takeFrom(structuredClone(log), now, quota.limit, windowMs);
  }

  function take(quota: Quota, subject: string): Verdict {
    const { logs, log, now, windowMs } = findLog(quota, subject);
    const verdict = takeFrom(log, now, quota.limit, windowMs);
    if (verdict.allowed) logs.young.set(subject, log);
    return verdict;
  }

  function findLog(quota: Quota, subject: string) {
    const now = clock.now();
    const windowMs = quota.windowSeconds * 1000;
    const logs = findLogs(`${quota.windowSeconds}:${quota.name}`, now);
    if (now - logs.turnedAt >= windowMs || logs.young.size >= maxSubjects / 2) turn(logs, now);
    const log = logs.young.get(subject) ?? logs.old.get(subject) ?? emptyLog();
    return { logs, log, now, windowMs };
  }

  function findLogs(quota: string, now: number): Generations {
    const known = quotas.get(quota);
    if (known !== undefined) return known;
    const logs: Generations = { young: new Map(), old: new Map(), turnedAt: now };
    quotas.set(quota, logs);
    return logs;
  }

  function turn(logs: Generations, now: number): void {
    logs.old = logs.young;
    logs.young = new Map();
    logs.turnedAt = now;
  }

  return {
    local: true,
    take: async (quota, subject) => take(quota, subject),
    look: async (quota, subject) => look(quota, subject),
    ping: async () => 0,
    /** Logs held at the moment, over all quotas. */
    get size() {
      return [...quotas.values()].reduce((sum, { young, old }) => sum + young.size + old.size, 0);
    },
  };
}
