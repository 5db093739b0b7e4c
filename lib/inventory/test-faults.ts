import { ApiError } from '../errors.ts';
import { type Context, requireAccount } from '../http/context.ts';
import { type RecordResult, rejected } from '../pipeline/results.ts';
import { failed } from '../pipeline/stage.ts';
import { vinAsSent } from '../pipeline/vin-as-sent.ts';
import { normaliseVin } from '../truck/vin/vin.ts';

/** VINs by which a test account provokes what else only a fault of the service brings. */
export const TEST_VINS = {
  TEST0000000000001: 'ENRICH_FAILED',
  TEST0000000000002: 'INDEX_FAILED',
  TEST0000000000003: 'DUPLICATE_DEDUP_HASH',
  TEST0000000000004: 'INTERNAL_ERROR',
  TEST0000000000005: 'RATE_LIMITED',
} as const;

const findTestFault = (vin: string) =>
  Object.hasOwn(TEST_VINS, vin) ? TEST_VINS[vin as keyof typeof TEST_VINS] : null;

/** Of a test account: throws what its documented VINs stand for, where that ends the whole request. */
export function provokeRequestFault(ctx: Context, vins: readonly string[]): void {
  if (!requireAccount(ctx).test) return;
  for (const vin of vins) {
    const fault = findTestFault(vin);
    if (fault === 'INTERNAL_ERROR') throw new Error('provoked by the VIN of a test account');
    if (fault === 'RATE_LIMITED')
      throw new ApiError('RATE_LIMITED', 'Provoked by the VIN of a test account.', {
        details: { reason: 'over_limit' },
        headers: { 'Retry-After': '1' },
      });
  }
}

/** The same of records: those that a stage would reject, by their place. */
export function provokeRejects(ctx: Context, records: readonly unknown[]): Map<number, RecordResult> {
  if (!requireAccount(ctx).test) return new Map();
  const vins = records.map((record) => normaliseVin(vinAsSent(record) ?? ''));
  provokeRequestFault(ctx, vins);
  return new Map(vins.flatMap((vin, index) => toReject(vin).map((result) => [index, result])));
}

function toReject(vin: string): RecordResult[] {
  const code = findTestFault(vin);
  if (code === null || code === 'INTERNAL_ERROR' || code === 'RATE_LIMITED') return [];
  return [rejected(vin, failed(code, 'vin', vin))];
}
