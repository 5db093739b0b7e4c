import type { Limiter, Quota } from '../../lib/limiter/limits.ts';

/** A call that was let through: admitted at some moment from `start` to `end`, in ms. */
interface Admission {
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
async function admission(
  { take }: Pick<Limiter, 'take'>,
  quota: Quota,
  subject: string,
): Promise<Admission | null> {
  const start = Date.now();
  const { allowed } = await take(quota, subject);
  return allowed ? { start, end: Date.now() + 1 } : null;
}

/** Asks for bursts of parallel calls at these milliseconds from the next turn of a second on. */
export async function attack(
  limiter: Pick<Limiter, 'take'>,
  quota: Quota,
  phases: readonly number[],
): Promise<Admission[]> {
  const begun = Math.ceil(Date.now() / 1000) * 1000;
  const subject = `attacked ${begun} ${phases}`;
  const admissions: (Admission | null)[] = [];
  for (const phase of phases) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + phase - Date.now())));
    const burst = Array.from({ length: 8 }, () => admission(limiter, quota, subject));
    admissions.push(...(await Promise.all(burst)));
  }
  return admissions.filter((each) => each !== null);
}
