import { startRedis } from '../../tests/support/redis/redis.ts';

/** A real redis-server behind the Upstash REST bridge of the tests, in a process of its own. */

const redis = await startRedis();
process.stdout.write(`${redis.url} ${redis.token}\n`);
process.once('SIGTERM', async () => {
  await redis.stop();
  process.exit(0);
});
