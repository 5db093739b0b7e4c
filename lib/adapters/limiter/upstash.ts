import type { Limiter } from '../../ports/limits.ts';
import type { UpstashConfig } from './upstash-client.ts';

/**
 * The fair-use limiter of all instances: the exact sliding log in Redis, by Redis' clock, over Upstash REST. One
 * round trip for all calls of a turn of the event loop (two when Redis has forgotten the script), each abandoned after
 * `answerMs` (400), none repeated.
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
    look: async (quota, subject) => (await connected()).look(quota, subject),
    ping: async () => (await connected()).ping(),
  };
}
