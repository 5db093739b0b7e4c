import { type Context, requireAccount } from '../http/context.ts';
import { readListing } from '../inventory/read-listing.ts';
import type { ListingDoc } from '../truck/listing/truck.ts';
import { cabKind } from '../truck/vocabulary/body.ts';
import { isInDollars } from './figures/is-in-market.ts';
import {
  type Candidate,
  type Comparable,
  findComparables,
  likelyCondition,
  YEARS_APART,
} from './figures/market-comparables.ts';
import { EMPTY, toFigures, toMarketFigures } from './figures/market-figures.ts';
import { ANY_TRUCK, type MarketFilter } from './figures/market-filter.ts';
import { percentileFor } from './figures/market-position.ts';
import { countSellers, findWithheld, roundTo, STEPS } from './figures/market-rule.ts';
import { modelWord } from './figures/market-sample.ts';
import { explainPrice, judgeByComparables, type Subject } from './figures/market-verdict.ts';
import { MAX_TRUCKS } from './market-prices.ts';

/** What trucks of others like this one are offered for, and what that says of its price. They are anonymous. */
export async function marketComparables(ctx: Context, vin: string) {
  const { market, clock } = ctx.ports;
  const listing = await readListing(ctx, vin);
  const { year, make, model, class: truckClass, body_type: body, mileage, price, currency } = listing;
  const own = { ...ANY_TRUCK, ...nearbyYears(listing), make, model, body, truckClass };
  const [compared, spreads] = await Promise.all([
    compareListing(ctx, listing),
    market.own(requireAccount(ctx).id, own, listing.vin),
  ]);
  const ownSpread = spreads.find((spread) => spread.year === null);
  return {
    vin: listing.vin,
    truck: { year, make, model, class: truckClass, mileage, price, currency },
    ...compared,
    own: { count: ownSpread?.count ?? 0, price: toFigures(ownSpread?.price ?? EMPTY) },
    as_of: new Date(clock.now()).toISOString(),
  };
}

/** The market's side of it, of a listing of the account that was just read: one statement, or two. */
export async function compareListing(ctx: Context, listing: Stored) {
  const { make, model, price, currency } = listing;
  const subject = { ...toAlike(listing, modelYear(listing), ctx.ports.clock.now()), price, currency };
  const filter = { ...ANY_TRUCK, ...nearbyYears(listing), make };
  let { candidates, oneIn } = await readCandidates(ctx, listing.vin, { ...filter, model });
  let found = findComparables(subject, candidates);
  if (findReason(found, oneIn) !== null) {
    ({ candidates, oneIn } = await readCandidates(ctx, listing.vin, filter));
    found = findComparables(subject, candidates);
  }
  return {
    chosen: { year_min: filter.yearMin, year_max: filter.yearMax, considered: found.considered },
    relaxed: [...found.relaxed],
    ...judge(subject, found, oneIn),
  };
}

function modelYear({ year }: Stored): number {
  if (year === null) throw new Error('a stored listing has no model year');
  return year;
}

function nearbyYears(listing: Stored) {
  const year = modelYear(listing);
  return { yearMin: year - YEARS_APART, yearMax: year + YEARS_APART };
}

type Stored = Pick<
  ListingDoc,
  | 'vin'
  | 'year'
  | 'make'
  | 'model'
  | 'class'
  | 'body_type'
  | 'cab'
  | 'condition'
  | 'mileage'
  | 'price'
  | 'currency'
>;

function toAlike(
  { model, body_type, cab, condition, class: truckClass, mileage }: Stored,
  year: number,
  now: number,
) {
  return {
    year,
    mileage,
    model: modelWord(model),
    body: body_type ?? '',
    cab: cabKind(body_type, cab),
    condition: likelyCondition(condition, year, now),
    truckClass: truckClass ?? '',
  };
}

/** Priced trucks of others that pass the filter, without the truck itself. */
async function readCandidates(ctx: Context, vin: string, filter: MarketFilter) {
  const { market, clock } = ctx.ports;
  const { trucks, oneIn } = await market.others(requireAccount(ctx).id, filter, MAX_TRUCKS);
  const candidates: Candidate[] = trucks.flatMap(({ price, ...truck }) =>
    price === null || truck.vin === vin || truck.weighsNothing
      ? []
      : [{ ...truck, price, condition: likelyCondition(truck.condition, truck.year, clock.now()) }],
  );
  return { candidates, oneIn };
}

type Comparables = ReturnType<typeof findComparables>;

/** The rule holds for those that were chosen, and for all among which they were. */
const findReason = ({ comparables, withheld }: Comparables, oneIn: number) =>
  findWithheld(
    comparables.map(({ truck }) => truck),
    oneIn > 1,
  ) ?? withheld;

function judge(subject: Subject, found: Comparables, oneIn: number) {
  const { comparables } = found;
  const trucks = comparables.map(({ truck }) => truck);
  const adjusted = comparables.map(({ adjusted, truck }) => ({ value: adjusted, seller: truck.seller }));
  const { withheld: _, ...price } = toMarketFigures(adjusted, 'price');
  const withheld = findReason(found, oneIn);
  const shown = { count: trucks.length, sellers: countSellers(trucks), withheld, price };
  if (withheld !== null || price.p50 === null)
    return { market: shown, percentile: null, verdict: null, interval: null, reasons: [], comparables: [] };
  const values = adjusted.map(({ value }) => value);
  const asked = isInDollars(subject) ? subject.price : null;
  const judgement = asked === null ? null : judgeByComparables(asked, subject, found);
  return {
    market: shown,
    percentile: asked === null ? null : roundTo(percentileFor(asked, values), 5),
    verdict: judgement?.verdict ?? null,
    interval: judgement?.interval ?? null,
    reasons: explainPrice(subject, found, price.p50),
    comparables: comparables.toSorted(bySimilarity).map(toAnonymous(comparables)),
  };
}

const bySimilarity = (a: Comparable, b: Comparable) =>
  b.similarity - a.similarity || a.truck.price - b.truck.price;

/** Nothing in it says whose truck it is: a state only where several sellers of the sample are. */
function toAnonymous(all: readonly Comparable[]) {
  return ({ truck, adjusted, similarity }: Comparable) => {
    const there = all.flatMap((other) => (other.truck.state === truck.state ? [other.truck] : []));
    return {
      year: truck.year,
      mileage: truck.mileage,
      price: truck.price,
      adjusted_price: roundTo(adjusted, STEPS.price),
      state: truck.state !== '' && countSellers(there) > 1 ? truck.state : null,
      similarity,
    };
  };
}
