import { hash } from 'node:crypto';
import { REASONS } from '../errors.ts';
import type { ListingStatus } from '../truck/fields.ts';
import type { Candidate, StoredListing } from '../truck/listing/listing-change.ts';
import { applyPatch, toMergedTruck } from '../truck/listing/merge.ts';
import { projectListing } from '../truck/listing/project-listing.ts';
import { type Warning, warn } from '../truck/listing/warn.ts';
import { readDealerPlace } from '../truck/place/place.ts';
import { canonicalJson } from '../truck/text/canonical-json.ts';
import { isExplicitTruck } from '../truck/vocabulary/dual-use.ts';
import { readWeightClass } from '../truck/vocabulary/weight-class.ts';
import { mapYielding } from './batch/map-yielding.ts';
import type { AccountState, ListingLookup } from './batch/stored-listings.ts';
import { warnOfElsewhere } from './listed-elsewhere.ts';
import type { BatchNeeds } from './needs.ts';
import { toUnchangedResult } from './results.ts';
import { RULES_VERSION } from './rules-version.ts';
import { type Outcome, proceed, type RecordResult, type Truck, toBoundReject, toRejected } from './stage.ts';

/**
 * Finds the listing of each truck and merges the stored data with the patch; a truck that changes nothing leaves with its
 * result. Duplicates in the batch merge first, in order. One read, whatever the size.
 */
export async function deduplicate(batch: readonly Truck[], needs: BatchNeeds): Promise<Outcome<Candidate>[]> {
  if (batch.length === 0) return [];
  const groups = new Map<string, Group>();
  for (const truck of batch) {
    const group = groups.get(truck.dedupHash);
    if (group) group.push(truck);
    else groups.set(truck.dedupHash, [truck]);
  }
  const lookups = await mapYielding([...groups.values()], (group) => toLookup(group, needs));
  const account = await needs.listings.read(lookups, needs.source ?? null);
  for (const [dedupHash, keys] of account.issues) needs.openIssues.set(dedupHash, keys);
  const inputs = new Map(lookups.map(({ dedupHash, inputHash }) => [dedupHash, inputHash]));
  let room = account.room ?? Number.POSITIVE_INFINITY;
  return mapYielding(batch, (truck): Outcome<Candidate> => {
    const { vin, dedupHash } = truck;
    const group = groups.get(dedupHash) ?? [truck];
    if (group[0] !== truck) return { kind: 'duplicate' };
    if (!group.some(isForSale) && !account.listings.has(dedupHash)) return toNotFound(group);
    const outcome = decide(group, inputs.get(dedupHash) ?? '', account, needs);
    if (outcome.kind !== 'continue' || !isAdded(outcome.item)) return outcome;
    room -= 1;
    return room < 0 ? toRejected(vin, tooManyListings(truck)) : outcome;
  });
}

/** The records of one listing, in order. */
type Group = [Truck, ...Truck[]];

/** A status of sold or delisted lists no truck. */
const isForSale = ({ patch: { status = 'available' } }: Truck) => status === 'available';

const toNotFound = (group: Group): RecordResult => ({
  kind: 'not_found',
  vin: group[0].vin,
  status: findLast(group, 'status') ?? 'available',
});

function toLookup(group: Group, needs: BatchNeeds): ListingLookup {
  const [{ dedupHash, vin }] = group;
  const patches = group.map(({ patch }) => canonicalJson(patch));
  const stocked = group.findLast(({ patch }) => patch.fields.stock_number != null);
  return {
    dedupHash,
    vin,
    inputHash: hash('sha256', `${RULES_VERSION}\n${patches.join('\n')}`),
    dealer: needs.dealer ?? findLast(group, 'dealer') ?? null,
    stockNumber: stocked?.patch.fields.stock_number ?? null,
  };
}

/** True for a truck that adds to the listings that are not delisted. A delisted truck may always become sold. */
const isAdded = ({ stored, status }: Candidate) =>
  stored === null ? status !== 'delisted' : stored.status === 'delisted' && status === 'available';

const tooManyListings = ({ vin }: Truck) =>
  toBoundReject('deduplicate', 'too_many_listings', {
    message: 'The account has as many listings as its tier allows.',
    field: 'vin',
    received: vin,
    fix: REASONS.too_many_listings,
  });

/** Returns the value of the last patch that has the field. */
const findLast = <Name extends 'dealer' | 'status'>(group: Group, name: Name) =>
  group.findLast(({ patch }) => patch[name] !== undefined)?.patch[name];

function decide(
  group: Group,
  inputHash: string,
  account: AccountState,
  needs: BatchNeeds,
): Outcome<Candidate> {
  const [truck] = group;
  const { dedupHash } = truck;
  const stored = project(account.listings.get(dedupHash) ?? null);
  const observedAt = Math.min(needs.observedAt ?? account.now, account.now);
  // A key for one dealer finds no other dealer’s truck.
  if (needs.dealer && stored && stored.dealer !== needs.dealer) return toNotFound(group);
  // A record that names no dealer is of the only one that its key reaches.
  const namedDealer = findLast(group, 'dealer');
  const requested = namedDealer ?? needs.dealer ?? namedDealer;
  const [dealer, ...dealerWarnings] = chooseDealer(requested, stored, account, needs.dealer);
  const isSnapshot = needs.observedAt !== null;
  const requestedStatus = findLast(group, 'status') ?? null;
  const status = statusAfter(stored?.status ?? null, requestedStatus, !isSnapshot);
  const warnings = [...truck.warnings, ...dealerWarnings];
  // A post that says nothing of the status leaves a sold truck sold.
  if (stored?.status === 'sold' && requestedStatus === null) warnings.push(warn('STILL_SOLD'));
  // Seconds as floating point may come back a trifle late; a snapshot's time is whole milliseconds.
  if (stored && isSnapshot && observedAt < Math.floor(stored.observedAt)) {
    const older = warn('OBSERVATION_OLDER', { at: new Date(stored.observedAt).toISOString() });
    return toUnchangedResult(truck, stored, [...warnings, older], 'deduplicate');
  }
  if (stored && stored.doc === null) return toUnchangedResult(truck, stored, warnings, 'deduplicate');
  const mergedTruck = mergePatches(group, stored, dealer);
  const quarantine = group.find((each) => each.quarantine)?.quarantine;
  if (quarantine && !isExplicitTruck(readWeightClass(mergedTruck.fields.class), mergedTruck.fields.gvwr))
    return toRejected(truck.vin, quarantine);
  // A key for one dealer gets no other dealer’s listings.
  const elsewhere = account.elsewhere
    .get(truck.vin)
    ?.filter((one) => !needs.dealer || one.dealer === needs.dealer);
  if (status === 'available') warnings.push(...warnOfElsewhere(elsewhere ?? []));
  return proceed({
    dedupHash,
    inputHash,
    stored,
    truck: mergedTruck,
    dealerPlace: readDealerPlace(account.dealers.get(mergedTruck.dealer ?? '') ?? null),
    status,
    observedAt,
    feedId: needs.feedId ?? null,
    warnings,
  });
}

/** Only the first patch is read against the place that the stored listing shows. */
function mergePatches([first, ...others]: Group, stored: StoredListing | null, dealer: string | null) {
  const doc = stored?.doc ?? null;
  const before = doc && toMergedTruck(doc);
  return others.reduce(
    (truck, { patch }) => applyPatch(first, truck, patch, dealer),
    applyPatch(first, before, first.patch, dealer, doc?.location ?? null),
  );
}

/** Projects a stored listing on the current record table. */
function project(stored: StoredListing | null) {
  if (!stored?.doc || !stored.isOutdated) return stored;
  const doc = projectListing(stored.doc);
  return { ...stored, doc, quality: doc.quality };
}

function chooseDealer(
  requested: string | null | undefined,
  stored: StoredListing | null,
  account: AccountState,
  reached: string | null | undefined,
): [slug: string | null, ...warnings: Warning[]] {
  if (requested === null) return [null];
  const otherwise = reached ?? stored?.dealer ?? account.onlyDealer;
  if (requested === undefined)
    return otherwise === null && account.hasSeveralDealers ? [null, warn('DEALER_AMBIGUOUS')] : [otherwise];
  const isReached = !reached || requested === reached;
  if (isReached && account.dealers.has(requested)) return [requested];
  return [otherwise, warn('DEALER_UNKNOWN', { slug: requested.slice(0, 64) })];
}

/**
 * The status after a post. A sold truck comes back only when the API says `available` in so many words; a
 * delisted one comes back when it is posted again.
 */
function statusAfter(stored: ListingStatus | null, requested: ListingStatus | null, throughApi: boolean) {
  if (requested === 'sold' || requested === 'delisted') return requested;
  if (stored === 'sold' && !(requested === 'available' && throughApi)) return 'sold';
  return 'available';
}
