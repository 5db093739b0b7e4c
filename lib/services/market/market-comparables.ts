import type { ListingStatus } from '../../contract/fields.ts';
import type { ListingDoc } from '../../domain/listing/truck.ts';
import { firstSellers, type Observation } from '../../domain/market/market-cell.ts';
import {
  type Comparable,
  explainPrice,
  findComparables,
  judgePrice,
  type Priced,
  percentileFor,
  YEARS_APART,
} from '../../domain/market/market-comparables.ts';
import {
  chooseScope,
  computeSpread,
  FEWEST,
  findWithheld,
  roundTo,
  STEPS,
  toFigures,
} from '../../domain/market/market-figures.ts';
import { type Context, requireAccount } from '../context.ts';
import { readListing } from '../inventory/read-listing.ts';
import { LIVE_BOUND } from './market-prices.ts';

type Chosen = 'same_model' | 'same_make_class_and_body';

/**
 * What trucks like this one are offered for, and what that says of its price. The comparable trucks are anonymous:
 * model year, rounded mileage and prices, and a state only when several sellers of the sample are there.
 */
export async function marketComparables(ctx: Context, vin: string) {
  const { json } = await readListing(ctx, vin);
  const listing = parseListing(json);
  const caller = requireAccount(ctx).id;
  const { by, found } = await toCandidates(ctx, listing);
  const { year, mileage, price } = listing;
  if (year === null) throw new Error('a stored listing has no model year');
  const subject = { year, mileage, price };
  const comparables = findComparables(subject, found.map(coarse(caller)));
  const listings = comparables.map((comparable) => comparable.listing);
  const sample = {
    n: listings.length,
    sellers: firstSellers(listings.map(({ seller }) => seller)),
    foreign: listings.filter(({ seller }) => seller !== caller).length,
  };
  const scope = chooseScope(sample, caller);
  const withheld = findWithheld(sample, caller);
  const adjusted = comparables.map((comparable) => ({
    value: comparable.adjusted,
    seller: comparable.listing.seller,
  }));
  const market = toFigures({ ...computeSpread(adjusted), foreign: sample.foreign }, 'price', caller);
  const shownMedian = withheld === null && market.p50 !== null ? market.p50 : null;
  const percentile =
    price === null
      ? 0
      : percentileFor(
          price,
          adjusted.map(({ value }) => value),
        );
  return {
    vin: listing.vin,
    scope,
    count: sample.n,
    withheld,
    truck: { year, make: listing.make, model: listing.model, class: listing.class, mileage, price },
    chosen: {
      by,
      make: listing.make,
      model: by === 'same_model' ? listing.model : null,
      class: listing.class,
      year_min: year - YEARS_APART,
      year_max: year + YEARS_APART,
      considered: found.length,
    },
    market,
    percentile: shownMedian === null || price === null ? null : roundTo(percentile, scope === 'own' ? 1 : 5),
    verdict: shownMedian === null || price === null ? null : judgePrice(price, shownMedian),
    reasons: shownMedian === null ? [] : explainPrice(subject, comparables, shownMedian),
    comparables: shownMedian === null ? [] : comparables.map(anonymous(listings)),
    as_of: new Date(ctx.ports.clock.now()).toISOString(),
  };
}

/**
 * What is known of others' trucks is rounded before anything is computed: whatever a caller tries with the price,
 * year and mileage of their own truck, no answer depends on more.
 */
const coarse =
  (caller: string) =>
  (listing: Priced): Priced =>
    listing.seller === caller
      ? listing
      : {
          ...listing,
          price: roundTo(listing.price, STEPS.price.small),
          mileage: listing.mileage === null ? null : roundTo(listing.mileage, STEPS.mileage.small),
        };

/** Nothing in it says whose truck it is. */
function anonymous(all: readonly Observation[]) {
  return ({ listing, adjusted, similarity }: Comparable) => ({
    year: listing.year,
    mileage: listing.mileage === null ? null : roundTo(listing.mileage, STEPS.mileage.small),
    price: roundTo(listing.price, STEPS.price.small),
    adjusted_price: roundTo(adjusted, STEPS.price.small),
    state: severalSellers(all, listing.state) ? listing.state : null,
    similarity,
  });
}

function severalSellers(all: readonly Observation[], state: string): boolean {
  if (state === '') return false;
  return (
    firstSellers(all.flatMap((other) => (other.state === state ? [other.seller] : []))).length >=
    FEWEST.sellers
  );
}

/** The same model a few years around; when these are too few, the make's trucks of the same class and body. */
async function toCandidates(ctx: Context, listing: Stored): Promise<{ by: Chosen; found: Priced[] }> {
  const { market } = ctx.ports;
  const { make, model, mileage, year, vin } = listing;
  const sameClass = ({ truckClass }: Observation) =>
    listing.class === null || truckClass === '' || truckClass === listing.class;
  const near =
    model === null ? [] : await market.near({ vin, make: make ?? '', model, year: year ?? 0, mileage });
  const found = near.filter(sameClass).filter(isPriced);
  if (found.length >= FEWEST.listings || listing.class === null || listing.body_type === null)
    return { by: 'same_model', found };
  const wider = make === null ? [] : await market.ofMake(make, vin, LIVE_BOUND);
  const alike = (wider ?? [])
    .filter((other) => other.truckClass === listing.class && other.body === listing.body_type)
    .filter((other) => Math.abs(other.year - (year ?? 0)) <= YEARS_APART)
    .filter(isPriced);
  return alike.length > found.length
    ? { by: 'same_make_class_and_body', found: alike }
    : { by: 'same_model', found };
}

const isPriced = (listing: Observation): listing is Priced => listing.price !== null;

type Stored = Pick<
  ListingDoc,
  'vin' | 'year' | 'make' | 'model' | 'class' | 'body_type' | 'mileage' | 'price'
> & { status: ListingStatus };

/** The text is what the store joined from its own documents. */
const parseListing = (json: string): Stored => JSON.parse(json);
