import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryFlags } from '../../lib/outside/flags/memory.ts';
import { upstashFlags } from '../../lib/outside/flags/upstash.ts';
import type { Flags } from '../../lib/outside/system.ts';
import { redisAvailable, startRedis, type TestRedis } from '../support/redis/redis.ts';
import { freePort } from '../support/servers/ports.ts';

let redis: TestRedis;
beforeAll(async () => {
  if (redisAvailable()) redis = await startRedis();
});
afterAll(() => redis?.stop());

const memory = (): Flags => memoryFlags({ now: Date.now });
const upstash = (): Flags => upstashFlags(redis);
describe.each(redisAvailable() ? [memory, upstash] : [memory])('%o', (open) => {
  test('a flag is set for its time, for everyone, and no other one', async () => {
    const flags = open();
    expect(await flags.isSet('a')).toBe(false);
    await flags.set('a', 60);
    await flags.set('short', 1);
    expect([await flags.isSet('a'), await flags.isSet('b')]).toEqual([true, false]);
    await expect.poll(() => flags.isSet('short'), { timeout: 20_000 }).toBe(false);
    expect(await flags.isSet('a')).toBe(true);
  });
});

test('a Redis that is away keeps no cron waiting', async () => {
  const flags = upstashFlags({ url: `http://127.0.0.1:${await freePort()}`, token: 'any', prefix: 'ctis' });
  const askedAt = performance.now();
  await expect(flags.isSet('a')).rejects.toThrow();
  expect(performance.now() - askedAt).toBeLessThan(3_000);
});

test.skipIf(!redisAvailable())('environments that share a Redis share no flag', async () => {
  await upstashFlags(redis).set('asleep', 60);
  expect(await upstashFlags({ ...redis, prefix: 'ctis:preview' }).isSet('asleep')).toBe(false);
});
