import { type Context, requireAccount } from '../http/context.ts';
import { countSellers, findWithheld } from './figures/market-rule.ts';
import {
  countFeedOnly,
  lastWeeks,
  type ObservedWeek,
  replay,
  toMarketWeek,
  toOwnWeek,
  WEEK_MS,
  weigh,
} from './figures/market-weeks.ts';
import { readKind } from './filters.ts';
import { marketPrices } from './prices.ts';
import { readOthersHistories, readOwnHistories } from './queries/histories.ts';
import type { TrendsInput } from './schemas.ts';

/** Returns weekly figures of one kind of truck, of other sellers and of the caller, from its first truck on. */
export async function marketTrends(ctx: Context, query: TrendsInput) {
  const { db, clock } = ctx.ports;
  const caller = requireAccount(ctx).id;
  const kind = readKind(query);
  const now = clock.now();
  const requestedWeeks = lastWeeks(now, query.weeks);
  const since = Date.parse(requestedWeeks[0] ?? '');
  const [prices, histories, ownHistories] = await Promise.all([
    marketPrices(ctx, query),
    readOthersHistories(db, caller, kind, since),
    readOwnHistories(db, caller, kind, since),
  ]);
  const samples = [...histories, ...ownHistories];
  const begin = Math.min(
    now,
    ...samples.flatMap(({ trucks }) => trucks.map(({ steps }) => steps[0]?.at ?? now)),
  );
  const weeks = requestedWeeks.filter((week) => Date.parse(week) > begin - WEEK_MS);
  const ownWeeks = replay(ownHistories, weeks);
  return {
    market: toMarket(replay(histories, weeks), prices.market),
    own: {
      weeks: withPricesNow(ownWeeks.map(toOwnWeek), prices.own),
      feed_only: countFeedOnly(ownWeeks) > 0,
    },
    approximate: prices.approximate || samples.some(({ oneIn }) => oneIn > 1),
    filters: kind,
    as_of: new Date(now).toISOString(),
  };
}

type Prices = Awaited<ReturnType<typeof marketPrices>>;

/** Replaces the current week's prices by those of marketPrices, whose sample is larger than that of the histories. */
function withPricesNow<Week>(weeks: readonly Week[], { count, price }: Prices['own'] | Prices['market']) {
  const now = { supply: count, price_count: price.count, median_price: price.p50 };
  return weeks.map((week, at) => (at === weeks.length - 1 ? { ...week, ...now } : week));
}

function toMarket(weeks: readonly ObservedWeek[], prices: Prices['market']) {
  const trucksOfWeeks = weeks.flatMap(({ open, sold, vanished }) => [...open, ...sold, ...vanished]);
  const trucks = [...new Map(trucksOfWeeks.map((truck) => [truck.vin, truck])).values()];
  return {
    count: weigh(trucks),
    sellers: countSellers(trucks),
    feed_only_sellers: countFeedOnly(weeks),
    withheld: findWithheld(
      trucks,
      weeks.some(({ isSample }) => isSample),
    ),
    weeks: withPricesNow(weeks.map(toMarketWeek), prices),
  };
}
