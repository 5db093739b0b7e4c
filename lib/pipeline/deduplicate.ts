import { hash } from 'node:crypto';
import type { ListingStatus } from '../contract/fields.ts';
import type { Candidate, StoredListing } from '../domain/listing/listing-change.ts';
import { applyPatch, mergePatches, toMergedTruck } from '../domain/listing/merge.ts';
import { projectListing } from '../domain/listing/project-listing.ts';
import type { TruckPatch } from '../domain/listing/truck.ts';
import { type Warning, warn } from '../domain/listing/warn.ts';
import { readDealerPlace } from '../domain/place/place.ts';
import { canonicalJson } from '../domain/text/canonical-json.ts';
import { isExplicitTruck } from '../domain/vocabulary/dual-use.ts';
import { readWeightClass } from '../domain/vocabulary/weight-class.ts';
import type { AccountListings, ReadAnswer } from '../ports/listings.ts';
import { RULES_VERSION } from './rules-version.ts';
import { type Outcome, proceed, reject, type Skipped, skip, type Truck } from './stage.ts';

export interface DeduplicateNeeds {
  listings: AccountListings;
  /** When the records were observed; null: now, by the database's clock (a write through the API). */
  observedAt: number | null;
  /** The feed that the records come from; absent: the API. */
  feedId?: string | undefined;
}

/** SHA-256 over VIN + source_provider_id, hex (contract section 1). */
export function computeDedupHash(vin: string, sourceProviderId: string): string {
  return hash('sha256', vin + sourceProviderId);
}

/**
 * Finds for each truck the listing it belongs to, merges what is stored with what was sent, and settles what
 * would change nothing. Duplicates inside the batch merge first, in order. One read, whatever the size.
 */
export async function deduplicate(
  batch: readonly Truck[],
  needs: DeduplicateNeeds,
): Promise<Outcome<Candidate, Skipped>[]> {
  if (batch.length === 0) return [];
  const hashes = batch.map((truck) => computeDedupHash(truck.vin, truck.sourceProviderId));
  const groups = collapseDuplicates(batch, hashes);
  const known = await needs.listings.read(
    [...groups].map(([dedupHash, { patch, inputHash }]) => ({
      dedupHash,
      inputHash,
      dealer: patch.dealer ?? null,
    })),
  );
  return batch.map((truck, index) => {
    const dedupHash = hashes[index] ?? '';
    const group = groups.get(dedupHash);
    if (!group || group.firstIndex !== index) return skip({ kind: 'duplicate', dedupHash });
    const absent = !group.lists && needs.observedAt === null && !known.listings.has(dedupHash);
    if (absent) return skip({ kind: 'not_found', status: truck.patch.status ?? 'available' });
    const { patch, quarantine, inputHash } = group;
    return decide({ ...truck, patch }, quarantine, dedupHash, inputHash, known, needs);
  });
}

interface Group {
  firstIndex: number;
  patch: TruckPatch;
  inputHash: string;
  /** One of its records lists the truck: a status of sold or delisted does not. */
  lists: boolean;
  quarantine: Truck['quarantine'];
}

function collapseDuplicates(batch: readonly Truck[], hashes: readonly string[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  batch.forEach((truck, index) => {
    const dedupHash = hashes[index] ?? '';
    const earlier = groups.get(dedupHash);
    const lists = truck.patch.status === undefined || truck.patch.status === 'available';
    if (earlier) {
      earlier.patch = mergePatches(earlier.patch, truck.patch);
      earlier.lists ||= lists;
      earlier.quarantine ??= truck.quarantine;
    } else
      groups.set(dedupHash, {
        firstIndex: index,
        patch: truck.patch,
        inputHash: '',
        lists,
        quarantine: truck.quarantine,
      });
  });
  for (const group of groups.values()) group.inputHash = computeInputHash(group.patch);
  return groups;
}

function computeInputHash(patch: TruckPatch): string {
  return hash('sha256', `${RULES_VERSION}\n${canonicalJson(patch)}`);
}

function decide(
  truck: Truck,
  quarantine: Truck['quarantine'],
  dedupHash: string,
  inputHash: string,
  known: ReadAnswer,
  needs: DeduplicateNeeds,
): Outcome<Candidate, Skipped> {
  const stored = project(known.listings.get(dedupHash) ?? null);
  const observedAt = Math.min(needs.observedAt ?? known.now, known.now);
  const dealer = chooseDealer(truck, stored, known);
  const warnings = [...truck.warnings, ...dealer.warnings];
  // Seconds as floating point may come back a trifle late; a snapshot's time is whole milliseconds.
  const isSnapshot = needs.observedAt !== null;
  if (stored && isSnapshot && observedAt < Math.floor(stored.observedAt))
    return skip({ kind: 'unchanged', listing: stored, warnings: [...warnings, olderThanStored(stored)] });
  if (stored && stored.doc === null) return skip({ kind: 'unchanged', listing: stored, warnings });
  const merged = applyPatch(truck, stored?.doc ? toMergedTruck(stored.doc) : null, truck.patch, dealer.slug);
  if (quarantine && !isExplicitTruck(readWeightClass(merged.fields.class), merged.fields.gvwr))
    return reject(quarantine);
  return proceed({
    dedupHash,
    inputHash,
    stored,
    truck: merged,
    dealerPlace: readDealerPlace(known.dealers.get(merged.dealer ?? '') ?? null),
    status: statusAfter(stored?.status ?? null, truck.patch.status ?? null, needs.observedAt === null),
    observedAt,
    feedId: needs.feedId ?? null,
    warnings,
  });
}

/** What is stored, as the present record table has it. */
function project(stored: StoredListing | null): StoredListing | null {
  if (!stored?.doc || !stored.isOutdated) return stored;
  const doc = projectListing(stored.doc);
  return { ...stored, doc, quality: doc.quality };
}

function chooseDealer(truck: Truck, stored: StoredListing | null, known: ReadAnswer) {
  const requested = truck.patch.dealer;
  const otherwise = stored?.dealer ?? known.onlyDealer;
  if (requested === undefined) return { slug: otherwise, warnings: [] };
  if (known.dealers.has(requested)) return { slug: requested, warnings: [] };
  return { slug: otherwise, warnings: [warn('DEALER_UNKNOWN', { slug: requested.slice(0, 64) })] };
}

function olderThanStored(stored: StoredListing): Warning {
  return warn('OBSERVATION_OLDER', { at: new Date(stored.observedAt).toISOString() });
}

/**
 * The status after a post. A sold truck comes back only when the API says `available` in so many words; a
 * delisted one comes back when it is posted again.
 */
export function statusAfter(
  stored: ListingStatus | null,
  requested: ListingStatus | null,
  throughApi: boolean,
): ListingStatus {
  if (requested === 'sold' || requested === 'delisted') return requested;
  if (stored === 'sold' && !(requested === 'available' && throughApi)) return 'sold';
  return 'available';
}
