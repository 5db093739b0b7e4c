/**
 * The sliding log in Redis: one sorted set per key, scores and members the microseconds of Redis' own clock at which
 * calls were admitted. One atomic call; the set expires with its newest entry.
 *
 * - KEYS[1]: the log. ARGV: limit, window in microseconds, 1 to take or 0 only to look.
 * - Answers [admitted 0|1, calls left, microseconds until empty, microseconds to wait].
 *
 * Stamps only grow within a log, so each is its own unique member, whatever the clock does. Numbers are written out
 * with `%.0f`, because Lua's own conversion keeps 14 digits and a stamp has 16. The first line lets Upstash lock this
 * key alone and not the whole database; it must stay first (Redis itself refuses it).
 */
export const SLIDING_LOG = `#!lua flags=allow-key-locking
local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local function digits(n) return string.format('%.0f', n) end
local function stamp(rank) return tonumber(redis.call('ZRANGE', key, rank, rank)[1]) end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local newest = stamp(-1)
if newest and (newest <= now - window or newest >= now + window) then
  redis.call('DEL', key)
  newest = nil
elseif newest then
  redis.call('ZREMRANGEBYSCORE', key, '-inf', digits(now - window))
end

local count = newest and redis.call('ZCARD', key) or 0
local free = limit - count
if free <= 0 then
  local blocking = stamp(count - limit) or now
  return {0, free, (newest or now) + window - now, blocking + window - now}
end
if ARGV[3] == '0' then
  return {1, free, newest and newest + window - now or 0, 0}
end
local taken = math.max(now, (newest or 0) + 1)
redis.call('ZADD', key, digits(taken), digits(taken))
redis.call('PEXPIRE', key, math.ceil((taken + window - now) / 1000))
return {1, free - 1, taken + window - now, 0}
`;
