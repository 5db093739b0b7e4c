import { ApiError, type ErrorCode } from '../errors.ts';
import { collectRecord, hasMember } from '../truck/listing/record-names.ts';
import type { Warning } from '../truck/listing/warn.ts';
import { warnOfUnknown } from '../truck/listing/warn.ts';

/** A body of several records. */
export interface Batch {
  records: readonly unknown[];
  source_provider_id?: unknown;
}

/**
 * What stands beside `records`: throws for a field of a truck, such as a status that is meant for all of them, and warns
 * of what is none.
 */
export function checkBatchMembers(
  { records, source_provider_id, ...others }: Batch,
  code: ErrorCode,
): readonly Warning[] {
  const [slot] = [...collectRecord(others).values.keys()].filter((name) => name !== 'read_only');
  if (slot === undefined) return warnOfUnknown(others, new Set());
  const field = Object.keys(others).find((name) => hasMember({ [name]: null }, slot)) ?? slot;
  const fix = `Send ${field} in each record; only source_provider_id beside records holds for all.`;
  throw new ApiError(code, `${field} is a field of a record and stands beside \`records\`.`, {
    details: { field, reason: 'unknown_field', fix },
  });
}
