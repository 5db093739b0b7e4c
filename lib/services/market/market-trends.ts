import type { TrendsInput } from '../../contract/market.ts';
import { DAY_BUCKETS, fewOf, PRICE_BUCKETS } from '../../domain/market/market-cell.ts';
import {
  figuresOf,
  type Sample,
  type Spread,
  scopeOf,
  spreadOf,
  spreadOfTally,
  withheldOf,
} from '../../domain/market/market-figures.ts';
import {
  addWeeks,
  carriedOver,
  lastWeeks,
  pricesOf,
  replay,
  type Week,
  type WeekSeen,
} from '../../domain/market/market-weeks.ts';
import { MARKET_JOB, type TruckKind } from '../../ports/market.ts';
import { accountOf, type Context } from '../context.ts';
import { shownFilters, truckKind } from './market-filters.ts';

/** Listings whose histories are replayed at once; beyond it the counted weeks answer. */
export const LIVE_HISTORIES = 500;

/** The market of one kind of truck, week by week. */
export async function marketTrends(ctx: Context, query: TrendsInput) {
  const caller = accountOf(ctx).id;
  const kind = truckKind(query);
  const weeks = lastWeeks(ctx.ports.clock.now(), query.weeks);
  const { approximate, asOf, samples } = await samplesOf(ctx, kind, weeks);
  const whole = {
    n: samples.reduce((most, { sample }) => Math.max(most, sample.n), 0),
    sellers: fewOf(samples.flatMap(({ sample }) => sample.sellers)),
  };
  return {
    scope: scopeOf(whole, caller),
    withheld: withheldOf(whole, caller),
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

async function samplesOf(ctx: Context, kind: TruckKind, weeks: readonly string[]) {
  const { market, leases, clock } = ctx.ports;
  const caller = accountOf(ctx).id;
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
  const prices = pricesOf(week.open);
  return {
    supply: week.open.length,
    sample: { n: all.length, sellers: fewOf(all.map(({ seller }) => seller)), foreign: foreign(all) },
    price: { ...spreadOf(prices), foreign: foreign(prices) },
    sold: { ...spreadOf(week.sold), foreign: foreign(week.sold) },
  };
}

function counted({ supply, price, sold }: Week): WeekSample {
  return {
    supply: supply.n,
    sample: { n: supply.n + sold.n, sellers: fewOf([...supply.sellers, ...sold.sellers]) },
    price: spreadOfTally(price, PRICE_BUCKETS),
    sold: spreadOfTally(sold, DAY_BUCKETS),
  };
}

function shownWeek({ supply, sample, price, sold }: WeekSample, caller: string) {
  const prices = figuresOf(price, 'price', caller);
  const withheld = withheldOf(sample, caller);
  return {
    supply,
    median_price: prices.p50,
    price_count: prices.count,
    sold: withheld === null ? sold.n : null,
    days_on_market: figuresOf(sold, 'days', caller).p50,
    withheld,
  };
}
