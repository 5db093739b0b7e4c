import { ERRORS, type Reason, type RejectCode, type StageCode, type StageName } from '../errors.ts';
import type { ListingStatus } from '../truck/fields.ts';
import type { Quality, TruckPatch } from '../truck/listing/truck.ts';
import type { Warning } from '../truck/listing/warn.ts';

/**
 * The shapes that pass through the pipeline: RawRecord → Truck → Candidate → Enriched → Listing. Each stage takes a
 * whole batch and returns one outcome per item, same length and order. Types get richer stage by stage, so indexing
 * something that was not enriched does not compile.
 */

/** A record as sent: any JSON value. */
export type RawRecord = unknown;

/** One broken rule of a record. */
export interface Violation<Code extends RejectCode = StageCode> {
  code: Code;
  field: string;
  /** The value as received, shortened; null when absent. */
  received: unknown;
  /** What to change, in one sentence. */
  fix: string;
}

export interface Reject {
  stage: StageName;
  code: RejectCode;
  /** Only with INVALID_PAYLOAD. */
  reason?: Reason;
  message: string;
  violations: readonly Violation<RejectCode>[];
  retryable: boolean;
}

/** Makes a reject in the words of the catalogue. */
export function toReject(code: StageCode, violations: readonly Violation[]): Reject {
  const { stage, when, retryable } = ERRORS[code];
  return { stage, code, message: when, violations, retryable };
}

/** Makes a reject for one field, with the catalogue's fix. */
export const toFieldReject = (code: StageCode, field: string, received: unknown = null): Reject =>
  toReject(code, [{ code, field, received, fix: ERRORS[code].fix }]);

/** Makes a reject of a record that exceeds a bound on what is stored. */
export function toBoundReject(
  stage: StageName,
  reason: Reason,
  { message, ...violation }: { message: string } & Omit<Violation, 'code'>,
): Reject {
  const code = 'INVALID_PAYLOAD';
  return { stage, code, reason, message, violations: [{ code, ...violation }], retryable: false };
}

/** The result of one record. */
export type RecordResult =
  | {
      kind: 'accepted';
      outcome: 'created' | 'merged' | 'unchanged';
      vin: string;
      dedupHash: string;
      status: ListingStatus;
      quality: Quality;
      warnings: Warning[];
      /** Some of its images are to be fetched. */
      hasNewImages: boolean;
      /** The last stage that had work to do. */
      reached: StageName;
    }
  | { kind: 'rejected'; vin: string | null; reject: Reject }
  /** Sold or delisted through the API, and never listed. */
  | { kind: 'not_found'; vin: string; status: ListingStatus };

/** How a truck leaves the pipeline. */
export type Exit =
  | RecordResult
  /** Another writer changed the listing first; retry. */
  | { kind: 'conflict' }
  /** Merged into an earlier record of the same batch with its hash, whose result it shares. */
  | { kind: 'duplicate' };

/** What a stage returns for an item: it goes on, or leaves. */
export type Outcome<Item, Left = Exit> = { kind: 'continue'; item: Item } | Left;

export type Rejected = Extract<RecordResult, { kind: 'rejected' }>;

export const proceed = <Item>(item: Item): Outcome<Item, never> => ({ kind: 'continue', item });
export const toRejected = (vin: string | null, reject: Reject): Rejected => ({
  kind: 'rejected',
  vin,
  reject,
});

/** After validate: identified, normalised, and free of contract violations. */
export interface Truck {
  /** Which listing it is: SHA-256 over VIN + source_provider_id, hex (contract section 1). */
  dedupHash: string;
  /** 17 characters, upper case. */
  vin: string;
  /** Empty string when the record names no provider. */
  sourceProviderId: string;
  patch: TruckPatch;
  warnings: Warning[];
  /** Why a dual-use truck without a weight is rejected, unless the listing that it merges into has one. */
  quarantine?: Reject;
}

/** Runs a stage over the items that are left, in order; those that left keep their outcome. */
export async function runStage<In, Out>(
  outcomes: readonly Outcome<In>[],
  stage: (batch: In[]) => Promise<Out[]>,
) {
  const items = outcomes.flatMap((outcome) => (outcome.kind === 'continue' ? [outcome.item] : []));
  const next = takeInOrder(items.length === 0 ? [] : await stage(items));
  return outcomes.map((outcome) => (outcome.kind === 'continue' ? next() : outcome));
}

/** Returns one item after the other, and throws after the last. */
export function takeInOrder<Item>(items: readonly Item[]) {
  const iterator = items.values();
  return () => {
    const { done, value } = iterator.next();
    if (done) throw new Error('record has no result');
    return value;
  };
}
