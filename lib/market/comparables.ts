import { type Context, requireAccount } from '../http/context.ts';
import { readListing } from '../inventory/read-listing.ts';
import type { ListingDoc } from '../truck/listing/truck.ts';
import { isInDollars } from '../truck/price/is-in-market.ts';
import { readCabKind } from '../truck/vocabulary/body.ts';
import {
  type Candidate,
  type Comparable,
  findComparables,
  likelyCondition,
  YEARS_APART,
} from './figures/market-comparables.ts';
import { percentileFor, toMarketFigures } from './figures/market-figures.ts';
import { countSellers, findWithheld, roundTo, STEPS } from './figures/market-rule.ts';
import { toModelWord } from './figures/market-sample.ts';
import { explainPrice, judgePrice, type Subject } from './figures/market-verdict.ts';
import type { MarketFilter } from './filters.ts';
import { MAX_TRUCKS } from './prices.ts';
import { findOthers, summarizeOwn } from './queries/trucks.ts';

/** Compares one of the account's trucks with similar trucks of other sellers, anonymously, and judges its price. */
export async function marketComparables(ctx: Context, vin: string) {
  const { db, clock } = ctx.ports;
  const listing = await readListing(ctx, vin);
  const { year, make, model, class: truckClass, body_type, mileage, price, currency } = listing;
  const alike = { ...nearbyYears(listing), make, model, body_type, class: truckClass };
  const [compared, ownFigures] = await Promise.all([
    compareListing(ctx, listing),
    summarizeOwn(db, requireAccount(ctx).id, alike, listing.vin),
  ]);
  return {
    vin: listing.vin,
    truck: { year, make, model, class: truckClass, mileage, price, currency },
    ...compared,
    own: { count: ownFigures.count, price: ownFigures.price },
    as_of: new Date(clock.now()).toISOString(),
  };
}

type Listing = Omit<ListingDoc, 'images' | 'quality'>;

/** Compares a listing with the market, by one statement; by a second one if its model has too few trucks. */
export async function compareListing(ctx: Context, listing: Listing) {
  const { make, model } = listing;
  const subject = toSubject(listing, ctx.ports.clock.now());
  const years = nearbyYears(listing);
  const compare = async (filter: MarketFilter) => {
    const { candidates, isSample } = await readCandidates(ctx, listing.vin, filter);
    const comparison = findComparables(subject, candidates);
    const nearest = comparison.comparables.map(({ truck }) => truck);
    // The rule must hold for the chosen trucks and for those that they were chosen from.
    return { ...comparison, withheld: findWithheld(nearest, isSample) ?? comparison.withheld };
  };
  let comparison = await compare({ ...years, make, model });
  if (comparison.withheld !== null) comparison = await compare({ ...years, make });
  return {
    chosen: { ...years, considered: comparison.considered },
    relaxed: comparison.relaxed,
    ...judge(subject, comparison),
  };
}

type Comparison = ReturnType<typeof findComparables>;

function nearbyYears({ year }: Listing) {
  return { year_min: (year ?? 0) - YEARS_APART, year_max: (year ?? 0) + YEARS_APART };
}

function toSubject(listing: Listing, now: number) {
  const { model, body_type, cab, condition, mileage, price, currency } = listing;
  const year = listing.year ?? 0;
  return {
    year,
    mileage,
    price,
    currency,
    model: toModelWord(model),
    body: body_type ?? '',
    cab: readCabKind(body_type, cab),
    condition: likelyCondition(condition, year, now),
    truckClass: listing.class ?? '',
  };
}

/** Reads other sellers' priced trucks that match the filter, without the truck itself. */
async function readCandidates(ctx: Context, vin: string, filter: MarketFilter) {
  const { db, clock } = ctx.ports;
  const { trucks, oneIn } = await findOthers(db, requireAccount(ctx).id, filter, MAX_TRUCKS);
  const candidates: Candidate[] = trucks.flatMap(({ price, ...truck }) =>
    price === null || truck.vin === vin || truck.excludedFromSample
      ? []
      : [
          {
            ...truck,
            price,
            model: toModelWord(truck.model),
            condition: likelyCondition(truck.condition, truck.year, clock.now()),
          },
        ],
  );
  return { candidates, isSample: oneIn > 1 };
}

function judge(subject: Subject, comparison: Comparison) {
  const { comparables, withheld } = comparison;
  const trucks = comparables.map(({ truck }) => truck);
  const adjusted = comparables.map(({ adjusted: value, truck: { seller } }) => ({ value, seller }));
  const { withheld: _, ...price } = toMarketFigures(adjusted, 'price');
  const market = { count: trucks.length, sellers: countSellers(trucks), withheld, price };
  if (withheld !== null || price.p50 === null)
    return { market, percentile: null, verdict: null, interval: null, reasons: [], comparables: [] };
  const askingPrice = isInDollars(subject) ? subject.price : null;
  const values = adjusted.map(({ value }) => value);
  const none = { verdict: null, interval: null };
  return {
    market,
    percentile: askingPrice === null ? null : roundTo(percentileFor(askingPrice, values), 5),
    ...(askingPrice === null ? none : judgePrice(askingPrice, subject, comparison)),
    reasons: explainPrice(subject, comparison, price.p50),
    comparables: comparables.toSorted(bySimilarity).map(toAnonymous(comparables)),
  };
}

const bySimilarity = (a: Comparable, b: Comparable) =>
  b.similarity - a.similarity || a.truck.price - b.truck.price;

/** Removes what could identify the seller: the state is given only if several sellers of the sample are in it. */
function toAnonymous(all: readonly Comparable[]) {
  return ({ truck, adjusted, similarity }: Comparable) => {
    const trucksInState = all.flatMap((other) => (other.truck.state === truck.state ? [other.truck] : []));
    return {
      year: truck.year,
      mileage: truck.mileage,
      price: truck.price,
      adjusted_price: roundTo(adjusted, STEPS.price),
      state: truck.state !== '' && countSellers(trucksInState) > 1 ? truck.state : null,
      similarity,
    };
  };
}
