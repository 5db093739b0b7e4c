import type * as z from 'zod/mini';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { isObject } from '../../truck/is-object.ts';
import { documentedSchema } from '../../truck/json.ts';
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
export function refuseSlips(names: readonly string[], body: object, code: ErrorCode): void {
  const miss = findNearMiss(body, names);
  if (miss === null) return;
  const fix = `Send it as ${miss.knownName}, if that is what you mean; otherwise leave it out.`;
  throw unknownMember(code, miss.unknownName, fix);
}

function unknownMember(code: ErrorCode, name: string, fix: string): ApiError {
  const field = name.toWellFormed();
  return new ApiError(code, `${field} is not a member of this body.`, {
    details: { field, reason: 'unknown_field', fix },
  });
}

/** Throws `unknown_field` where a dry run is asked for in the body: it would else be a write. */
export function refuseDryRun(body: unknown, code: ErrorCode): void {
  if (!isObject(body)) return;
  const name = Object.keys(body).find((name) => /^dry[_-]?run$/i.test(name));
  const fix = 'Send it in the query, ?dry_run=true, where the route has a dry run; otherwise leave it out.';
  if (name !== undefined) throw unknownMember(code, name, fix);
}

/** Of the batch; a record that stands alone is read as the records of a batch are. */
function listMembers(schema: z.ZodMiniType, body: object): string[] {
  const visibleSchema = documentedSchema(schema);
  if ('shape' in visibleSchema) return Object.keys(readShape(visibleSchema));
  return Object.hasOwn(body, 'records') ? Object.keys(readShape(schema)) : [];
}
