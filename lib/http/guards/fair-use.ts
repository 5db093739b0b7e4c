import { ApiError, type Details } from '../../errors.ts';
import type { Quota, Verdict } from '../../limiter/limits.ts';
import type { Context } from '../context.ts';

/** Buckets of the fair-use limiter (contract section 8). */
export const BUCKETS = {
  requests: { name: 'requests', limit: 60, windowSeconds: 60 },
  batches: { name: 'batches', limit: 10, windowSeconds: 60 },
} as const;
export type BucketName = keyof typeof BUCKETS;

/** What a bucket admits of an account. */
export function toQuota(bucket: BucketName, account: { limit_multiplier: number }): Quota {
  return { ...BUCKETS[bucket], limit: BUCKETS[bucket].limit * account.limit_multiplier };
}

type Noting = Pick<Context, 'ports' | 'note'>;

/** Counts a use. Throws RATE_LIMITED when there are too many, where limits are enforced; elsewhere it is only logged. */
export async function countUse(
  ctx: Noting,
  quota: Quota,
  subject: string,
  message: string,
  limiter = ctx.ports.limiter,
): Promise<Verdict> {
  const verdict = await limiter.take(quota, subject);
  const refusal = verdict.allowed ? null : overLimit(ctx, quota, verdict, message);
  if (refusal && ctx.ports.settings.fairUse === 'enforce') throw refusal;
  return verdict;
}

/** Counts what costs money or may be a guess at a secret: RATE_LIMITED also where other limits only count. */
export async function spend(ctx: Noting, quota: Quota, subject: string, message: string): Promise<void> {
  const verdict = await ctx.ports.limiter.take(quota, subject);
  if (!verdict.allowed) throw overLimit(ctx, quota, verdict, message);
}

/** The refusal of a verdict, noted in the log. */
export function overLimit(
  { note }: Pick<Noting, 'note'>,
  quota: Quota,
  verdict: Verdict,
  message: string,
  details: Partial<Details> = {},
): ApiError {
  const { name: bucket, limit, windowSeconds: window_seconds } = quota;
  note({ over_limit: bucket });
  return new ApiError('RATE_LIMITED', message, {
    details: { reason: 'over_limit', bucket, limit, window_seconds, ...details },
    headers: { ...rateLimitHeaders(quota, verdict), 'Retry-After': String(verdict.resetSeconds) },
  });
}

/** The newest form of draft-ietf-httpapi-ratelimit-headers. */
export function rateLimitHeaders(
  { name, limit, windowSeconds }: Quota,
  { remaining, resetSeconds }: Verdict,
): Record<string, string> {
  return {
    'RateLimit-Policy': `"${name}";q=${limit};w=${windowSeconds}`,
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  };
}
