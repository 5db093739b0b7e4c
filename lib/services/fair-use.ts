import { ApiError, type Reason } from '../errors.ts';
import type { Quota, Verdict } from '../ports/limits.ts';
import type { Context } from './context.ts';

/** Buckets of the fair-use limiter (contract section 8). */
export const BUCKETS = {
  requests: { name: 'requests', limit: 60, windowSeconds: 60 },
  batches: { name: 'batches', limit: 10, windowSeconds: 60 },
} as const;
export type BucketName = keyof typeof BUCKETS;

type Noting = Pick<Context, 'ports' | 'note'>;

/** Counts a use. Throws RATE_LIMITED when there are too many, where limits are enforced; elsewhere it is only logged. */
export async function countUse(ctx: Noting, quota: Quota, subject: string, message: string): Promise<void> {
  refuseOver(ctx, quota, await ctx.ports.limiter.take(quota, subject), message);
}

/** Counts a use that costs money: RATE_LIMITED when there are too many, also where other limits only count. */
export async function spend(ctx: Noting, quota: Quota, subject: string, message: string): Promise<void> {
  const verdict = await ctx.ports.limiter.take(quota, subject);
  if (!verdict.allowed) throw overLimit(ctx, quota, verdict, message);
}

/** Throws RATE_LIMITED for a refusal, where limits are enforced; elsewhere it is only logged. */
export function refuseOver(
  { ports, note }: Noting,
  quota: Quota,
  verdict: Verdict,
  message: string,
  headers: Record<string, string> = {},
): void {
  if (verdict.allowed) return;
  const refusal = overLimit({ note }, quota, verdict, message, 'over_limit', headers);
  if (ports.settings.fairUse === 'enforce') throw refusal;
}

/** The refusal of a verdict, noted in the log. */
export function overLimit(
  { note }: Pick<Noting, 'note'>,
  { name: bucket, limit, windowSeconds }: Quota,
  { retryAfterSeconds }: Verdict,
  message: string,
  reason: Reason = 'over_limit',
  headers: Record<string, string> = {},
): ApiError {
  note({ over_limit: bucket });
  return new ApiError('RATE_LIMITED', message, {
    details: { reason, bucket, limit, window_seconds: windowSeconds },
    headers: { 'Retry-After': String(retryAfterSeconds), ...headers },
  });
}
