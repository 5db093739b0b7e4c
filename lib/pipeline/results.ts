import type { StageName } from '../errors.ts';
import type { ListingStatus } from '../truck/fields.ts';
import type { Enriched } from '../truck/listing/listing-change.ts';
import type { Quality } from '../truck/listing/truck.ts';
import type { Warning } from '../truck/listing/warn.ts';
import { findNewImages } from './index-listing.ts';
import type { Exit, Reject, Skipped, Truck } from './stage.ts';

/** What became of one record. */
export type RecordResult =
  | {
      kind: 'accepted';
      outcome: 'created' | 'merged' | 'unchanged';
      vin: string;
      dedupHash: string;
      status: ListingStatus;
      quality: Quality;
      warnings: Warning[];
      /** Images that are to be fetched. */
      newImages: number;
      /** The last stage that had work to do. */
      reached: StageName;
    }
  | { kind: 'rejected'; vin: string | null; reject: Reject }
  /** Sold or delisted through the API, and never listed. */
  | { kind: 'not_found'; vin: string; status: ListingStatus };

/** `conflict`: another writer changed the listing first. `duplicate`: has the result of the first record of its hash. */
export type TruckOutcome = RecordResult | 'conflict' | 'duplicate';

/** The result of a truck that a stage rejected or skipped; `reached` is that stage. */
export function toTruckOutcome(vin: string, outcome: Exit<Skipped>, reached: StageName): TruckOutcome {
  if (outcome.kind === 'rejected') return rejected(vin, outcome.reject);
  if (outcome.skipped.kind === 'duplicate') return 'duplicate';
  if (outcome.skipped.kind === 'not_found') return { kind: 'not_found', vin, status: outcome.skipped.status };
  return {
    kind: 'accepted',
    outcome: 'unchanged',
    vin,
    newImages: 0,
    reached,
    ...toAccepted(outcome.skipped),
  };
}

export function toStored(enriched: Enriched): RecordResult {
  const { stored: before, truck, dedupHash, status, doc, warnings } = enriched;
  const outcome = before ? 'merged' : 'created';
  const { vin } = truck;
  return {
    kind: 'accepted',
    outcome,
    vin,
    dedupHash,
    status,
    quality: doc.quality,
    warnings,
    newImages: findNewImages(enriched).length,
    reached: 'index',
  };
}

function toAccepted({ listing, warnings }: Extract<Skipped, { kind: 'unchanged' }>) {
  return { dedupHash: listing.dedupHash, status: listing.status, quality: listing.quality, warnings };
}

/** A duplicate in the batch has the result of the first record of its listing; only one can be the creation. */
export function expandResults(
  trucks: readonly Truck[],
  hashes: readonly string[],
  outcomes: readonly TruckOutcome[],
): RecordResult[] {
  const firsts = new Map<string, RecordResult>();
  return outcomes.map((outcome, index) => {
    if (outcome === 'conflict') throw new Error('a locked listing was changed by another writer');
    const hash = hashes[index] ?? '';
    if (outcome !== 'duplicate') {
      firsts.set(hash, outcome);
      return outcome;
    }
    const first = firsts.get(hash);
    if (!first) throw new Error('a duplicate in the batch has no first record');
    if (first.kind !== 'accepted') return first;
    const merged = first.outcome === 'created' ? 'merged' : first.outcome;
    return { ...first, outcome: merged, warnings: trucks[index]?.warnings ?? [] };
  });
}

export function rejected(vin: string | null, reject: Reject): RecordResult {
  return { kind: 'rejected', vin, reject };
}
