import { Redis } from '@upstash/redis';
import type { Flags } from '../../ports/system.ts';
import { abortAfter } from '../system/within.ts';

const TIMEOUT_MS = 2_000;
const PREFIX = 'ctis:flag:';

/** Flags of all instances, in Redis. */
export function upstashFlags({ url, token }: { url: string; token: string }): Flags {
  const redis = new Redis({ url, token, signal: () => abortAfter(TIMEOUT_MS), enableTelemetry: false });
  return {
    isSet: async (name) => (await redis.exists(PREFIX + name)) === 1,
    async set(name, seconds) {
      await redis.set(PREFIX + name, 1, { ex: seconds });
    },
  };
}
