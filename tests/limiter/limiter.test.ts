import { setTimeout as sleep } from 'node:timers/promises';
import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Limiter, Quota, Verdict } from '../../lib/limiter/limits.ts';
import { memoryLimiter } from '../../lib/limiter/memory.ts';
import { upstashLimiter } from '../../lib/limiter/upstash.ts';
import type { Clock } from '../../lib/outside/system.ts';
import * as fc from '../support/oracles/fast-check.ts';
import { redisAvailable, startRedis, type TestRedis } from '../support/redis/redis.ts';
import { attack, overQuota } from './rolling-windows.ts';

// These tests mostly wait; let them wait together.
vi.setConfig({ maxConcurrency: 50 });

const withRedis = redisAvailable();
/** Generous, so that a busy machine is no failure of the limiter. */
const ANSWER_MS = 10_000;
const MINUTE: Quota = { name: 'requests', limit: 7, windowSeconds: 60 };
const SECOND: Quota = { name: 'seconds', limit: 5, windowSeconds: 1 };

type Taker = Pick<Limiter, 'take'>;
interface Setting {
  name: string;
  isAbsent?: boolean;
  /** A limiter, and how its time passes. */
  start(): { limiter: Taker; wait(seconds: number): Promise<unknown> };
}

let redis: TestRedis;
beforeAll(async () => {
  if (withRedis) redis = await startRedis();
});
afterAll(async () => {
  vi.resetConfig();
  await redis?.stop();
});

function inMemory(): ReturnType<Setting['start']> {
  let now = 1_700_000_000_000;
  const wait = async (seconds: number) => {
    now += seconds * 1000;
  };
  return { limiter: memoryLimiter({ now: () => now }), wait };
}

const settings: Setting[] = [
  { name: 'in memory', start: inMemory },
  {
    name: 'in Redis',
    isAbsent: !withRedis,
    // Timers may fire a fraction of a millisecond early.
    start: () => ({
      limiter: upstashLimiter(redis, ANSWER_MS),
      wait: (seconds) => sleep(seconds * 1000 + 5),
    }),
  },
];

let subjects = 0;
const uniqueSubject = () => `subject-${++subjects}`;

async function untilRefused({ take }: Taker, quota: Quota, subject: string): Promise<Verdict> {
  for (let call = 0; call < 500; call++) {
    const verdict = await take(quota, subject);
    if (!verdict.allowed) return verdict;
  }
  throw new Error('never refused');
}

describe.each(settings)('the limiter $name', ({ start, isAbsent = false }) => {
  describe.skipIf(isAbsent).concurrent('', () => {
    test('admits exactly the limit from a burst of parallel callers', async () => {
      const { limiter } = start();
      const subject = uniqueSubject();
      const verdicts = await Promise.all(Array.from({ length: 40 }, () => limiter.take(MINUTE, subject)));
      const left = verdicts.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
      expect(left.sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    });

    test('counts down what remains, then refuses with whole seconds to wait within the window', async () => {
      const { limiter } = start();
      const subject = uniqueSubject();
      for (let remaining = MINUTE.limit - 1; remaining >= 0; remaining--)
        expect(await limiter.take(MINUTE, subject)).toEqual({ allowed: true, remaining, resetSeconds: 60 });
      const refusal = await limiter.take(MINUTE, subject);
      expect(refusal).toMatchObject({ allowed: false, remaining: 0 });
      expect(refusal.resetSeconds).toBeLessThanOrEqual(60);
      expect(refusal.resetSeconds).toBeGreaterThan(30);
    });

    test('keeps subjects, quotas and windows apart, however their names are put together', async () => {
      const { limiter } = start();
      const subject = uniqueSubject();
      const calls: [string, number, string][] = [
        ['a', 60, subject],
        ['a', 61, subject],
        ['b', 60, subject],
        ['a', 60, `60:${subject}`],
        ['a:60', 60, subject],
        ['a%3A60', 60, subject],
        ['a', 60, `${subject} `],
        ['', 60, `a:60:${subject}`],
        ['__proto__', 60, '__proto__'.concat(subject)],
      ];
      for (const allowed of [true, false])
        for (const [name, windowSeconds, caller] of calls)
          expect(await limiter.take({ name, windowSeconds, limit: 1 }, caller)).toMatchObject({ allowed });
    });

    test('admits the lone caller that waits Retry-After, however often it was refused before', async () => {
      const { limiter, wait } = start();
      const subject = uniqueSubject();
      await untilRefused(limiter, SECOND, subject);
      await wait(0.3);
      let refusal = await untilRefused(limiter, SECOND, subject);
      for (let call = 0; call < 20; call++) refusal = await untilRefused(limiter, SECOND, subject);
      await wait(refusal.resetSeconds);
      expect(await limiter.take(SECOND, subject)).toMatchObject({ allowed: true });
    });

    test('holds a caller to a limit that was lowered, and admits it when it waited Retry-After', async () => {
      const { limiter, wait } = start();
      const subject = uniqueSubject();
      await untilRefused(limiter, SECOND, subject);
      const lowered = { ...SECOND, limit: 2 };
      const refusal = await limiter.take(lowered, subject);
      expect(refusal).toMatchObject({ allowed: false, remaining: 0 });
      await wait(refusal.resetSeconds);
      expect(await limiter.take(lowered, subject)).toMatchObject({ allowed: true });
    });

    test('never admits anyone under a limit of none', async () => {
      const verdict = await start().limiter.take({ ...MINUTE, limit: 0 }, uniqueSubject());
      expect(verdict).toEqual({ allowed: false, remaining: 0, resetSeconds: 60 });
    });
  });
});

describe.skipIf(!withRedis).concurrent('in any rolling window of real time', () => {
  /** Around the turns of the second, where fixed windows are weak, and anywhere. */
  const schedules = [
    [900, 1020, 1900, 2020, 2900, 3020],
    [0, 333, 666, 999, 1332, 1665, 1998, 2331],
    [0, 700, 1001, 1500, 1990, 2100, 2400],
  ];
  const findExcess = async (limiter: Taker) => {
    const logs = await Promise.all(schedules.map((phases) => attack(limiter, SECOND, phases)));
    expect(logs.flat().length).toBeGreaterThan(4 * SECOND.limit);
    return logs.flatMap((log) => overQuota(log, SECOND.limit, 1000));
  };

  test('parallel callers never get more than the limit', async () => {
    expect(await findExcess(upstashLimiter(redis, ANSWER_MS))).toEqual([]);
  });

  test('a fixed window is found out (planted fault: the one @upstash/ratelimit brings along)', async () => {
    const fixed = new Ratelimit({
      redis: new Redis({ url: redis.url, token: redis.token, enableTelemetry: false }),
      limiter: Ratelimit.fixedWindow(SECOND.limit, '1 s'),
      ephemeralCache: false,
    });
    const take = async (_quota: Quota, subject: string) => {
      const { success, remaining } = await fixed.limit(subject);
      return { allowed: success, remaining, resetSeconds: 1 };
    };
    expect(await findExcess({ take })).not.toEqual([]);
  });
});

const START = 1_700_000_000_000;
const WINDOW_MS = 10_000;

/** Time passes, mostly by steps that end on or beside the edge of a window; then a burst of calls. */
const step = fc.record({
  advance: fc.oneof(fc.constantFrom(0, 1, 999, 1000, 4999, 5000, 9998, 9999, 10_000, 10_001), fc.nat(12_000)),
  calls: fc.integer({ min: 1, max: 9 }),
  subject: fc.constantFrom('one', 'two'),
  limit: fc.integer({ min: 1, max: 6 }),
});

/** Never over quota, never refused while there is room, numbers as a list of all admissions says. */
function exactSlidingLog(make: (clock: Clock) => Taker) {
  return fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
    let now = START;
    const limiter = make({ now: () => now });
    const admitted: Record<string, number[]> = { one: [], two: [] };
    for (const { advance, calls, subject, limit } of steps) {
      now += advance;
      for (let call = 0; call < calls; call++) {
        const log = admitted[subject] ?? [];
        const window = log.filter((at) => at > now - WINDOW_MS);
        const verdict = await limiter.take({ name: 'x', limit, windowSeconds: WINDOW_MS / 1000 }, subject);
        if (verdict.allowed) log.push(now);
        expect(verdict).toEqual(judge(window, now, limit));
      }
    }
  });
}

/** The definition, slow and plain. */
function judge(window: readonly number[], now: number, limit: number): Verdict {
  const allowed = window.length < limit;
  const until = allowed ? now : (window[window.length - limit] ?? now);
  const resetSeconds = Math.ceil((until + WINDOW_MS - now) / 1000);
  return { allowed, remaining: Math.max(0, limit - window.length - 1), resetSeconds };
}

/** A faulty limiter: counts whatever `isCounted` says, otherwise right. */
function planted(isCounted: (at: number, now: number) => boolean) {
  return ({ now }: Clock): Taker => {
    const logs = new Map<string, number[]>();
    return {
      async take({ limit }, subject) {
        const log = logs.get(subject) ?? [];
        const calls = log.filter((at) => isCounted(at, now()));
        const verdict = judge(calls, now(), limit);
        if (verdict.allowed) logs.set(subject, [...log, now()]);
        return verdict;
      },
    };
  };
}

describe('the limiter in memory', () => {
  test('is an exact sliding log under adversarial schedules', async () => {
    await fc.assert(exactSlidingLog(memoryLimiter), { numRuns: 300 });
  });

  test.each([
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

  test('forgets those admitted longest ago under a flood of subjects, and no other quota’s', async () => {
    const limiter = memoryLimiter({ now: () => START }, 100);
    const [quota, other] = [
      { ...MINUTE, limit: 1 },
      { ...MINUTE, name: 'other', limit: 1 },
    ];
    await limiter.take(other, 'a key');
    for (let n = 0; n < 5000; n++)
      expect(await limiter.take(quota, `subject-${n}`)).toMatchObject({ allowed: true });
    expect(await limiter.take(quota, 'subject-4999')).toMatchObject({ allowed: false });
    expect(await limiter.take(quota, 'subject-0')).toMatchObject({ allowed: true });
    expect(await limiter.take(other, 'a key')).toMatchObject({ allowed: false });
  });

  test('keeps its order when the clock steps back, and locks nobody out when it was far ahead', async () => {
    let now = START + 3_600_000;
    const limiter = memoryLimiter({ now: () => now });
    const quota = { ...MINUTE, limit: 2 };
    await limiter.take(quota, 'a');
    now -= 500;
    await limiter.take(quota, 'a');
    expect(await limiter.take(quota, 'a')).toMatchObject({ allowed: false, resetSeconds: 61 });
    now = START;
    expect(await limiter.take(quota, 'a')).toMatchObject({ allowed: true, remaining: 1 });
  });
});
