import { ApiError } from '../errors.ts';
import type { Quota } from '../ports/limits.ts';
import type { Context } from './context.ts';

/** Buckets of the fair-use limiter (contract section 8). */
export const BUCKETS = {
  requests: { name: 'requests', limit: 60, windowSeconds: 60 },
  batches: { name: 'batches', limit: 10, windowSeconds: 60 },
} as const;
export type BucketName = keyof typeof BUCKETS;

/** Counts a use. Throws RATE_LIMITED when there are too many, where limits are enforced; elsewhere it is only logged. */
export async function countUse(
  { ports, note }: Pick<Context, 'ports' | 'note'>,
  quota: Quota,
  subject: string,
  message: string,
): Promise<void> {
  const verdict = await ports.limiter.take(quota, subject);
  if (verdict.allowed) return;
  note({ over_limit: quota.name });
  if (ports.settings.fairUse === 'observe') return;
  throw new ApiError('RATE_LIMITED', message, {
    details: { bucket: quota.name, limit: quota.limit, window_seconds: quota.windowSeconds },
    headers: { 'Retry-After': String(verdict.retryAfterSeconds) },
  });
}
