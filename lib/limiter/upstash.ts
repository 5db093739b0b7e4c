import { Ratelimit } from '@upstash/ratelimit';
import { Redis } from '@upstash/redis';
import { abortAfter } from '../outside/system/within.ts';
import type { Limiter, Quota } from './limits.ts';
import { toSeconds } from './memory.ts';

export interface UpstashConfig {
  /** UPSTASH_REDIS_REST_URL and its token. */
  url: string;
  token: string;
  /** Of every key. */
  prefix: string;
}

type Algorithm = ConstructorParameters<typeof Ratelimit>[0]['limiter'];

/**
 * The fair-use limiter of all instances: an exact sliding log in Redis, by Redis' clock. One round trip (two when Redis
 * does not know the script yet), given up after `answerMs`, never repeated. Throws when Redis gives no verdict.
 */
export function upstashLimiter(
  { url, token, prefix }: UpstashConfig,
  answerMs = 150,
): Omit<Limiter, 'local'> {
  const redis = new Redis({
    url,
    token,
    // `retry: false` would still try twice (1.39: attempts 1, counted from 0).
    retry: { retries: 0 },
    // A function makes an abort throw; a bare signal makes it look like an answer.
    signal: () => abortAfter(answerMs),
    enableTelemetry: false,
    readYourWrites: false,
  });
  const script = redis.createScript<number[]>(SLIDING_LOG);

  function slidingLog({ limit, windowSeconds }: Quota): Algorithm {
    const ask = async (key: string) => {
      const args = [String(limit), String(windowSeconds * 1_000_000)];
      const [admitted, remaining = 0, resetUs = Number.NaN] = await script.exec([key], args);
      const reset = Date.now() + resetUs / 1000;
      return { success: admitted === 1, limit, remaining, reset, pending: Promise.resolve() };
    };
    // `Ratelimit.limit` asks the algorithm for nothing else.
    return () => ({ limit: (_context, key) => ask(key) }) as ReturnType<Algorithm>;
  }

  return {
    async take(quota, subject) {
      const ratelimit = new Ratelimit({
        redis,
        prefix: `${prefix}:fair-use`,
        limiter: slidingLog(quota),
        // Its own timeout would let the call pass.
        timeout: 0,
        ephemeralCache: false,
        enableTelemetry: false,
      });
      // No two quotas or subjects share a log: the encoded name holds no colon, and the subject comes last.
      const log = `${encodeURIComponent(quota.name)}:${quota.windowSeconds}:${subject}`;
      const { success, remaining, reset } = await ratelimit.limit(log);
      if (!Number.isFinite(reset)) throw new Error('not an answer of the script');
      return { allowed: success, remaining, resetSeconds: toSeconds(reset - Date.now()) };
    },
    ping: () => redis.ping(),
  };
}

/**
 * One sorted set per log, its scores and members the microseconds of Redis' clock at which calls were admitted; it
 * expires with its newest entry. KEYS[1]: the log. ARGV: limit, window in microseconds. Returns [admitted 0|1, calls left,
 * microseconds until the log is empty or, of a refusal, until there is room].
 *
 * Stamps only grow, so each is its own member. Numbers are written with `%.0f`: Lua's own conversion keeps 14 digits and a
 * stamp has 16. The first line lets Upstash lock this key alone and not the whole database; it must stay first (Redis
 * itself refuses it).
 */
const SLIDING_LOG = `#!lua flags=allow-key-locking
local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local function digits(n) return string.format('%.0f', n) end
local function stamp(rank) return tonumber(redis.call('ZRANGE', key, rank, rank)[1]) end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local newest = stamp(-1)
if newest and newest >= now + window then -- the clock was set back: nobody is locked out until it has caught up
  redis.call('DEL', key)
  newest = nil
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', digits(now - window))

local count = redis.call('ZCARD', key)
if count >= limit then
  return {0, 0, (stamp(count - limit) or now) + window - now}
end
local taken = math.max(now, (newest or 0) + 1)
redis.call('ZADD', key, digits(taken), digits(taken))
redis.call('PEXPIRE', key, math.ceil((taken + window - now) / 1000))
return {1, limit - count - 1, taken + window - now}
`;
