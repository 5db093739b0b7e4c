import type { Quota, Verdict } from '../../ports/limits.ts';
import { BUCKETS, refuseOver } from '../../services/fair-use.ts';
import type { Endpoint } from '../endpoint.ts';
import type { RequestState } from '../request-state.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

/** Large bodies that a key may send for each that its bucket of batches admits. */
const LARGE_TRIES = 2;

/** Throws RATE_LIMITED when the key is over the quota of this call; `body` chooses the bucket where it matters. */
export async function takeFromBucket(state: RequestState, endpoint: Endpoint, body?: unknown): Promise<void> {
  const { ports, principal } = state;
  const quota = quotaFor(state, endpoint, body);
  if (quota === null || principal === null) return;
  const verdict = await ports.limiter.take(quota, principal.keyId);
  const { 'Retry-After': _, ...headers } = rateLimitHeaders(quota, verdict);
  Object.assign(state.headers, headers);
  const { limit, windowSeconds, name } = quota;
  checkVerdict(state, quota, verdict, `More than ${limit} per ${windowSeconds} s (${name}).`);
}

/**
 * Throws RATE_LIMITED when a key sends more large bodies than its bucket could ever admit, before this one is read: what
 * is in it chooses the bucket, so that refusing it costs what reading it does.
 */
export async function countLargeBody(state: RequestState): Promise<void> {
  const { ports, principal } = state;
  if (principal === null) return;
  const quota = { ...BUCKETS.batches, limit: BUCKETS.batches.limit * principal.account.limit_multiplier };
  const tries = { ...quota, name: 'large-bodies', limit: quota.limit * LARGE_TRIES };
  const verdict = await ports.localLimiter.take(tries, principal.keyId);
  checkVerdict(state, quota, verdict, `More than ${tries.limit} large bodies per ${quota.windowSeconds} s.`);
}

/** Widget routes have no bucket for the public's keys; a secret key counts there as everywhere. */
function quotaFor({ principal }: RequestState, endpoint: Endpoint, body: unknown): Quota | null {
  if (principal === null) return null;
  const isServer = endpoint.widget !== undefined && principal.kind === 'secret';
  const bucket = endpoint.bucketFor(body) ?? (isServer ? 'requests' : null);
  if (bucket === null) return null;
  const base = BUCKETS[bucket];
  return { ...base, limit: base.limit * principal.account.limit_multiplier };
}

/** Throws RATE_LIMITED for a refusal, where limits are enforced; elsewhere it is only logged. */
export function checkVerdict(
  { ports, addLogFields: note }: Pick<RequestState, 'ports' | 'addLogFields'>,
  quota: Quota,
  verdict: Verdict,
  message: string,
): void {
  refuseOver({ ports, note }, quota, verdict, message, rateLimitHeaders(quota, verdict));
}
