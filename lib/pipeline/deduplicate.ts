import { hash } from 'node:crypto';
import { REASONS } from '../errors.ts';
import type { ListingStatus } from '../truck/fields.ts';
import type { Candidate, StoredListing } from '../truck/listing/listing-change.ts';
import { applyPatch, toMergedTruck } from '../truck/listing/merge.ts';
import { projectListing } from '../truck/listing/project-listing.ts';
import type { MergedTruck, TruckPatch } from '../truck/listing/truck.ts';
import { type Warning, warn } from '../truck/listing/warn.ts';
import { readDealerPlace } from '../truck/place/place.ts';
import { canonicalJson } from '../truck/text/canonical-json.ts';
import { isExplicitTruck } from '../truck/vocabulary/dual-use.ts';
import { readWeightClass } from '../truck/vocabulary/weight-class.ts';
import { mapInTurns } from './batch/in-turns.ts';
import { lastStockNumber, withVinsAlike } from './batch/same-stock.ts';
import type { ReadAnswer, RecordSource, StoredListings } from './batch/stored-listings.ts';
import { listedElsewhere, warnOfPairs } from './listed-elsewhere.ts';
import { RULES_VERSION } from './rules-version.ts';
import { beyondBound, type Outcome, proceed, reject, type Skipped, skip, type Truck } from './stage.ts';

export interface DeduplicateNeeds {
  listings: StoredListings;
  /** When the records were observed; null: now, by the database's clock (a write through the API). */
  observedAt: number | null;
  /** The only dealer that the records may be of; null or absent: any. */
  dealer?: string | null;
  /** The feed that the records come from; absent: the API. */
  feedId?: string | undefined;
  /** Who sent the records, whose issues the trucks may end; absent: nobody whose issues are kept. */
  source?: RecordSource | undefined;
  onOpenIssues?: (issues: ReadAnswer['issues']) => void;
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
  const groups = new Map(await mapInTurns([...collapseDuplicates(batch, hashes)], withInputHash));
  const wanted = [...groups].map(([dedupHash, { vin, patches, inputHash }]) => ({
    dedupHash,
    vin,
    inputHash,
    dealer: needs.dealer ?? findLast(patches, 'dealer') ?? null,
    stockNumber: lastStockNumber(patches),
  }));
  const known = await needs.listings.read(withVinsAlike(wanted), needs.source ?? null);
  needs.onOpenIssues?.(known.issues);
  let room = known.room ?? Number.POSITIVE_INFINITY;
  const outcomes = await mapInTurns(batch, (truck, index): Outcome<Candidate, Skipped> => {
    const dedupHash = hashes[index] ?? '';
    const group = groups.get(dedupHash);
    if (!group || group.firstIndex !== index) return skip({ kind: 'duplicate', dedupHash });
    const absent = !group.lists && !known.listings.has(dedupHash);
    if (absent) return skip({ kind: 'not_found', status: truck.patch.status ?? 'available' });
    const outcome = decide(truck, group, dedupHash, known, needs);
    if (outcome.kind !== 'continue' || !isAdded(outcome.item)) return outcome;
    room -= 1;
    return room < 0 ? reject(tooManyListings(truck)) : outcome;
  });
  warnOfPairs(outcomes);
  return outcomes;
}

/** True for a truck that comes to the listings that are not delisted; that a delisted one was sold is always kept. */
const isAdded = ({ stored, status }: Candidate) =>
  stored === null ? status !== 'delisted' : stored.status === 'delisted' && status === 'available';

const tooManyListings = ({ vin }: Truck) =>
  beyondBound('deduplicate', 'too_many_listings', {
    message: 'The account has as many listings as its tier allows.',
    field: 'vin',
    received: vin,
    fix: REASONS.too_many_listings,
  });

interface Group {
  firstIndex: number;
  vin: string;
  /** In order. */
  patches: TruckPatch[];
  /** One of its records lists the truck: a status of sold or delisted does not. */
  lists: boolean;
  quarantine: Truck['quarantine'];
}

type HashedGroup = Group & { inputHash: string };

const withInputHash = ([dedupHash, group]: [string, Group]): [string, HashedGroup] => [
  dedupHash,
  { ...group, inputHash: computeInputHash(group.patches) },
];

function collapseDuplicates(batch: readonly Truck[], hashes: readonly string[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  batch.forEach((truck, index) => {
    const dedupHash = hashes[index] ?? '';
    const earlier = groups.get(dedupHash);
    const lists = truck.patch.status === undefined || truck.patch.status === 'available';
    if (earlier) {
      earlier.patches.push(truck.patch);
      earlier.lists ||= lists;
      earlier.quarantine ??= truck.quarantine;
    } else
      groups.set(dedupHash, {
        firstIndex: index,
        vin: truck.vin,
        patches: [truck.patch],
        lists,
        quarantine: truck.quarantine,
      });
  });
  return groups;
}

function computeInputHash(patches: readonly TruckPatch[]): string {
  return hash('sha256', `${RULES_VERSION}\n${patches.map(canonicalJson).join('\n')}`);
}

/** What the last patch that says anything of it says. */
const findLast = <Name extends 'dealer' | 'status'>(patches: readonly TruckPatch[], name: Name) =>
  patches.findLast((patch) => patch[name] !== undefined)?.[name];

function decide(
  truck: Truck,
  { patches, quarantine, inputHash }: HashedGroup,
  dedupHash: string,
  known: ReadAnswer,
  needs: DeduplicateNeeds,
): Outcome<Candidate, Skipped> {
  const stored = project(known.listings.get(dedupHash) ?? null);
  const observedAt = Math.min(needs.observedAt ?? known.now, known.now);
  // Another dealer’s truck is as absent for a key that reaches one dealer only.
  if (needs.dealer && stored && stored.dealer !== needs.dealer)
    return skip({ kind: 'not_found', status: findLast(patches, 'status') ?? 'available' });
  const requested = findLast(patches, 'dealer');
  // A record that names no dealer is of the only one that its key reaches.
  const named = requested == null && needs.dealer ? needs.dealer : requested;
  const dealer = chooseDealer(named, stored, known, needs.dealer);
  const isSnapshot = needs.observedAt !== null;
  const status = statusAfter(stored?.status ?? null, findLast(patches, 'status') ?? null, !isSnapshot);
  const warnings = [...truck.warnings, ...dealer.warnings, ...stillSold(stored, patches)];
  // Seconds as floating point may come back a trifle late; a snapshot's time is whole milliseconds.
  if (stored && isSnapshot && observedAt < Math.floor(stored.observedAt))
    return skip({ kind: 'unchanged', listing: stored, warnings: [...warnings, olderThanStored(stored)] });
  if (stored && stored.doc === null) return skip({ kind: 'unchanged', listing: stored, warnings });
  const merged = patches.reduce<MergedTruck | null>(
    (before, patch, at) =>
      applyPatch(truck, before, patch, dealer.slug, at === 0 ? (stored?.doc?.location ?? null) : null),
    stored?.doc ? toMergedTruck(stored.doc) : null,
  );
  if (merged === null) throw new Error('a listing without a record');
  if (quarantine && !isExplicitTruck(readWeightClass(merged.fields.class), merged.fields.gvwr))
    return reject(quarantine);
  return proceed({
    dedupHash,
    inputHash,
    stored,
    truck: merged,
    dealerPlace: readDealerPlace(known.dealers.get(merged.dealer ?? '') ?? null),
    status,
    observedAt,
    feedId: needs.feedId ?? null,
    sameStock: known.sameStock.get(dedupHash) ?? null,
    warnings: [...warnings, ...(status === 'available' ? listedElsewhere(merged, known, needs.dealer) : [])],
  });
}

/** What is stored, as the present record table has it. */
function project(stored: StoredListing | null): StoredListing | null {
  if (!stored?.doc || !stored.isOutdated) return stored;
  const doc = projectListing(stored.doc);
  return { ...stored, doc, quality: doc.quality };
}

function chooseDealer(
  requested: string | null | undefined,
  stored: StoredListing | null,
  known: ReadAnswer,
  reached: string | null | undefined,
): { slug: string | null; warnings: Warning[] } {
  if (requested === null) return { slug: null, warnings: [] };
  const otherwise = reached ?? stored?.dealer ?? known.onlyDealer;
  if (requested === undefined) {
    const isAmbiguous = otherwise === null && known.hasSeveralDealers;
    return { slug: otherwise, warnings: isAmbiguous ? [warn('DEALER_AMBIGUOUS')] : [] };
  }
  const isReached = !reached || requested === reached;
  if (isReached && known.dealers.has(requested)) return { slug: requested, warnings: [] };
  return { slug: otherwise, warnings: [warn('DEALER_UNKNOWN', { slug: requested.slice(0, 64) })] };
}

/** A post that says nothing of the status leaves a sold truck sold. */
function stillSold(stored: StoredListing | null, patches: readonly TruckPatch[]): Warning[] {
  return stored?.status === 'sold' && findLast(patches, 'status') === undefined ? [warn('STILL_SOLD')] : [];
}

function olderThanStored(stored: StoredListing): Warning {
  return warn('OBSERVATION_OLDER', { at: new Date(stored.observedAt).toISOString() });
}

/**
 * The status after a post. A sold truck comes back only when the API says `available` in so many words; a
 * delisted one comes back when it is posted again.
 */
function statusAfter(
  stored: ListingStatus | null,
  requested: ListingStatus | null,
  throughApi: boolean,
): ListingStatus {
  if (requested === 'sold' || requested === 'delisted') return requested;
  if (stored === 'sold' && !(requested === 'available' && throughApi)) return 'sold';
  return 'available';
}
