import { ERRORS, type Reason, type RejectCode, type StageCode, type StageName } from '../errors.ts';
import type { ListingStatus } from '../truck/fields.ts';
import type { StoredListing } from '../truck/listing/listing-change.ts';
import type { TruckPatch } from '../truck/listing/truck.ts';
import type { Warning } from '../truck/listing/warn.ts';

/**
 * The shapes that pass through the pipeline: RawRecord → Truck → Candidate → Enriched → Listing. Each stage takes a
 * whole batch and answers one outcome per item, same length and order. Types get richer stage by stage, so indexing
 * something that was not enriched does not compile.
 */

/** What a dealer sent: any JSON value that sat in the batch. */
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
  /** Of INVALID_PAYLOAD. */
  reason?: Reason;
  message: string;
  violations: readonly Violation<RejectCode>[];
  retryable: boolean;
}

/** A reject in the words of the catalogue. */
export function toReject(code: StageCode, violations: readonly Violation[]): Reject {
  const { stage, when, retryable } = ERRORS[code];
  return { stage, code, message: when, violations, retryable };
}

/** The same of one field, with the catalogue's fix. */
export const failed = (code: StageCode, field: string, received: unknown = null): Reject =>
  toReject(code, [{ code, field, received, fix: ERRORS[code].fix }]);

/** Of a record beyond a bound on what is stored. */
export function beyondBound(
  stage: StageName,
  reason: Reason,
  { message, ...violation }: { message: string } & Omit<Violation, 'code'>,
): Reject {
  const code = 'INVALID_PAYLOAD';
  return { stage, code, reason, message, violations: [{ code, ...violation }], retryable: false };
}

/** What a stage says of an item: goes on, is done without going on, or is refused. */
export type Outcome<Item, Skip = never> =
  | { readonly kind: 'continue'; readonly item: Item }
  | { readonly kind: 'skipped'; readonly skipped: Skip }
  | { readonly kind: 'rejected'; readonly reject: Reject };

export const proceed = <Item>(item: Item): Outcome<Item> => ({ kind: 'continue', item });
export const skip = <Skip>(skipped: Skip): Outcome<never, Skip> => ({ kind: 'skipped', skipped });
export const reject = (reject: Reject): Outcome<never> => ({ kind: 'rejected', reject });

/** After validate: identified, normalised, and free of contract violations. */
export interface Truck {
  /** 17 characters, upper case. */
  vin: string;
  /** Empty string when the record names no provider. */
  sourceProviderId: string;
  patch: TruckPatch;
  warnings: Warning[];
  /** Of a dual-use truck that says no weight: why it is rejected, unless the listing that it merges into says it. */
  quarantine?: Reject;
}

/** A record that needs no write. */
export type Skipped =
  | {
      kind: 'unchanged';
      listing: Pick<StoredListing, 'dedupHash' | 'status' | 'quality'>;
      warnings: Warning[];
    }
  /** Sold or delisted before it was ever listed: that creates nothing. */
  | { kind: 'not_found'; status: ListingStatus }
  /** Merged into an earlier record of the same batch with this hash, and shares its outcome. */
  | { kind: 'duplicate'; dedupHash: string };

/** Something inside the pipeline, with its place in the batch. */
export interface Indexed<Item> {
  index: number;
  item: Item;
}

/** How an item leaves the pipeline before its end. */
export type Exit<Done> = Exclude<Outcome<never, Done>, { kind: 'continue' }>;

/** Runs a stage over the items that are left; `onExit` gets those that do not continue. */
export async function runStage<In, Out, Done>(
  items: readonly Indexed<In>[],
  stage: (batch: In[]) => Outcome<Out, Done>[] | Promise<Outcome<Out, Done>[]>,
  onExit: (index: number, outcome: Exit<Done>) => void,
): Promise<Indexed<Out>[]> {
  const outcomes = items.length === 0 ? [] : await stage(items.map(({ item }) => item));
  if (outcomes.length !== items.length) throw new Error('a stage changed the length of its batch');
  return outcomes.flatMap((outcome, position) => {
    const index = items[position]?.index ?? -1;
    if (outcome.kind === 'continue') return [{ index, item: outcome.item }];
    onExit(index, outcome);
    return [];
  });
}

/** The results of a batch of so many items, in order. Throws if a place has none. */
export function listInOrder<Result>(byIndex: ReadonlyMap<number, Result>, count: number): Result[] {
  return Array.from({ length: count }, (_, index) => {
    const result = byIndex.get(index);
    if (result === undefined) throw new Error('a record left without a result');
    return result;
  });
}

export function withIndex<Item>(items: readonly Item[]): Indexed<Item>[] {
  return items.map((item, index) => ({ index, item }));
}
