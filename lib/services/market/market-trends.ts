import type { TrendsInput } from '../../contract/market.ts';
import { DAY_BUCKETS, firstSellers, PRICE_BUCKETS } from '../../domain/market/market-cell.ts';
import {
  chooseScope,
  computeSpread,
  findWithheld,
  type Sample,
  type Spread,
  spreadOfTally,
  toFigures,
} from '../../domain/market/market-figures.ts';
import {
  addWeeks,
  carriedOver,
  lastWeeks,
  priceAtWeeks,
  replay,
  type Week,
  type WeekSeen,
} from '../../domain/market/market-weeks.ts';
import { MARKET_JOB, type TruckKind } from '../../ports/market.ts';
import { type Context, requireAccount } from '../context.ts';
import { shownFilters, truckKind } from './market-filters.ts';

/** Listings whose histories are replayed at once; beyond it the counted weeks answer. */
export const LIVE_HISTORIES = 500;

/** The market of one kind of truck, week by week. */
export async function marketTrends(ctx: Context, query: TrendsInput) {
  const caller = requireAccount(ctx).id;
  const kind = truckKind(query);
  const weeks = lastWeeks(ctx.ports.clock.now(), query.weeks);
  const { approximate, asOf, samples } = await toSamples(ctx, kind, weeks);
  const whole = {
    n: samples.reduce((most, { sample }) => Math.max(most, sample.n), 0),
    sellers: firstSellers(samples.flatMap(({ sample }) => sample.sellers)),
  };
  return {
    scope: chooseScope(whole, caller),
    withheld: findWithheld(whole, caller),
    approximate,
    weeks: samples.map((sample, at) => ({ week: weeks[at] ?? '', ...shownWeek(sample, caller) })),
    filters: shownFilters(kind),
    as_of: asOf,
  };
}

interface WeekSample {
  supply: number;
  /** Everything the week's figures are about: what was for sale at its end, and what was sold in it. */
  sample: Sample;
  price: Spread & { foreign?: number };
  sold: Spread & { foreign?: number };
}

async function toSamples(ctx: Context, kind: TruckKind, weeks: readonly string[]) {
  const { market, leases, clock } = ctx.ports;
  const caller = requireAccount(ctx).id;
  const histories = await market.histories(kind, LIVE_HISTORIES);
  if (histories)
    return {
      approximate: false,
      asOf: new Date(clock.now()).toISOString(),
      samples: replay(histories, weeks).map((week) => seen(week, caller)),
    };
  const [known, last] = await Promise.all([market.weeks(kind, weeks[0] ?? ''), leases.last(MARKET_JOB)]);
  const parts = known.map((part) => carriedOver(part, weeks));
  const upTo = last?.result.up_to;
  return {
    approximate: true,
    asOf: typeof upTo === 'string' ? upTo : new Date(clock.now()).toISOString(),
    samples: weeks.map((_, at) => counted(addWeeks(parts.flatMap((part) => part[at] ?? [])))),
  };
}

function seen(week: WeekSeen, caller: string): WeekSample {
  const foreign = (some: readonly { seller: string }[]) =>
    some.filter(({ seller }) => seller !== caller).length;
  const all = [...week.open, ...week.sold];
  const prices = priceAtWeeks(week.open);
  return {
    supply: week.open.length,
    sample: { n: all.length, sellers: firstSellers(all.map(({ seller }) => seller)), foreign: foreign(all) },
    price: { ...computeSpread(prices), foreign: foreign(prices) },
    sold: { ...computeSpread(week.sold), foreign: foreign(week.sold) },
  };
}

function counted({ supply, price, sold }: Week): WeekSample {
  return {
    supply: supply.n,
    sample: { n: supply.n + sold.n, sellers: firstSellers([...supply.sellers, ...sold.sellers]) },
    price: spreadOfTally(price, PRICE_BUCKETS),
    sold: spreadOfTally(sold, DAY_BUCKETS),
  };
}

function shownWeek({ supply, sample, price, sold }: WeekSample, caller: string) {
  const prices = toFigures(price, 'price', caller);
  const withheld = findWithheld(sample, caller);
  return {
    supply,
    median_price: prices.p50,
    price_count: prices.count,
    sold: withheld === null ? sold.n : null,
    days_on_market: toFigures(sold, 'days', caller).p50,
    withheld,
  };
}
