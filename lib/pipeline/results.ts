import type { StageName } from '../errors.ts';
import type { ListingChange, StoredListing } from '../truck/listing/listing-change.ts';
import type { Warning } from '../truck/listing/warn.ts';
import { PARTS } from '../truck/record/parts.ts';
import type { Exit, RawRecord, RecordResult, Truck } from './stage.ts';

/** Makes the result of a truck whose listing stays as it is; `reached` is the stage that decided so. */
export const toUnchangedResult = (
  { vin }: Pick<Truck, 'vin'>,
  { dedupHash, status, quality }: StoredListing,
  warnings: Warning[],
  reached: StageName,
): RecordResult => ({
  kind: 'accepted',
  outcome: 'unchanged',
  vin,
  dedupHash,
  status,
  quality,
  warnings,
  hasNewImages: false,
  reached,
});

export const toStoredResult = ({
  enriched: { stored, doc, status, warnings },
  hasNewImages,
}: ListingChange): RecordResult => ({
  kind: 'accepted',
  outcome: stored ? 'merged' : 'created',
  vin: doc.vin,
  dedupHash: doc.dedup_hash,
  status,
  quality: doc.quality,
  warnings,
  hasNewImages,
  reached: 'index',
});

/** A duplicate in the batch has the result of the first record of its listing; only one can be the creation. */
export function expandResults(trucks: readonly Truck[], exits: readonly Exit[]) {
  const firsts = new Map<string, RecordResult>();
  return trucks.map(({ dedupHash, warnings }, index) => {
    const exit = exits[index];
    if (exit && exit.kind !== 'duplicate' && exit.kind !== 'conflict') {
      firsts.set(dedupHash, exit);
      return exit;
    }
    const first = firsts.get(dedupHash);
    if (!first) throw new Error('record has no result');
    if (first.kind !== 'accepted') return first;
    const outcome = first.outcome === 'created' ? 'merged' : first.outcome;
    return { ...first, outcome, warnings };
  });
}

/** Returns the VIN of a rejected record as far as it can be read, for the dealer to find it again. */
export function vinAsSent(record: RawRecord) {
  if (typeof record !== 'object' || record === null) return null;
  for (const name of PARTS.vin.names) {
    const value: unknown = Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined;
    if ((typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '')
      return String(value).toWellFormed().trim().slice(0, 40);
  }
  return null;
}
