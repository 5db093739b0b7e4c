import { type Context, requireAccount } from '../http/context.ts';
import { toMarketFigures } from './figures/market-figures.ts';
import { countSellers, findWithheld } from './figures/market-rule.ts';
import { readFilter } from './filters.ts';
import { findOthers, summarizeOwn } from './queries/trucks.ts';
import type { PricesInput } from './schemas.ts';

/** Larger markets are sampled: at least half as many trucks are read. */
export const MAX_TRUCKS = 2_000;

/** Summarizes asking prices of matching trucks, of other sellers and of the caller. */
export async function marketPrices(ctx: Context, query: PricesInput) {
  const filter = readFilter(query);
  const { db, clock } = ctx.ports;
  const caller = requireAccount(ctx).id;
  const [others, own] = await Promise.all([
    findOthers(db, caller, filter, MAX_TRUCKS),
    summarizeOwn(db, caller, filter),
  ]);
  return {
    market: toMarket(others),
    own,
    approximate: others.oneIn > 1,
    filters: filter,
    as_of: new Date(clock.now()).toISOString(),
  };
}

type Others = Awaited<ReturnType<typeof findOthers>>;

function toMarket({ trucks, count, oneIn }: Others) {
  const byYear = [...Map.groupBy(trucks, ({ year }) => year)].sort(([a], [b]) => a - b);
  return {
    count,
    sellers: countSellers(trucks),
    withheld: findWithheld(trucks, oneIn > 1),
    price: summarize(trucks, 'price', oneIn),
    mileage: summarize(trucks, 'mileage', oneIn),
    by_year: byYear.map(([year, some]) => ({
      year,
      count: some.length * oneIn,
      price_p50: summarize(some, 'price').p50,
      mileage_p50: summarize(some, 'mileage').p50,
      withheld: findWithheld(some, oneIn > 1),
    })),
  };
}

function summarize(trucks: Others['trucks'], quantity: 'price' | 'mileage', oneIn = 1) {
  const values = trucks.flatMap(({ seller, excludedFromSample, [quantity]: value }) =>
    value === null ? [] : [{ seller, value, excludedFromSample }],
  );
  return toMarketFigures(values, quantity, oneIn);
}
