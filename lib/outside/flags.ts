import { Redis } from '@upstash/redis';
import type { UpstashConfig } from '../limiter/upstash.ts';
import { abortAfter } from './system/within.ts';
import type { Flags } from './system.ts';

const TIMEOUT_MS = 2_000;

/** Flags of all instances, in Redis. */
export function upstashFlags({ url, token, prefix }: UpstashConfig): Flags {
  const redis = new Redis({
    url,
    token,
    // By default it tries for over four seconds, of which every cron would wait for two tries.
    retry: { retries: 2, backoff: () => 100 },
    signal: () => abortAfter(TIMEOUT_MS),
    enableTelemetry: false,
  });
  const toKey = (name: string) => `${prefix}:flag:${name}`;
  return {
    isSet: async (name) => (await redis.exists(toKey(name))) === 1,
    async set(name, seconds) {
      await redis.set(toKey(name), 1, { ex: seconds });
    },
  };
}
