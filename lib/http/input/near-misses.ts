import type * as z from 'zod/mini';
import { ApiError, type ErrorCode, unknownField } from '../../errors.ts';
import { isObject } from '../../truck/is-object.ts';
import { shownSchema } from '../../truck/json.ts';
import { findNearMiss } from '../../truck/names/near-miss.ts';
import { readShape } from './query.ts';

/**
 * Throws `unknown_field` for a member that is all but a known one: `{"sourceProviderId": "a"}` would else narrow
 * nothing, without a word. Members that resemble none pass.
 */
export function refuseNearMiss(schema: z.ZodMiniType, body: unknown, code: ErrorCode): void {
  if (!isObject(body)) return;
  refuseSlips(listMembers(schema, body), body, code);
}

/** Throws `unknown_field` for a member that is all but one of these. */
export function refuseSlips(known: readonly string[], body: object, code: ErrorCode): void {
  const miss = findNearMiss(body, known);
  if (miss !== null) throw unknownField(code, miss);
}

const DRY_RUN_NAMES = ['dry_run', 'dryRun', 'dryrun', 'dry-run'];

/** Throws `unknown_field` where a dry run is asked for in the body: it would else be a write. */
export function refuseDryRun(query: z.ZodMiniType | undefined, body: unknown, code: ErrorCode): void {
  if (!isObject(body)) return;
  const field = DRY_RUN_NAMES.find((name) => Object.hasOwn(body, name));
  if (field === undefined) return;
  const isKnown = query !== undefined && Object.hasOwn(readShape(query), 'dry_run');
  const fix = isKnown ? 'Send it in the query: ?dry_run=true.' : 'Leave it out: this route has no dry run.';
  throw new ApiError(code, `${field} is not a member of this body.`, {
    details: { field, reason: 'unknown_field', fix },
  });
}

/** Of one record of a body that is a batch or one record: none, since its service reads it, alike alone and in a batch. */
function listMembers(schema: z.ZodMiniType, body: object): string[] {
  const shown = shownSchema(schema);
  if ('shape' in shown) return Object.keys(readShape(shown));
  return Object.hasOwn(body, 'records') ? Object.keys(readShape(schema)) : [];
}
