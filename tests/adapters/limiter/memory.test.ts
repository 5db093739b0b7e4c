import { describe, expect, it } from 'vitest';
import { memoryLimiter } from '../../../lib/adapters/limiter/memory.ts';
import type { Limiter, Quota, Verdict } from '../../../lib/ports/limits.ts';
import type { Clock } from '../../../lib/ports/system.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { overQuota } from './windows.ts';

const START = 1_700_000_000_000;
const WINDOW_MS = 10_000;

/** Time passes, mostly by steps that end on or beside the edge of a window; then a burst of calls. */
const step = fc.record({
  advance: fc.oneof(fc.constantFrom(0, 1, 999, 1000, 4999, 5000, 9998, 9999, 10_000, 10_001), fc.nat(12_000)),
  calls: fc.integer({ min: 1, max: 9 }),
  subject: fc.constantFrom('one', 'two'),
  /** A new limit from here on, or none. */
  change: fc.option(fc.integer({ min: 1, max: 6 })),
});
const schedule = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 40 }),
});

/** Never over quota, never refused while there is room, numbers as a list of all admissions says. */
function exactSlidingLog(make: (clock: Clock) => Limiter) {
  return fc.asyncProperty(schedule, async ({ limit: initial, steps }) => {
    let now = START;
    let limit = initial;
    const limiter = make({ now: () => now });
    const admitted: Record<string, number[]> = { one: [], two: [] };
    for (const { advance, calls, subject, change } of steps) {
      now += advance;
      limit = change ?? limit;
      const quota: Quota = { name: 'requests', limit, windowSeconds: WINDOW_MS / 1000 };
      for (let call = 0; call < calls; call++) {
        const log = admitted[subject] ?? [];
        const inside = log.filter((at) => at > now - WINDOW_MS);
        const verdict = await limiter.take(quota, subject);
        if (verdict.allowed) log.push(now);
        expect(verdict).toEqual(expected(inside, now, limit));
      }
    }
    const highest = Math.max(initial, ...steps.map(({ change }) => change ?? 0));
    for (const log of Object.values(admitted)) {
      const calls = log.map((at) => ({ start: at, end: at }));
      expect(overQuota(calls, highest, WINDOW_MS)).toEqual([]);
    }
  });
}

/** The definition, slow and plain. */
function expected(inside: readonly number[], now: number, limit: number): Verdict {
  const allowed = inside.length < limit;
  const newest = allowed ? now : (inside.at(-1) ?? now);
  const roomAt = (inside[inside.length - limit] ?? now) + WINDOW_MS;
  return {
    allowed,
    remaining: limit - inside.length - (allowed ? 1 : 0),
    resetSeconds: Math.ceil((newest + WINDOW_MS - now) / 1000),
    retryAfterSeconds: allowed ? 0 : Math.ceil((roomAt - now) / 1000),
  };
}

/** A faulty limiter: counts whatever `isCounted` says, otherwise right. */
function planted(isCounted: (at: number, now: number) => boolean) {
  return (clock: Clock): Limiter => {
    const logs = new Map<string, number[]>();
    return {
      local: true,
      ping: async () => 0,
      look: () => Promise.reject(new Error('not asked')),
      take: async ({ limit }, subject) => {
        const now = clock.now();
        const log = logs.get(subject) ?? [];
        const verdict = expected(
          log.filter((at) => isCounted(at, now)),
          now,
          limit,
        );
        if (verdict.allowed) logs.set(subject, [...log, now]);
        return verdict;
      },
    };
  };
}

describe('memory limiter', () => {
  it('is an exact sliding log under adversarial schedules', async () => {
    await fc.assert(exactSlidingLog(memoryLimiter), { numRuns: 300 });
  });

  it.each([
    [
      'a fixed window',
      (at: number, now: number) => Math.floor(at / WINDOW_MS) === Math.floor(now / WINDOW_MS),
    ],
    ['a window one ms too short', (at: number, now: number) => at > now - WINDOW_MS + 1],
    ['a window one ms too long', (at: number, now: number) => at >= now - WINDOW_MS],
  ])('would be found out as %s (planted fault)', async (_name, isCounted) => {
    const { failed } = await fc.check(exactSlidingLog(planted(isCounted)), { numRuns: 300, seed: 7 });
    expect(failed).toBe(true);
  });

  it('finds the doubled quota of a fixed window by the rolling-window check alone (planted fault)', () => {
    const calls = [9900, 9901, 10_000, 10_001].map((at) => ({ start: at, end: at }));
    expect(overQuota(calls, 2, WINDOW_MS)).not.toEqual([]);
    expect(overQuota(calls, 4, WINDOW_MS)).toEqual([]);
  });

  it('forgets subjects that went quiet', async () => {
    let now = START;
    const limiter = memoryLimiter({ now: () => now });
    const quota: Quota = { name: 'requests', limit: 5, windowSeconds: 60 };
    for (let i = 0; i < 1000; i++) await limiter.take(quota, `subject-${i}`);
    for (let minute = 0; minute < 2; minute++) {
      now += 60_000;
      await limiter.take(quota, 'still here');
    }
    expect(limiter.size).toBeLessThanOrEqual(2);
  });

  it('stays bounded under a flood of subjects and forgets those seen longest ago first', async () => {
    const limiter = memoryLimiter({ now: () => START }, 100);
    const quota: Quota = { name: 'addresses', limit: 1, windowSeconds: 60 };
    const other: Quota = { name: 'requests', limit: 1, windowSeconds: 60 };
    await limiter.take(other, 'a key');
    for (let i = 0; i < 5000; i++) {
      expect(await limiter.take(quota, `subject-${i}`)).toMatchObject({ allowed: true });
      expect(limiter.size).toBeLessThanOrEqual(101);
    }
    expect(await limiter.take(quota, 'subject-4999')).toMatchObject({ allowed: false });
    expect(await limiter.take(quota, 'subject-0')).toMatchObject({ allowed: true });
    expect(await limiter.take(other, 'a key')).toMatchObject({ allowed: false });
  });

  it('keeps its order when the clock steps back, and locks nobody out when it was far ahead', async () => {
    let now = START + 3_600_000;
    const limiter = memoryLimiter({ now: () => now });
    const quota: Quota = { name: 'requests', limit: 2, windowSeconds: 60 };
    await limiter.take(quota, 'a');
    now -= 500;
    await limiter.take(quota, 'a');
    expect(await limiter.take(quota, 'a')).toMatchObject({ allowed: false, retryAfterSeconds: 61 });
    now = START;
    expect(await limiter.take(quota, 'a')).toMatchObject({ allowed: true, remaining: 1 });
  });
});
