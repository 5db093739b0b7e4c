import type { Tier } from '../../lib/accounts/access.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import { type Call, type StoredCall, toCall } from './call.ts';
import examples from './examples.json' with { type: 'json' };
import type { FaultName } from './faults.ts';

/** Requests that are answered with each code, really: examples.json. */
export interface ErrorExample<C = Call> {
  /** What a reader must know to understand it. */
  note?: string;
  /** Tier of the account that makes the call; default: starter. */
  tier?: Tier;
  /** Calls that the account makes before. */
  before?: readonly C[];
  /** How often it makes them; default: once. */
  times?: number;
  /** What is broken during the call. */
  fault?: FaultName;
  call: C;
  /** The corrected request; it must succeed. Of a fault it is the same one, once the fault is mended. */
  fixed?: C;
}

/** The body that its shell command makes. */
const LARGE_BATCH = `{"records":[${'{},'.repeat(500)}{}]}`;

function toExample({ before = [], call, fixed, ...example }: ErrorExample<StoredCall>): ErrorExample {
  const raw = call.shell ? { raw: LARGE_BATCH } : {};
  return {
    ...example,
    before: before.map(toCall),
    call: { ...toCall(call), ...raw },
    ...(fixed ? { fixed: toCall(fixed) } : {}),
  };
}

export const EXAMPLES = Object.fromEntries(
  Object.entries(examples as Record<string, ErrorExample<StoredCall>>).map(([code, example]) => [
    code,
    toExample(example),
  ]),
) as Record<ErrorCode, ErrorExample>;

/** Wrong method: NOT_FOUND under another status, shown beside the 404. */
export const WRONG_METHOD: ErrorExample = {
  call: { method: 'PUT', path: '/v1/inventory', json: EXAMPLES.VIN_LENGTH.fixed?.json },
};
