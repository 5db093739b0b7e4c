import type { Limiter } from '../../ports/limits.ts';

export interface UpstashConfig {
  /** UPSTASH_REDIS_REST_URL and its token. */
  url: string;
  token: string;
  /** Milliseconds a round trip may take. */
  answerMs?: number;
}

/**
 * The fair-use limiter of all instances: the exact sliding log in Redis, by Redis' clock, over Upstash REST. One
 * round trip (two when Redis has forgotten the script), each abandoned after `answerMs` (150), none repeated.
 * Throws when Redis gives no verdict; `guardedLimiter` decides what happens then.
 *
 * The Upstash packages are loaded with the first call: 8 ms bundled, which a start without Redis need not pay.
 */
export function upstashLimiter(config: UpstashConfig): Limiter {
  let connecting: Promise<Limiter> | undefined;
  const connected = () => {
    connecting ??= import('./upstash-client.ts').then(({ connectUpstash }) => connectUpstash(config));
    return connecting;
  };
  return {
    local: false,
    take: async (quota, subject) => (await connected()).take(quota, subject),
    ping: async () => (await connected()).ping(),
  };
}
