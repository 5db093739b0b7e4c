import { ERRORS, type ErrorCode, STAGE_CODES, STAGES } from '../errors.ts';
import { BUCKETS, type BucketName } from '../services/fair-use.ts';
import type { Endpoint, Guard } from './endpoint.ts';

/** What an endpoint object says only when it is asked: for documents, never for serving. */

/** Every guard the endpoint may have; those of a guard that the query decides are found by asking. */
export function findGuards(
  { guard, query }: Endpoint,
  values: Readonly<Record<string, readonly string[]>>,
): Guard[] {
  if (typeof guard !== 'function') return [guard];
  const tried = query
    ? Object.entries(values).flatMap(([name, all]) => all.map((value) => new Map([[name, [value]]])))
    : [];
  return [...new Set([new Map<string, string[]>(), ...tried].map((asked) => guard(asked)))];
}

/** The buckets a call may count in: without a body, with a record, with a batch; on widget routes with a secret key. */
export function findBuckets(endpoint: Endpoint): BucketName[] {
  const names = Object.keys(BUCKETS) as BucketName[];
  const found = [{}, { records: [] }].map((body) => endpoint.bucketFor(body));
  if (endpoint.widget) found.push('requests');
  return names.filter((name) => found.includes(name));
}

/** Declared codes and those that guard and limiter bring, in the catalogue's order. */
export function findCodes(endpoint: Endpoint, guards: readonly Guard[]): ErrorCode[] {
  const guarded = guards.some((guard) => guard !== 'anyone');
  const codes = new Set<ErrorCode>([
    ...endpoint.errors,
    'INVALID_PARAMS',
    ...(guarded ? (['UNAUTHORIZED', 'RATE_LIMITED'] as const) : []),
    ...(guards.includes('secret-key') || guards.includes('widget') ? (['FORBIDDEN'] as const) : []),
    'INTERNAL_ERROR',
  ]);
  return (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** The codes that ride inside PIPELINE_FAILED or a batch result. */
export const ALL_STAGE_CODES: readonly ErrorCode[] = STAGES.flatMap((stage) => STAGE_CODES[stage]);
