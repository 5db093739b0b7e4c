import type { Clock } from '../outside/system.ts';
import type { Limiter, Quota, Verdict } from './limits.ts';

/**
 * The fair-use limiter of one process: for each quota and subject the times of the calls that were admitted within the
 * window. Above `maxSubjects` of a quota those admitted longest ago are forgotten; newcomers are not refused.
 */
export function memoryLimiter(clock: Clock, maxSubjects = 20_000): Limiter {
  const logsByQuota = new Map<string, Map<string, number[]>>();

  function take({ name, limit, windowSeconds }: Quota, subject: string): Verdict {
    const now = clock.now();
    const windowMs = windowSeconds * 1000;
    // Either way: a clock that is set back must not lock anybody out.
    const isOver = (at = now) => Math.abs(now - at) >= windowMs;
    const quota = `${windowSeconds}:${name}`;
    const logs = logsByQuota.get(quota) ?? new Map<string, number[]>();
    const log = logs.get(subject) ?? [];
    while (isOver(log[0])) log.shift();
    if (log.length >= limit) {
      // The call whose end makes room: the oldest, or a later one when the limit was lowered meanwhile.
      const blocking = log[log.length - limit] ?? now;
      return { allowed: false, remaining: 0, resetSeconds: toSeconds(blocking + windowMs - now) };
    }
    log.push(Math.max(now, log.at(-1) ?? now));
    // Deleted first, so that the logs stand in the order of their last call.
    logs.delete(subject);
    logsByQuota.set(quota, logs.set(subject, log));
    for (const [oldest, calls] of logs) {
      if (logs.size <= maxSubjects && !isOver(calls.at(-1))) break;
      logs.delete(oldest);
    }
    return { allowed: true, remaining: limit - log.length, resetSeconds: toSeconds(windowMs) };
  }

  return { local: true, take: async (quota, subject) => take(quota, subject), ping: async () => undefined };
}

/** Rounded up, so that whoever waits the seconds has waited long enough. */
export const toSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
