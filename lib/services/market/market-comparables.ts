import type { ListingDoc } from '../../domain/listing/truck.ts';
import {
  type Candidate,
  type Comparable,
  findComparables,
  likelyCondition,
  YEARS_APART,
} from '../../domain/market/market-comparables.ts';
import { EMPTY, toFigures, toMarketFigures } from '../../domain/market/market-figures.ts';
import { ANY_TRUCK, type MarketFilter } from '../../domain/market/market-filter.ts';
import { percentileFor } from '../../domain/market/market-position.ts';
import { countSellers, findWithheld, roundTo, STEPS } from '../../domain/market/market-rule.ts';
import { modelWord } from '../../domain/market/market-sample.ts';
import { explainPrice, judgePrice } from '../../domain/market/market-verdict.ts';
import { cabKind } from '../../domain/vocabulary/body.ts';
import { type Context, requireAccount } from '../context.ts';
import { readListing } from '../inventory/read-listing.ts';
import { MAX_TRUCKS } from './market-prices.ts';

/** What trucks of others like this one are offered for, and what that says of its price. They are anonymous. */
export async function marketComparables(ctx: Context, vin: string) {
  const { market, clock } = ctx.ports;
  const listing = await readStored(ctx, vin);
  const caller = requireAccount(ctx).id;
  const { year, make, mileage, price } = listing;
  if (year === null) throw new Error('a stored listing has no model year');
  const subject = { ...toAlike(listing, year, clock.now()), price };
  const filter = { ...ANY_TRUCK, make, yearMin: year - YEARS_APART, yearMax: year + YEARS_APART };
  const [candidates, own] = await Promise.all([
    readCandidates(ctx, listing.vin, { ...filter, model: listing.model }),
    market.own(
      caller,
      { ...filter, model: listing.model, body: listing.body_type, truckClass: listing.class },
      listing.vin,
    ),
  ]);
  let found = findComparables(subject, candidates);
  if (findWithheld(found.comparables.map(({ truck }) => truck)) !== null)
    found = findComparables(subject, await readCandidates(ctx, listing.vin, filter));
  const ownSpread = own.find((spread) => spread.year === null);
  return {
    vin: listing.vin,
    truck: { year, make, model: listing.model, class: listing.class, mileage, price },
    chosen: { year_min: filter.yearMin, year_max: filter.yearMax, considered: found.considered },
    relaxed: [...found.relaxed],
    ...judge(subject, found.comparables),
    own: { count: ownSpread?.count ?? 0, price: toFigures(ownSpread?.price ?? EMPTY) },
    as_of: new Date(clock.now()).toISOString(),
  };
}

type Stored = Pick<
  ListingDoc,
  'vin' | 'year' | 'make' | 'model' | 'class' | 'body_type' | 'cab' | 'condition' | 'mileage' | 'price'
>;

async function readStored(ctx: Context, vin: string): Promise<Stored> {
  const { json } = await readListing(ctx, vin);
  // The text is what the store joined from its own documents.
  return JSON.parse(json);
}

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
async function readCandidates(ctx: Context, vin: string, filter: MarketFilter): Promise<Candidate[]> {
  const { market, clock } = ctx.ports;
  const { trucks } = await market.others(requireAccount(ctx).id, filter, MAX_TRUCKS);
  return trucks.flatMap(({ price, ...truck }) =>
    price === null || truck.vin === vin
      ? []
      : [{ ...truck, price, condition: likelyCondition(truck.condition, truck.year, clock.now()) }],
  );
}

function judge(
  subject: { year: number; mileage: number | null; price: number | null },
  comparables: readonly Comparable[],
) {
  const trucks = comparables.map(({ truck }) => truck);
  const adjusted = comparables.map(({ adjusted, truck }) => ({ value: adjusted, seller: truck.seller }));
  const { withheld, ...price } = toMarketFigures(adjusted, 'price');
  const shown = { count: trucks.length, sellers: countSellers(trucks), withheld, price };
  if (withheld !== null || price.p50 === null)
    return { market: shown, percentile: null, verdict: null, interval: null, reasons: [], comparables: [] };
  const values = adjusted.map(({ value }) => value);
  const judgement = subject.price === null ? null : judgePrice(subject.price, values);
  return {
    market: shown,
    percentile: subject.price === null ? null : roundTo(percentileFor(subject.price, values), 5),
    verdict: judgement?.verdict ?? null,
    interval: judgement?.interval ?? null,
    reasons: explainPrice(subject, comparables, price.p50),
    comparables: comparables.map(toAnonymous(comparables)),
  };
}

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
