import { ApiError } from '../errors.ts';
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

/** Throws RATE_LIMITED for a refusal, where limits are enforced; elsewhere it is only logged. */
export function refuseOver(
  { ports, note }: Noting,
  quota: Quota,
  verdict: Verdict,
  message: string,
  headers: Record<string, string> = {},
): void {
  if (verdict.allowed) return;
  note({ over_limit: quota.name });
  if (ports.settings.fairUse === 'observe') return;
  const { name: bucket, limit, windowSeconds } = quota;
  throw new ApiError('RATE_LIMITED', message, {
    details: { reason: 'over_limit', bucket, limit, window_seconds: windowSeconds },
    headers: { 'Retry-After': String(verdict.retryAfterSeconds), ...headers },
  });
}
