import { type Context, requireAccount } from '../http/context.ts';
import { EMPTY, type Spread, toFigures, toMarketFigures } from './figures/market-figures.ts';
import { countSellers, findWithheld } from './figures/market-rule.ts';
import { marketFilter, shownFilters } from './market-filters.ts';
import type { MarketSample, MarketTruck, OwnSpread } from './port.ts';
import type { PricesInput } from './schemas.ts';

/** Trucks of others that are looked at one by one; of more, a sample of at least half as many is. */
export const MAX_TRUCKS = 2_000;

/** What trucks that match are offered for, by others and by the caller. */
export async function marketPrices(ctx: Context, query: PricesInput) {
  const filter = marketFilter(query);
  const { market, clock } = ctx.ports;
  const caller = requireAccount(ctx).id;
  const [sample, own] = await Promise.all([
    market.others(caller, filter, MAX_TRUCKS),
    market.own(caller, filter),
  ]);
  return {
    market: toMarket(sample),
    own: toOwn(own),
    approximate: sample.oneIn > 1,
    filters: shownFilters(filter),
    as_of: new Date(clock.now()).toISOString(),
  };
}

function toMarket({ trucks, count, oneIn }: MarketSample<MarketTruck> & { count: number }) {
  const byYear = [...Map.groupBy(trucks, ({ year }) => year)].sort(([a], [b]) => a - b);
  return {
    count,
    sellers: countSellers(trucks),
    withheld: findWithheld(trucks, oneIn > 1),
    price: toMarketFigures(readValues(trucks, 'price'), 'price', oneIn),
    mileage: toMarketFigures(readValues(trucks, 'mileage'), 'mileage', oneIn),
    by_year: byYear.map(([year, some]) => ({
      year,
      count: some.length * oneIn,
      price_p50: toMarketFigures(readValues(some, 'price'), 'price').p50,
      mileage_p50: toMarketFigures(readValues(some, 'mileage'), 'mileage').p50,
      withheld: findWithheld(some, oneIn > 1),
    })),
  };
}

function readValues(trucks: readonly MarketTruck[], what: 'price' | 'mileage') {
  return trucks.flatMap(({ seller, weighsNothing, [what]: value }) =>
    value === null ? [] : [{ seller, value, weighsNothing }],
  );
}

function toOwn(spreads: readonly OwnSpread[]) {
  const whole = spreads.find(({ year }) => year === null);
  const median = (spread: Spread) => toFigures(spread).p50;
  return {
    count: whole?.count ?? 0,
    price: toFigures(whole?.price ?? EMPTY),
    mileage: toFigures(whole?.mileage ?? EMPTY),
    by_year: spreads.flatMap(({ year, count, price, mileage }) =>
      year === null ? [] : [{ year, count, price_p50: median(price), mileage_p50: median(mileage) }],
    ),
  };
}
