import { setTimeout as sleep } from 'node:timers/promises';
import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { guardedLimiter } from '../../../lib/adapters/limiter/guarded.ts';
import { memoryLimiter } from '../../../lib/adapters/limiter/memory.ts';
import { upstashLimiter } from '../../../lib/adapters/limiter/upstash.ts';
import type { Limiter, Quota, Verdict } from '../../../lib/ports/limits.ts';
import { redisAvailable, startRedis, type TestRedis } from '../../support/redis/redis.ts';
import { type Admission, admission, overQuota } from './windows.ts';

// These tests mostly wait; let them wait together.
vi.setConfig({ maxConcurrency: 50 });

const withRedis = redisAvailable();
const system = { now: Date.now };
/** Generous, so that a busy machine is no failure of the limiter. */
const PATIENT_MS = 10_000;
let redis: TestRedis;
let subjects = 0;

interface Setting {
  name: string;
  redis: boolean;
  fake?: true;
  /** A limiter, and how its time passes. */
  start(): { limiter: Limiter; wait(seconds: number): Promise<void> };
}

/** Timers may fire a fraction of a millisecond early. */
const wait = (seconds: number) => sleep(seconds * 1000 + 5);
const upstash = () => upstashLimiter({ url: redis.url, token: redis.token, answerMs: PATIENT_MS });

const settings: Setting[] = [
  {
    name: 'memory by a fake clock',
    redis: false,
    fake: true,
    start: () => {
      let now = 1_700_000_000_000;
      const advance = async (seconds: number) => {
        now += seconds * 1000;
      };
      return { limiter: memoryLimiter({ now: () => now }), wait: advance };
    },
  },
  { name: 'memory', redis: false, start: () => ({ limiter: memoryLimiter(system), wait }) },
  { name: 'upstash', redis: true, start: () => ({ limiter: upstash(), wait }) },
  {
    name: 'guarded, Redis answers',
    redis: true,
    start: () => ({
      limiter: guardedLimiter(upstash(), memoryLimiter(system), {
        clock: system,
        timeoutMs: PATIENT_MS,
        firstTimeoutMs: PATIENT_MS,
      }),
      wait,
    }),
  },
  {
    name: 'guarded, Redis refuses',
    redis: false,
    start: () => {
      const nobody = upstashLimiter({ url: 'http://127.0.0.1:1', token: 'x' });
      return { limiter: guardedLimiter(nobody, memoryLimiter(system), { clock: system }), wait };
    },
  },
];

const somebody = () => `subject-${++subjects}`;
const MINUTE: Quota = { name: 'requests', limit: 7, windowSeconds: 60 };

beforeAll(async () => {
  if (withRedis) redis = await startRedis();
});
afterAll(async () => {
  vi.resetConfig();
  if (withRedis) await redis.stop();
});

async function untilRefused(limiter: Limiter, quota: Quota, subject: string): Promise<Verdict> {
  for (let call = 0; call < 500; call++) {
    const verdict = await limiter.take(quota, subject);
    if (!verdict.allowed) return verdict;
  }
  throw new Error('never refused');
}

for (const setting of settings) {
  describe.skipIf(setting.redis && !withRedis).concurrent(`limiter: ${setting.name}`, () => {
    it('admits exactly the limit from a burst of parallel callers', async () => {
      const { limiter } = setting.start();
      const subject = somebody();
      const verdicts = await Promise.all(Array.from({ length: 40 }, () => limiter.take(MINUTE, subject)));
      const left = verdicts.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
      expect(left.sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    });

    it('counts down what remains, then refuses with whole seconds to wait within the window', async () => {
      const { limiter } = setting.start();
      const subject = somebody();
      for (let left = MINUTE.limit - 1; left >= 0; left--) {
        const verdict = await limiter.take(MINUTE, subject);
        expect(verdict).toEqual({ allowed: true, remaining: left, resetSeconds: 60, retryAfterSeconds: 0 });
      }
      const refused = await limiter.take(MINUTE, subject);
      expect(refused).toMatchObject({ allowed: false, remaining: 0 });
      expect(Number.isInteger(refused.retryAfterSeconds)).toBe(true);
      expect(refused.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60);
      expect(refused.resetSeconds).toBeGreaterThanOrEqual(refused.retryAfterSeconds);
    });

    it('says whether there is room, and counts nothing by saying it', async () => {
      const { limiter } = setting.start();
      const subject = somebody();
      for (let call = 0; call < 3 * MINUTE.limit; call++)
        expect(await limiter.look(MINUTE, subject)).toMatchObject({ allowed: true });
      for (let call = 0; call < MINUTE.limit; call++) {
        expect(await limiter.look(MINUTE, subject)).toMatchObject({ allowed: true });
        await limiter.take(MINUTE, subject);
      }
      const refused = await limiter.look(MINUTE, subject);
      expect(refused).toMatchObject({ allowed: false, remaining: 0 });
      expect(refused).toEqual(await limiter.take(MINUTE, subject));
    });

    it('keeps subjects, quotas and windows apart, however their names are put together', async () => {
      const { limiter } = setting.start();
      const subject = somebody();
      const once = { limit: 1, windowSeconds: 60 };
      const calls: [string, number, string][] = [
        ['a', 60, subject],
        ['a', 61, subject],
        ['b', 60, subject],
        ['a', 60, `60:${subject}`],
        ['a:60', 60, subject],
        ['a%3A60', 60, subject],
        ['a', 60, `${subject} `],
        ['a', 60, `2001:db8::1 ${subject}`],
        ['', 60, `a:60:${subject}`],
        ['__proto__', 60, '__proto__'.concat(subject)],
      ];
      for (const [name, windowSeconds, who] of calls) {
        const quota = { ...once, name, windowSeconds };
        expect(await limiter.take(quota, who), `${name} ${who}`).toMatchObject({ allowed: true });
      }
      for (const [name, windowSeconds, who] of calls) {
        const quota = { ...once, name, windowSeconds };
        expect(await limiter.take(quota, who), `${name} ${who}`).toMatchObject({ allowed: false });
      }
    });

    it('admits the lone caller that waits Retry-After, however often it was refused before', async () => {
      const { limiter, wait } = setting.start();
      const quota = { name: 'short', limit: 3, windowSeconds: 1 };
      const subject = somebody();
      await untilRefused(limiter, quota, subject);
      await wait(0.3);
      let refused = await untilRefused(limiter, quota, subject);
      for (let call = 0; call < 20; call++) refused = await untilRefused(limiter, quota, subject);
      await wait(refused.retryAfterSeconds);
      expect(await limiter.take(quota, subject)).toMatchObject({ allowed: true });
    });

    it('does not count refused calls: asking on does not push the time to wait out', async () => {
      const { limiter, wait } = setting.start();
      const subject = somebody();
      await untilRefused(limiter, MINUTE, subject);
      await wait(1);
      for (let call = 0; call < 3 * MINUTE.limit; call++) {
        const refused = await limiter.take(MINUTE, subject);
        expect(refused.allowed).toBe(false);
        expect(refused.resetSeconds).toBeLessThanOrEqual(59);
      }
    });

    it('holds a caller to a limit that was lowered, and admits it when it waited Retry-After', async () => {
      const { limiter, wait } = setting.start();
      const quota = { name: 'lowered', limit: 6, windowSeconds: 1 };
      const subject = somebody();
      await untilRefused(limiter, quota, subject);
      const lowered = { ...quota, limit: 2 };
      const refused = await untilRefused(limiter, lowered, subject);
      await wait(refused.retryAfterSeconds);
      expect(await limiter.take(lowered, subject)).toMatchObject({ allowed: true });
    });

    it('says how many more a larger limit of the same log admitted', async () => {
      const { limiter } = setting.start();
      const quota = { name: 'raised', limit: 6, windowSeconds: 60 };
      const subject = somebody();
      await untilRefused(limiter, quota, subject);
      const verdict = await limiter.take({ ...quota, limit: 2 }, subject);
      expect(verdict).toMatchObject({ allowed: false, remaining: -4 });
    });

    it('never admits anyone under a limit of none', async () => {
      const { limiter } = setting.start();
      const verdict = await limiter.take({ name: 'none', limit: 0, windowSeconds: 60 }, somebody());
      expect(verdict).toEqual({ allowed: false, remaining: 0, resetSeconds: 60, retryAfterSeconds: 60 });
    });

    // By a fake clock memory.test.ts proves the same over many more schedules.
    if (setting.fake) return;
    it('never admits more than the limit in any rolling window of real time, by parallel callers', async () => {
      const { admitted, worst } = await attack(setting.start().limiter);
      expect(worst).toEqual([]);
      expect(admitted).toBeGreaterThan(4 * SECOND.limit);
    });
  });
}

const SECOND: Quota = { name: 'attacked', limit: 5, windowSeconds: 1 };

/** Bursts around the turn of the second, where fixed windows are weak, and beside them bursts at random. */
async function attack(limiter: Limiter): Promise<{ admitted: number; worst: Admission[] }> {
  const burst = async (subject: string, size: number): Promise<Admission[]> => {
    const calls = await Promise.all(Array.from({ length: size }, () => admission(limiter, SECOND, subject)));
    return calls.filter((call) => call !== null);
  };
  const aroundTheSecond = async (): Promise<Admission[]> => {
    const subject = somebody();
    const found: Admission[] = [];
    for (const phase of [900, 1020, 1900, 2020, 2900, 3020]) {
      await sleep(Math.max(0, begun + phase - Date.now()));
      found.push(...(await burst(subject, 8)));
    }
    return found;
  };
  const atRandom = async (): Promise<Admission[]> => {
    const subject = somebody();
    const found: Admission[] = [];
    while (Date.now() < begun + 3000) {
      found.push(...(await burst(subject, 1 + Math.floor(Math.random() * 4))));
      await sleep(Math.random() * 300);
    }
    return found;
  };
  const begun = Math.ceil(Date.now() / 1000) * 1000;
  const logs = await Promise.all([aroundTheSecond(), atRandom(), atRandom(), atRandom()]);
  const worst = logs.flatMap((log) => overQuota(log, SECOND.limit, SECOND.windowSeconds * 1000));
  return { admitted: logs.flat().length, worst };
}

describe.skipIf(!withRedis).concurrent('limiter: the attack itself', () => {
  it('finds a fixed window out (planted fault: the one @upstash/ratelimit brings along)', async () => {
    const fixed = new Ratelimit({
      redis: new Redis({ url: redis.url, token: redis.token, enableTelemetry: false }),
      limiter: Ratelimit.fixedWindow(SECOND.limit, '1 s'),
      ephemeralCache: false,
    });
    const planted: Limiter = {
      local: false,
      ping: async () => 0,
      look: () => Promise.reject(new Error('not asked')),
      take: async (_quota, subject) => {
        const { success, remaining } = await fixed.limit(subject);
        return { allowed: success, remaining, resetSeconds: 1, retryAfterSeconds: success ? 0 : 1 };
      },
    };
    expect((await attack(planted)).worst).not.toEqual([]);
  });
});
