import { createServer, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SLIDING_LOG } from '../../../lib/adapters/limiter/sliding-log-lua.ts';
import { upstashLimiter } from '../../../lib/adapters/limiter/upstash.ts';
import { LimiterUnavailable, slidingLog } from '../../../lib/adapters/limiter/upstash-client.ts';
import type { Limiter, Quota } from '../../../lib/ports/limits.ts';
import { redisAvailable, startRedis, type TestRedis } from '../../support/redis/redis.ts';
import { listenHttp } from '../../support/servers/ports.ts';

const withRedis = redisAvailable();
const MINUTE: Quota = { name: 'requests', limit: 5, windowSeconds: 60 };

describe.skipIf(!withRedis)('upstash limiter in Redis', () => {
  let redis: TestRedis;
  let limiter: Limiter;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.flush();
    limiter = upstashLimiter({ url: redis.url, token: redis.token, answerMs: 10_000 });
  });

  it('writes one key per quota, window and subject, prefixed, and nothing else', async () => {
    await limiter.take(MINUTE, 'key_1');
    await limiter.take({ ...MINUTE, name: 'a:b' }, '2001:db8::1');
    expect(await redis.command('KEYS', '*')).toEqual(
      expect.arrayContaining(['ctis:fair-use:requests:60:key_1', 'ctis:fair-use:a%3Ab:60:2001:db8::1']),
    );
    expect(await redis.command('DBSIZE')).toBe(2);
  });

  it('writes the keys of a preview beside those of production', async () => {
    const preview = upstashLimiter({
      url: redis.url,
      token: redis.token,
      prefix: 'ctis:preview',
      answerMs: 10_000,
    });
    await preview.take(MINUTE, 'key_1');
    expect(await redis.command('KEYS', '*')).toEqual(['ctis:preview:fair-use:requests:60:key_1']);
  });

  it('lets every key expire with its window, also after refusals', async () => {
    for (let call = 0; call < 8; call++) await limiter.take(MINUTE, 'key_1');
    const left = Number(await redis.command('PTTL', 'ctis:fair-use:requests:60:key_1'));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_001);
    await limiter.take({ name: 'short', limit: 1, windowSeconds: 1 }, 'key_1');
    await vi.waitFor(async () => expect(await redis.command('DBSIZE')).toBe(1), { timeout: 10_000 });
  });

  it('keeps one entry per admitted call, however many arrive at once', async () => {
    const quota = { ...MINUTE, limit: 150 };
    const calls = await Promise.all(Array.from({ length: 200 }, () => limiter.take(quota, 'key_1')));
    expect(calls.filter(({ allowed }) => allowed)).toHaveLength(150);
    expect(await redis.command('ZCARD', 'ctis:fair-use:requests:60:key_1')).toBe(150);
  });

  it('asks once by the SHA, and sends the script when Redis does not know it', async () => {
    const requests = async () => {
      const before = redis.requests();
      await limiter.take(MINUTE, 'key_1');
      return redis.requests() - before;
    };
    expect(await requests()).toBe(2);
    expect(await requests()).toBe(1);
    await redis.flush();
    expect(await requests()).toBe(2);
    expect(await requests()).toBe(1);
  });

  it('asks once for the calls of one moment, and each gets its own verdict', async () => {
    await limiter.take(MINUTE, 'warm');
    const before = redis.requests();
    const subjects = ['key_1', 'key_1', 'key_2', 'key_1'];
    const verdicts = await Promise.all(
      subjects.map((subject) => limiter.take({ ...MINUTE, limit: 2 }, subject)),
    );
    expect(redis.requests() - before).toBe(1);
    expect(verdicts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 1],
      [true, 0],
      [true, 1],
      [false, 0],
    ]);
  });

  it('names the seconds until the call leaves that stands in the way, also under a lowered limit', async () => {
    const [seconds] = [await redis.command('TIME')].flat();
    for (const age of [50, 40, 30]) {
      const stamp = String((Number(seconds) - age) * 1_000_000);
      await redis.command('ZADD', 'ctis:fair-use:requests:60:key_1', stamp, stamp);
    }
    const { retryAfterSeconds, resetSeconds } = await limiter.take({ ...MINUTE, limit: 2 }, 'key_1');
    expect(retryAfterSeconds).toBeGreaterThan(10);
    expect(retryAfterSeconds).toBeLessThanOrEqual(20);
    expect(resetSeconds).toBeGreaterThan(20);
    expect(resetSeconds).toBeLessThanOrEqual(30);
  });

  it('locks nobody out whose log was written by a clock far ahead', async () => {
    const [seconds] = [await redis.command('TIME')].flat();
    for (let call = 0; call < MINUTE.limit; call++) {
      const stamp = String((Number(seconds) + 7200) * 1_000_000 + call);
      await redis.command('ZADD', 'ctis:fair-use:requests:60:key_1', stamp, stamp);
    }
    expect(await limiter.take(MINUTE, 'key_1')).toMatchObject({ allowed: true, remaining: 4 });
  });

  it('tells a round trip, and refuses to when Redis is gone', async () => {
    expect(await limiter.ping()).toBeGreaterThan(0);
    await redis.kill();
    await expect(limiter.ping()).rejects.toThrow(LimiterUnavailable);
    await redis.restart();
    expect(await limiter.ping()).toBeGreaterThan(0);
  });

  it('is a whole algorithm of @upstash/ratelimit: looking takes nothing, a reset empties', async () => {
    const client = new Redis({ url: redis.url, token: redis.token, enableTelemetry: false });
    const script = client.createScript<number[]>(SLIDING_LOG);
    const ratelimit = new Ratelimit({ redis: client, prefix: 'test', limiter: slidingLog(script, MINUTE) });
    expect(await ratelimit.getRemaining('x')).toMatchObject({ remaining: 5, limit: 5 });
    expect(await ratelimit.limit('x')).toMatchObject({ success: true, remaining: 4 });
    expect(await ratelimit.getRemaining('x')).toMatchObject({ remaining: 4, limit: 5 });
    await ratelimit.resetUsedTokens('x');
    expect(await ratelimit.getRemaining('x')).toMatchObject({ remaining: 5, limit: 5 });
  });
});

describe('upstash limiter against a faulty server', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

  async function serverThat(answer: RequestListener): Promise<string> {
    const { host, close } = await listenHttp(createServer(answer));
    stops.push(close);
    return `http://${host}`;
  }

  it('asks once and no more when the connection breaks', async () => {
    let requests = 0;
    const url = await serverThat((request) => {
      requests += 1;
      request.socket.destroy();
    });
    const limiter = upstashLimiter({ url, token: 'secret-token', answerMs: 10_000 });
    await expect(limiter.take(MINUTE, 'key_1')).rejects.toThrow(LimiterUnavailable);
    expect(requests).toBe(1);
  });

  it('gives up on a server that never answers, whether before the headers or in the body', async () => {
    for (const answer of [
      () => {},
      (_request, response) => void response.write('{'),
    ] satisfies RequestListener[]) {
      const limiter = upstashLimiter({ url: await serverThat(answer), token: 'secret-token', answerMs: 50 });
      await expect(limiter.take(MINUTE, 'key_1')).rejects.toThrow(LimiterUnavailable);
    }
  });

  it.each([
    ['an error', 400, '{"error":"ERR max daily request limit exceeded"}'],
    ['a short error', 400, '{"error":"ERR"}'],
    ['a page', 502, '<html>Bad gateway</html>'],
    ['nothing', 200, ''],
    ['another kind of answer', 200, '{"result":[1,4,60000000,0]}'],
    ['another kind of result', 200, '[{"result":"T0s="}]'],
    ['too little', 200, '[{"result":[]}]'],
    ['null', 200, '[{"result":null}]'],
    ['no result at all', 200, '[]'],
    ['an error of the command', 200, '[{"error":"WRONGTYPE Operation against a key"}]'],
  ])('throws on %s, and names neither subject nor token', async (_name, status, body) => {
    const url = await serverThat((_request, response) => response.writeHead(status).end(body));
    const limiter = upstashLimiter({ url, token: 'secret-token', answerMs: 10_000 });
    const error = await limiter.take(MINUTE, '203.0.113.7').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LimiterUnavailable);
    const message = `${String(error)} ${error instanceof Error ? String(error.cause) : ''}`;
    expect(message).not.toMatch(/203\.0\.113\.7|secret-token/);
  });

  it('gives each call a deadline of its own', async () => {
    const url = await serverThat((_request, response) => response.end('[{"result":[1,4,60000000,0]}]'));
    const limiter = upstashLimiter({ url, token: 'secret-token', answerMs: 1000 });
    await limiter.take(MINUTE, 'key_1');
    await sleep(1050);
    expect(await limiter.take(MINUTE, 'key_1')).toMatchObject({ allowed: true });
  });

  it('sends no telemetry and asks for nothing but the verdict', async () => {
    const seen: string[] = [];
    const url = await serverThat(async (request, response) => {
      seen.push(...Object.keys(request.headers), `${request.method} ${request.url}`);
      response.end('[{"result":[1,4,60000000,0]}]');
    });
    const limiter = upstashLimiter({ url, token: 'secret-token', answerMs: 10_000 });
    expect(await limiter.take(MINUTE, 'key_1')).toMatchObject({ allowed: true, remaining: 4 });
    expect(seen.filter((name) => name.includes('telemetry'))).toEqual([]);
    expect(seen.filter((name) => name.startsWith('POST'))).toEqual(['POST /pipeline']);
  });
});
