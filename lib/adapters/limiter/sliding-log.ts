import type { Verdict } from '../../ports/limits.ts';

/** When the calls of one subject were admitted: clock milliseconds, ascending, those before `head` forgotten. */
export interface SlidingLog {
  stamps: number[];
  head: number;
}

export const emptyLog = (): SlidingLog => ({ stamps: [], head: 0 });

/**
 * Asks the log for one more call at `now`: admitted and written down while fewer than `limit` calls stand in the
 * last `windowMs`, refused and not written down otherwise. A call leaves the window exactly `windowMs` after it was
 * admitted. Amortised O(1).
 */
export function takeFrom(log: SlidingLog, now: number, limit: number, windowMs: number): Verdict {
  // A clock set far back would lock its callers out until it has caught up; a small step only keeps order.
  if ((log.stamps.at(-1) ?? now) >= now + windowMs) forget(log, log.stamps.length);
  else expire(log, now - windowMs);

  const newest = log.stamps.at(-1) ?? now;
  const count = log.stamps.length - log.head;
  if (count < limit) {
    const stamp = Math.max(now, newest);
    log.stamps.push(stamp);
    return toVerdict(true, limit - count - 1, stamp + windowMs - now, 0);
  }
  // The call whose leaving makes room: the oldest, or a later one when the limit was lowered meanwhile.
  const blocking = log.stamps[log.head + count - limit] ?? now;
  return toVerdict(false, limit - count, newest + windowMs - now, blocking + windowMs - now);
}

/** A verdict from milliseconds, rounded up, so that whoever waits the seconds has waited long enough. */
export function toVerdict(allowed: boolean, remaining: number, resetMs: number, retryMs: number): Verdict {
  return {
    allowed,
    remaining,
    resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(retryMs / 1000)),
  };
}

function expire(log: SlidingLog, until: number): void {
  let head = log.head;
  while (head < log.stamps.length && (log.stamps[head] ?? 0) <= until) head++;
  log.head = head;
  // Half of the array is dead: moving the living half costs less than was expired.
  if (head * 2 >= log.stamps.length) forget(log, head);
}

function forget(log: SlidingLog, head: number): void {
  log.stamps.splice(0, head);
  log.head = 0;
}
