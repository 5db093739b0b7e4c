import { type Context, requireAccount } from '../http/context.ts';
import { countSellers, findWithheld } from './figures/market-rule.ts';
import {
  countFeedOnly,
  lastWeeks,
  replay,
  toMarketWeek,
  toOwnWeek,
  type WeekSeen,
  weigh,
} from './figures/market-weeks.ts';
import { readKind } from './filters.ts';
import { readOthersHistories, readOwnHistories } from './queries/histories.ts';
import type { TrendsInput } from './schemas.ts';

/** The market of one kind of truck, week by week, beside the caller's own trucks. */
export async function marketTrends(ctx: Context, query: TrendsInput) {
  const { db, clock } = ctx.ports;
  const caller = requireAccount(ctx).id;
  const kind = readKind(query);
  const weeks = lastWeeks(clock.now(), query.weeks);
  const since = Date.parse(weeks[0] ?? '');
  const [others, own] = await Promise.all([
    readOthersHistories(db, caller, kind, since),
    readOwnHistories(db, caller, kind, since),
  ]);
  const ownWeeks = replay(own, weeks);
  return {
    market: toMarket(replay(others, weeks)),
    own: { weeks: ownWeeks.map(toOwnWeek), feed_only: countFeedOnly(ownWeeks) > 0 },
    approximate: [...others, ...own].some(({ oneIn }) => oneIn > 1),
    filters: kind,
    as_of: new Date(clock.now()).toISOString(),
  };
}

function toMarket(weeks: readonly WeekSeen[]) {
  const seen = weeks.flatMap(({ open, sold, vanished }) => [...open, ...sold, ...vanished]);
  const trucks = [...new Map(seen.map((truck) => [truck.vin, truck])).values()];
  return {
    count: weigh(trucks),
    sellers: countSellers(trucks),
    feed_only_sellers: countFeedOnly(weeks),
    withheld: findWithheld(
      trucks,
      weeks.some(({ isSample }) => isSample),
    ),
    weeks: weeks.map(toMarketWeek),
  };
}
