import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { upstashFlags } from '../../lib/outside/flags.ts';
import { redisAvailable, startRedis, type TestRedis } from '../support/redis/redis.ts';
import { listen } from '../support/servers/ports.ts';

let redis: TestRedis;
beforeAll(async () => {
  if (redisAvailable()) redis = await startRedis();
});
afterAll(() => redis?.stop());

test.skipIf(!redisAvailable())('a flag is set for its time, for everyone, and no other one', async () => {
  const flags = upstashFlags(redis);
  expect(await flags.isSet('a')).toBe(false);
  await flags.set('a', 60);
  await flags.set('short', 1);
  expect([await flags.isSet('a'), await flags.isSet('b')]).toEqual([true, false]);
  await expect.poll(() => flags.isSet('short'), { timeout: 20_000 }).toBe(false);
  expect(await upstashFlags(redis).isSet('a')).toBe(true);
});

test('a Redis that is away keeps no cron waiting', async () => {
  let connections = 0;
  const broken = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  onTestFinished(() => void broken.close());
  const flags = upstashFlags({
    url: `http://127.0.0.1:${await listen(broken)}`,
    token: 'any',
    prefix: 'ctis',
  });
  await expect(flags.isSet('a')).rejects.toThrow();
  // By default the client would make six tries, over four seconds.
  expect(connections).toBe(3);
});

test.skipIf(!redisAvailable())('environments that share a Redis share no flag', async () => {
  await upstashFlags(redis).set('asleep', 60);
  expect(await upstashFlags({ ...redis, prefix: 'ctis:preview' }).isSet('asleep')).toBe(false);
});
