import { atDealer } from '../../domain/listing/listing-doc.ts';
import { projectListing } from '../../domain/listing/project-listing.ts';
import { settleUnits } from '../../domain/listing/read-units.ts';
import type { ListingDoc, Location } from '../../domain/listing/truck.ts';
import { isInMarket } from '../../domain/market/is-in-market.ts';
import { inItsCountry } from '../../domain/place/country.ts';
import { readDealerPlace } from '../../domain/place/place.ts';
import { sameJson } from '../../domain/text/canonical-json.ts';
import { searchText } from '../../pipeline/index-listing.ts';
import type { MovedDealer } from '../../ports/accounts/dealer-moves.ts';
import type { OutdatedListing } from '../../ports/listings.ts';
import type { Ports } from '../../ports/ports.ts';
import { type JobRun, runUnderLease } from '../jobs/job-run.ts';

const SLICE = 200;
const LEASE_SECONDS = 120;
/** Stops well before the lease ends. */
const WORK_MS = 60_000;

type MovePorts = Pick<Ports, 'dealerMoves' | 'geocoder' | 'clock' | 'leases'>;

/**
 * Moves trucks that have no place of their own to where their dealers are now. A post brings one there at once; the job
 * of every minute brings the others.
 */
export function followMovedDealers(ports: MovePorts): Promise<JobRun> {
  return runUnderLease(ports, { job: 'dealers', seconds: LEASE_SECONDS }, () => moveAll(ports));
}

async function moveAll(ports: MovePorts) {
  const until = ports.clock.now() + WORK_MS;
  const result = { trucks_moved: 0 };
  for (const dealer of await ports.dealerMoves.pending()) {
    if (ports.clock.now() > until) break;
    result.trucks_moved += await moveTrucks(ports, dealer, until);
  }
  return result;
}

/** Those of one dealer, until there is no time; what another writer is changing follows with the next run. */
async function moveTrucks(ports: MovePorts, dealer: MovedDealer, until: number): Promise<number> {
  const location = await locateDealer(ports, dealer);
  if (location === 'later') return 0;
  let moved = 0;
  let expected = 0;
  for (let after = ''; ports.clock.now() < until; ) {
    const trucks = await ports.dealerMoves.listTrucks(dealer, after, SLICE);
    const rows = trucks
      .filter(({ doc }) => standsAtDealer(doc) && !sameJson(doc.location, location))
      .map((truck) => toMoved(truck, location, ports.clock.now()));
    expected += rows.length;
    if (rows.length > 0) moved += await ports.dealerMoves.move(dealer.accountId, rows);
    if (trucks.length < SLICE) {
      if (moved === expected) await ports.dealerMoves.markFollowed(dealer);
      break;
    }
    after = trucks.at(-1)?.dedupHash ?? '';
  }
  return moved;
}

/** It has no place of its own. */
const standsAtDealer = ({ location }: Pick<ListingDoc, 'location'>) =>
  (location?.source ?? 'dealer') === 'dealer';

async function locateDealer(
  { geocoder }: MovePorts,
  dealer: MovedDealer,
): Promise<Location | null | 'later'> {
  const place = readDealerPlace(dealer);
  if (place === null) return null;
  const [located = null] = await geocoder.locate([place]);
  if (located === 'later') return 'later';
  return atDealer(inItsCountry(place, located, null), located);
}

function toMoved(
  { dedupHash, version, doc, quality, images }: OutdatedListing,
  location: Location | null,
  now: number,
) {
  const currentYear = new Date(now).getUTCFullYear();
  const moved = resettle(projectListing({ ...doc, quality, images, location }), currentYear);
  const words = searchText(moved);
  return { dedupHash, version, doc: moved, words, isInMarket: isInMarket(moved, currentYear) };
}

/** What the place before had suggested of the currency goes; what the new one does comes. */
function resettle(doc: ListingDoc, currentYear: number): ListingDoc {
  const derived = doc.derived.filter((name) => name !== 'currency');
  const settled = { ...doc, currency: derived.length < doc.derived.length ? null : doc.currency, derived };
  settleUnits(settled, { location: doc.location, dealerPlace: null, currentYear }, derived, []);
  return settled;
}
