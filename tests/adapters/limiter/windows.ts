import type { Limiter, Quota } from '../../../lib/ports/limits.ts';

/** A call that was let through: admitted at some moment from `start` to `end`, in ms. */
export interface Admission {
  start: number;
  end: number;
}

/**
 * Rolling windows that certainly held more than `limit` admissions: those whose `limit + 1` calls began and ended
 * less than a window apart. No false alarm, however late an answer is seen.
 */
export function overQuota(admissions: readonly Admission[], limit: number, windowMs: number): Admission[] {
  const byStart = [...admissions].sort((a, b) => a.start - b.start);
  return byStart.filter((first, index) => {
    const ends = byStart.slice(index).map(({ end }) => end);
    const last = ends.sort((a, b) => a - b)[limit];
    return last !== undefined && last - first.start < windowMs;
  });
}

/** Asks once by a real clock; a Redis on this machine may be a fraction of a millisecond ahead of `Date.now()`. */
export async function admission(limiter: Limiter, quota: Quota, subject: string): Promise<Admission | null> {
  const start = Date.now();
  const { allowed } = await limiter.take(quota, subject);
  return allowed ? { start, end: Date.now() + 1 } : null;
}
