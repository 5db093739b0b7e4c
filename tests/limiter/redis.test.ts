import { createServer, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { guardedLimiter } from '../../lib/limiter/guarded.ts';
import type { Quota } from '../../lib/limiter/limits.ts';
import { memoryLimiter } from '../../lib/limiter/memory.ts';
import { upstashLimiter } from '../../lib/limiter/upstash.ts';
import { redisAvailable, startRedis, type TestRedis } from '../support/redis/redis.ts';
import { listenHttp } from '../support/servers/ports.ts';

const MINUTE: Quota = { name: 'requests', limit: 3, windowSeconds: 60 };
const KEY = 'ctis:fair-use:requests:60:key_1';
const CONFIG = { token: 'secret-token', prefix: 'ctis' };

/** The guard before this remote limiter, by a clock that stands still, with what it logs. */
function guard(remote: ReturnType<typeof upstashLimiter>) {
  const clock = { time: 1_700_000_000_000, now: () => clock.time };
  const entries: Record<string, unknown>[] = [];
  const log = { write: (entry: Record<string, unknown>) => void entries.push(entry) };
  const limiter = guardedLimiter(remote, memoryLimiter(clock), { clock, log });
  const take = async (calls: number) => {
    const admitted: boolean[] = [];
    for (let n = 0; n < calls; n++) admitted.push((await limiter.take(MINUTE, 'key_1')).allowed);
    return admitted;
  };
  return { clock, entries, limiter, take };
}

describe.skipIf(!redisAvailable())('before a real Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  beforeEach(() => redis.flush());
  const connect = (prefix = 'ctis') => upstashLimiter({ ...redis, prefix }, 10_000);

  test('each log is one key that expires with its window; a preview’s are beside production’s', async () => {
    for (let call = 0; call < 5; call++) await connect().take(MINUTE, 'key_1');
    await connect('ctis:preview').take({ ...MINUTE, name: 'a:b' }, '2001:db8::1');
    const keys = (await redis.command('KEYS', '*')) as string[];
    expect(keys.sort()).toEqual([KEY, 'ctis:preview:fair-use:a%3Ab:60:2001:db8::1'].sort());
    expect(await redis.command('ZCARD', KEY)).toBe(MINUTE.limit);
    expect(Number(await redis.command('PTTL', KEY))).toBeLessThanOrEqual(60_001);
  });

  test('nobody is locked out whose log was written by a clock far ahead', async () => {
    const [seconds] = [await redis.command('TIME')].flat();
    for (let call = 0; call < MINUTE.limit; call++) {
      const stamp = String((Number(seconds) + 7200) * 1_000_000 + call);
      await redis.command('ZADD', KEY, stamp, stamp);
    }
    expect(await connect().take(MINUTE, 'key_1')).toMatchObject({ allowed: true, remaining: 2 });
  });

  test.each([
    ['hangs', 'pause', 'resume'],
    ['refuses', 'kill', 'restart'],
  ] as const)(
    'when Redis %s, calls go on under the local limiter, and later return',
    async (_name, fail, recover) => {
      const remote = upstashLimiter(redis);
      const requests = vi.spyOn(remote, 'take');
      const { clock, entries, limiter, take } = guard(remote);
      await vi.waitFor(async () => {
        clock.time += 1_000;
        await limiter.take({ ...MINUTE, name: 'warm' }, 'key_1');
        expect(limiter.local).toBe(false);
      }, 10_000);
      entries.length = 0;
      await take(1);
      await redis[fail]();
      requests.mockClear();
      const calls = Promise.race([take(20), sleep(2_000, 'late')]);
      expect(await calls, 'what Redis admitted counts').toEqual([true, true, ...Array(18).fill(false)]);
      expect(requests.mock.calls.length, 'one call waited for Redis').toBeLessThanOrEqual(1);
      expect(entries).toMatchObject([{ event: 'limiter_breaker', open: true }]);
      await expect(limiter.ping()).rejects.toThrow();
      await redis[recover]();
      await vi.waitFor(async () => {
        clock.time += 1_000;
        await limiter.take({ ...MINUTE, name: 'after' }, 'key_1');
        expect(await redis.command('EXISTS', 'ctis:fair-use:after:60:key_1')).toBe(1);
      }, 10_000);
      expect(limiter.local).toBe(false);
    },
  );
});

describe('before a faulty server', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

  async function connectTo(answer: RequestListener, answerMs = 10_000) {
    const { host, close } = await listenHttp(createServer(answer));
    stops.push(close);
    return upstashLimiter({ ...CONFIG, url: `http://${host}` }, answerMs);
  }

  test('one that breaks the connection is asked once, and again by one call after a second', async () => {
    let requests = 0;
    const { clock, take } = guard(
      await connectTo((request) => {
        requests += 1;
        request.socket.destroy();
      }),
    );
    expect(await take(20)).toEqual([true, true, true, ...Array(17).fill(false)]);
    expect(requests).toBe(1);
    clock.time += 1_000;
    await take(20);
    expect(requests).toBe(2);
    clock.time -= 3_600_000;
    await take(20);
    expect(requests, 'after the clock was set back').toBe(3);
  });

  test('one that never answers is given up, whether before the headers or in the body', async () => {
    const silent: RequestListener[] = [() => {}, (_request, response) => void response.write('{')];
    for (const answer of silent)
      await expect((await connectTo(answer, 50)).take(MINUTE, 'key_1')).rejects.toThrow();
  });

  test.each([
    ['an error', 400, '{"error":"ERR max daily request limit exceeded"}'],
    ['a page', 502, '<html>Bad gateway</html>'],
    ['nothing', 200, ''],
    ['another kind of result', 200, '[{"result":"T0s="}]'],
    ['too little', 200, '[{"result":[]}]'],
    ['null', 200, '[{"result":null}]'],
    ['no result at all', 200, '[]'],
    ['an error of the command', 200, '[{"error":"WRONGTYPE Operation against a key"}]'],
  ])(
    'one that answers %s is no verdict, and the log names neither subject nor token',
    async (_, status, body) => {
      const { entries, take } = guard(
        await connectTo((_request, response) => response.writeHead(status).end(body)),
      );
      expect(await take(4)).toEqual([true, true, true, false]);
      expect(entries).toMatchObject([{ open: true, reason: expect.any(String) }]);
      expect(JSON.stringify(entries)).not.toMatch(/key_1|secret-token/);
    },
  );

  test('it is sent no telemetry', async () => {
    const headers: string[] = [];
    const limiter = await connectTo((request, response) => {
      headers.push(...Object.keys(request.headers));
      response.end('[{"result":[1,4,60000000]}]');
    });
    expect(await limiter.take(MINUTE, 'key_1')).toEqual({ allowed: true, remaining: 4, resetSeconds: 60 });
    expect(headers.filter((name) => name.includes('telemetry'))).toEqual([]);
  });
});
