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
import { mapInTurns } from './batch/in-turns.ts';
import type { ReadAnswer, Wanted } from './batch/stored-listings.ts';
import { warnOfElsewhere } from './listed-elsewhere.ts';
import type { Running } from './needs.ts';
import { unchanged } from './results.ts';
import { RULES_VERSION } from './rules-version.ts';
import { beyondBound, type Outcome, proceed, type RecordResult, rejected, type Truck } from './stage.ts';

/**
 * Finds for each truck the listing it belongs to, merges what is stored with what was sent, and settles what
 * would change nothing. Duplicates inside the batch merge first, in order. One read, whatever the size.
 */
export async function deduplicate(batch: readonly Truck[], needs: Running): Promise<Outcome<Candidate>[]> {
  if (batch.length === 0) return [];
  const groups = new Map<string, Group>();
  for (const truck of batch) {
    const group = groups.get(truck.dedupHash);
    if (group) group.push(truck);
    else groups.set(truck.dedupHash, [truck]);
  }
  const wanted = await mapInTurns([...groups.values()], (group) => toWanted(group, needs));
  const known = await needs.listings.read(wanted, needs.source ?? null);
  for (const [dedupHash, keys] of known.issues) needs.openIssues.set(dedupHash, keys);
  const inputs = new Map(wanted.map(({ dedupHash, inputHash }) => [dedupHash, inputHash]));
  let room = known.room ?? Number.POSITIVE_INFINITY;
  return mapInTurns(batch, (truck): Outcome<Candidate> => {
    const { vin, dedupHash } = truck;
    const group = groups.get(dedupHash) ?? [truck];
    if (group[0] !== truck) return { kind: 'duplicate' };
    if (!group.some(lists) && !known.listings.has(dedupHash)) return notFound(group);
    const outcome = decide(group, inputs.get(dedupHash) ?? '', known, needs);
    if (outcome.kind !== 'continue' || !isAdded(outcome.item)) return outcome;
    room -= 1;
    return room < 0 ? rejected(vin, tooManyListings(truck)) : outcome;
  });
}

/** The records of one listing, in order. */
type Group = [Truck, ...Truck[]];

/** A status of sold or delisted lists no truck. */
const lists = ({ patch: { status = 'available' } }: Truck) => status === 'available';

const notFound = (group: Group): RecordResult => ({
  kind: 'not_found',
  vin: group[0].vin,
  status: findLast(group, 'status') ?? 'available',
});

function toWanted(group: Group, needs: Running): Wanted {
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

/** What the last patch that says anything of it says. */
const findLast = <Name extends 'dealer' | 'status'>(group: Group, name: Name) =>
  group.findLast(({ patch }) => patch[name] !== undefined)?.patch[name];

function decide(group: Group, inputHash: string, known: ReadAnswer, needs: Running): Outcome<Candidate> {
  const [truck] = group;
  const { dedupHash } = truck;
  const stored = project(known.listings.get(dedupHash) ?? null);
  const observedAt = Math.min(needs.observedAt ?? known.now, known.now);
  // Another dealer’s truck is as absent for a key that reaches one dealer only.
  if (needs.dealer && stored && stored.dealer !== needs.dealer) return notFound(group);
  // A record that names no dealer is of the only one that its key reaches.
  const named = findLast(group, 'dealer');
  const requested = named ?? needs.dealer ?? named;
  const [dealer, ...dealerWarnings] = chooseDealer(requested, stored, known, needs.dealer);
  const isSnapshot = needs.observedAt !== null;
  const sent = findLast(group, 'status') ?? null;
  const status = statusAfter(stored?.status ?? null, sent, !isSnapshot);
  const warnings = [...truck.warnings, ...dealerWarnings];
  // A post that says nothing of the status leaves a sold truck sold.
  if (stored?.status === 'sold' && sent === null) warnings.push(warn('STILL_SOLD'));
  // Seconds as floating point may come back a trifle late; a snapshot's time is whole milliseconds.
  if (stored && isSnapshot && observedAt < Math.floor(stored.observedAt)) {
    const older = warn('OBSERVATION_OLDER', { at: new Date(stored.observedAt).toISOString() });
    return unchanged(truck, stored, [...warnings, older], 'deduplicate');
  }
  if (stored && stored.doc === null) return unchanged(truck, stored, warnings, 'deduplicate');
  const merged = mergePatches(group, stored, dealer);
  const quarantine = group.find((each) => each.quarantine)?.quarantine;
  if (quarantine && !isExplicitTruck(readWeightClass(merged.fields.class), merged.fields.gvwr))
    return rejected(truck.vin, quarantine);
  // A key for one dealer hears of no other's.
  const elsewhere = known.elsewhere
    .get(truck.vin)
    ?.filter((one) => !needs.dealer || one.dealer === needs.dealer);
  if (status === 'available') warnings.push(...warnOfElsewhere(elsewhere ?? []));
  return proceed({
    dedupHash,
    inputHash,
    stored,
    truck: merged,
    dealerPlace: readDealerPlace(known.dealers.get(merged.dealer ?? '') ?? null),
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
    (merged, { patch }) => applyPatch(first, merged, patch, dealer),
    applyPatch(first, before, first.patch, dealer, doc?.location ?? null),
  );
}

/** What is stored, as the present record table has it. */
function project(stored: StoredListing | null) {
  if (!stored?.doc || !stored.isOutdated) return stored;
  const doc = projectListing(stored.doc);
  return { ...stored, doc, quality: doc.quality };
}

function chooseDealer(
  requested: string | null | undefined,
  stored: StoredListing | null,
  known: ReadAnswer,
  reached: string | null | undefined,
): [slug: string | null, ...warnings: Warning[]] {
  if (requested === null) return [null];
  const otherwise = reached ?? stored?.dealer ?? known.onlyDealer;
  if (requested === undefined)
    return otherwise === null && known.hasSeveralDealers ? [null, warn('DEALER_AMBIGUOUS')] : [otherwise];
  const isReached = !reached || requested === reached;
  if (isReached && known.dealers.has(requested)) return [requested];
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
