import { ApiError } from '../errors.ts';
import { type Context, requireAccount } from '../http/context.ts';

/** VINs by which a test account provokes what else only a fault of the service brings. */
export const TEST_VINS = {
  TEST0000000000001: 'ENRICH_FAILED',
  TEST0000000000002: 'INDEX_FAILED',
  TEST0000000000003: 'DUPLICATE_DEDUP_HASH',
  TEST0000000000004: 'INTERNAL_ERROR',
  TEST0000000000005: 'RATE_LIMITED',
} as const;

/** The code by which a stage would reject the VIN; throws what ends the whole request. */
export function provokeFault(ctx: Context, vin: string) {
  if (!requireAccount(ctx).test || !Object.hasOwn(TEST_VINS, vin)) return null;
  const code = TEST_VINS[vin as keyof typeof TEST_VINS];
  if (code === 'INTERNAL_ERROR') throw new Error('provoked by the VIN of a test account');
  if (code !== 'RATE_LIMITED') return code;
  throw new ApiError(code, 'Provoked by the VIN of a test account.', {
    details: { reason: 'over_limit' },
    headers: { 'Retry-After': '1' },
  });
}
