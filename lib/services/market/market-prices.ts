import type { PricesInput } from '../../contract/market.ts';
import {
  addAll,
  type FewSellers,
  firstSellers,
  MILEAGE_BUCKETS,
  type Observation,
  PRICE_BUCKETS,
  readValues,
  type Tallies,
} from '../../domain/market/market-cell.ts';
import { estimate } from '../../domain/market/market-estimate.ts';
import {
  chooseScope,
  computeSpread,
  findWithheld,
  type Sample,
  type Spread,
  spreadOfTally,
  toFigures,
} from '../../domain/market/market-figures.ts';
import { type MarketFilter, toPicks } from '../../domain/market/market-filter.ts';
import type { MarketCells } from '../../ports/market.ts';
import { type Context, requireAccount } from '../context.ts';
import { marketFilter, shownFilters } from './market-filters.ts';

/** Listings looked at one by one; beyond it the cells answer. */
export const LIVE_BOUND = 2_000;

/** What trucks that match are offered for, over all accounts. */
export async function marketPrices(ctx: Context, query: PricesInput) {
  const filter = marketFilter(query);
  const caller = requireAccount(ctx).id;
  const { approximate, asOf, whole, years } = await toSamples(ctx, filter);
  return {
    scope: chooseScope(whole, caller),
    count: whole.n,
    withheld: findWithheld(whole, caller),
    approximate,
    price: toFigures(whole.price, 'price', caller),
    mileage: toFigures(whole.mileage, 'mileage', caller),
    by_year: years.map(({ year, sample }) => ({
      year,
      count: sample.n,
      price_p50: toFigures(sample.price, 'price', caller).p50,
      mileage_p50: toFigures(sample.mileage, 'mileage', caller).p50,
      withheld: findWithheld(sample, caller),
    })),
    filters: shownFilters(filter),
    as_of: asOf,
  };
}

interface MarketSample extends Sample {
  sellers: FewSellers;
  price: Spread;
  mileage: Spread;
}

interface Samples {
  approximate: boolean;
  asOf: string;
  whole: MarketSample;
  /** Ascending. */
  years: { year: number; sample: MarketSample }[];
}

async function toSamples(ctx: Context, filter: MarketFilter): Promise<Samples> {
  const { market, clock } = ctx.ports;
  const caller = requireAccount(ctx).id;
  const listings = await market.live(filter, LIVE_BOUND);
  if (listings) {
    return {
      approximate: false,
      asOf: new Date(clock.now()).toISOString(),
      whole: seen(listings, caller),
      years: byYear(listings, (some) => seen(some, caller)),
    };
  }
  const picks = toPicks(filter);
  const { asOf, cells } = await market.cells(filter, picks !== null);
  const tallies = cells.map((cell) => ({ year: cell.year, ...fitting(cell, picks) }));
  return {
    approximate: true,
    asOf,
    whole: counted(tallies),
    years: byYear(tallies, counted).filter(({ sample }) => sample.n > 0),
  };
}

function fitting(
  { tallies, marks }: MarketCells['cells'][number],
  picks: ReturnType<typeof toPicks>,
): Tallies {
  return picks && marks ? estimate({ tallies, marks }, picks) : tallies;
}

function seen(listings: readonly Observation[], caller: string): MarketSample {
  const foreign = (some: readonly { seller: string }[]) =>
    some.filter(({ seller }) => seller !== caller).length;
  const spread = (what: 'price' | 'mileage') => {
    const values = readValues(listings, what);
    return { ...computeSpread(values), foreign: foreign(values) };
  };
  return {
    n: listings.length,
    sellers: firstSellers(listings.map(({ seller }) => seller)),
    foreign: foreign(listings),
    price: spread('price'),
    mileage: spread('mileage'),
  };
}

function counted(cells: readonly Tallies[]): MarketSample {
  const { n, sellers, price, mileage } = addAll(cells);
  return {
    n: Math.round(n),
    sellers,
    price: spreadOfTally(price, PRICE_BUCKETS),
    mileage: spreadOfTally(mileage, MILEAGE_BUCKETS),
  };
}

function byYear<Item extends { year: number }>(
  items: readonly Item[],
  count: (some: Item[]) => MarketSample,
) {
  const years = new Map<number, Item[]>();
  for (const item of items) {
    const some = years.get(item.year);
    if (some) some.push(item);
    else years.set(item.year, [item]);
  }
  return [...years].sort(([a], [b]) => a - b).map(([year, some]) => ({ year, sample: count(some) }));
}
