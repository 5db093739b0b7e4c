import { ApiError } from '../errors.ts';
import { collectRecord, hasMember } from '../truck/listing/record-names.ts';
import type { Warning } from '../truck/listing/warn.ts';
import { warnOfUnknown } from '../truck/names/unknown-members.ts';

const BATCH_MEMBERS: ReadonlySet<string> = new Set(['records', 'source_provider_id']);

/**
 * What stands beside `records`: throws VALIDATION_ERROR for a field of a truck, such as a dealer that is meant for all
 * of them, and warns of what is none.
 */
export function checkBatchMembers(body: object): readonly Warning[] {
  const others = Object.fromEntries(Object.entries(body).filter(([name]) => !BATCH_MEMBERS.has(name)));
  const { values } = collectRecord(others);
  values.delete('read_only');
  const [slot] = values.keys();
  const field = slot && Object.keys(others).find((name) => hasMember({ [name]: null }, slot));
  if (field === undefined) return warnOfUnknown(body, BATCH_MEMBERS);
  throw new ApiError('VALIDATION_ERROR', `${field} is a field of a record and stands beside \`records\`.`, {
    details: {
      field,
      reason: 'unknown_field',
      fix: `Send ${field} in each record; only source_provider_id beside records holds for all.`,
    },
  });
}
