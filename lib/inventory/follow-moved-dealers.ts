import { isDeepStrictEqual } from 'node:util';
import { findDealer } from '../accounts/dealers/find-dealer.ts';
import type { DealerPlace } from '../accounts/dealers/schemas.ts';
import type { Job } from '../db/jobs/queue.ts';
import type { Work } from '../jobs/drain.ts';
import type { Ports } from '../ports.ts';
import { toDealerLocation } from '../truck/listing/listing-doc.ts';
import { projectListing } from '../truck/listing/project-listing.ts';
import { settleUnits } from '../truck/listing/read-units.ts';
import type { ListingDoc } from '../truck/listing/truck.ts';
import { placeInCountry } from '../truck/place/country.ts';
import { readDealerPlace } from '../truck/place/place.ts';
import { type OutdatedListing, readDealersTrucks, rewriteListings } from './queries/outdated-listings.ts';

const SLICE = 200;
/** Until trucks follow that another writer was changing, or whose place is not known yet. */
const LATER_SECONDS = 60;

/**
 * Moves trucks that have no place of their own to where their dealers are now; the job's key is the dealer. A post brings a
 * truck there at once, the job the others.
 */
export const dealerMoves: Work = {
  kind: 'dealer',
  maxWorkers: 2,
  start: (ports, untilMs) => async (job) => {
    const dealer = await findDealer(ports.db, job.accountId, job.key);
    if (dealer === null) return { again: null, counts: {} };
    const { moved, isComplete } = await moveTrucks(ports, job, dealer, untilMs);
    return {
      again: isComplete ? null : LATER_SECONDS,
      counts: { trucks_moved: moved },
      isNoTry: !isComplete,
    };
  },
};

async function moveTrucks(
  { db, geocoder, clock }: Ports,
  { accountId, key: slug }: Job,
  dealer: DealerPlace,
  untilMs: number,
): Promise<{ moved: number; isComplete: boolean }> {
  const place = readDealerPlace(dealer);
  const [located = null] = place === null ? [] : await geocoder.locate([place]);
  if (located === 'later') return { moved: 0, isComplete: false };
  const location = place && toDealerLocation(placeInCountry(place, located), located);
  const nowMs = clock.now();
  const year = new Date(nowMs).getUTCFullYear();
  const project = ({ doc, quality, images }: OutdatedListing) =>
    resettle(projectListing({ ...doc, quality, images, location }), year);
  let [moved, missed] = [0, 0];
  for (let after: string | undefined = ''; after !== undefined && clock.now() <= untilMs; ) {
    const trucks = await readDealersTrucks(db, accountId, slug, after, SLICE);
    // Those that have no place of their own.
    const rows = trucks.filter(
      ({ doc }) =>
        (doc.location?.source ?? 'dealer') === 'dealer' && !isDeepStrictEqual(doc.location, location),
    );
    const rewritten = await rewriteListings(db, accountId, rows, { how: 'visibly', nowMs, project });
    moved += rewritten;
    missed += rows.length - rewritten;
    if (trucks.length < SLICE) return { moved, isComplete: missed === 0 };
    after = trucks.at(-1)?.dedupHash;
  }
  return { moved, isComplete: false };
}

/** What the place before had suggested of the currency goes; what the new one does comes. */
function resettle(doc: ListingDoc, currentYear: number): ListingDoc {
  const derived = doc.derived.filter((name) => name !== 'currency');
  const settled = { ...doc, currency: derived.length < doc.derived.length ? null : doc.currency, derived };
  settleUnits(settled, { location: doc.location, dealerPlace: null, currentYear }, derived, []);
  return settled;
}
