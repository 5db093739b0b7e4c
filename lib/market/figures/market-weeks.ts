import { DAY_MS } from '../../truck/time.ts';
import { findWithheld, roundTo, STEPS } from './market-rule.ts';
import { findSpells, type History, type Spell } from './market-spells.ts';

/** Weekly figures, replayed from the histories of trucks. Weeks begin on Monday, UTC. */

export const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05, a Monday. */
const FIRST_MONDAY = 4 * DAY_MS;

/** The Monday of a moment's week, `2026-01-12`. */
function toWeek(at: number) {
  return toDate(at - ((((at - FIRST_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS));
}

/** Lists the Mondays of the last `count` weeks, the current one last. */
export function lastWeeks(now: number, count: number): string[] {
  const monday = Date.parse(toWeek(now));
  return Array.from({ length: count }, (_, at) => toDate(monday - (count - 1 - at) * WEEK_MS));
}

const toDate = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Replays samples of histories for each of the weeks; each truck of a sample stands for `oneIn` trucks. */
export function replay(
  samples: readonly { trucks: readonly History[]; oneIn: number }[],
  weeks: readonly string[],
) {
  const histories = samples.flatMap(({ trucks, oneIn }) => trucks.map((history) => ({ ...history, oneIn })));
  const trucks = [...Map.groupBy(histories, ({ vin }) => vin)].map(([vin, listings]) => ({
    vin,
    // The larger of two samples would contain the truck without the other one.
    weight: Math.min(...listings.map(({ oneIn }) => oneIn)),
    listings,
    spells: findSpells(listings),
  }));
  const isSample = samples.some(({ oneIn }) => oneIn > 1);
  return weeks.map((week) => ({ week, isSample, ...replayWeek(trucks, Date.parse(week)) }));
}

/** A truck of the sample with all its listings, standing for `weight` trucks. */
interface ObservedTruck {
  vin: string;
  weight: number;
  listings: readonly History[];
  spells: readonly Spell[];
}

/** Lists each VIN once: open at the end of the week with its price, or sold or vanished in it with its days on the lot. */
function replayWeek(trucks: readonly ObservedTruck[], begin: number) {
  const end = begin + WEEK_MS;
  const listEndings = (kind: Spell['ending']) =>
    trucks.flatMap(({ vin, weight, spells }) => {
      const last = spells.findLast(
        ({ to, ending }) => ending === kind && to !== null && to >= begin && to < end,
      );
      if (last === undefined) return [];
      const { from, to, seller } = last;
      return [{ seller, vin, weight, days: Math.floor(((to ?? from) - from) / DAY_MS) }];
    });
  const open = trucks.flatMap(({ vin, weight, listings, spells }) =>
    spells.some(({ from, to }) => from < end && (to === null || to >= end))
      ? [{ vin, weight, ...latestPrice(listings, end) }]
      : [],
  );
  return { open, sold: listEndings('sold'), vanished: listEndings('vanished') };
}

export type ObservedWeek = ReturnType<typeof replay>[number];

/** Returns the latest price before `end` among the listings that were for sale then, and its seller. */
function latestPrice(listings: readonly History[], end: number) {
  const [latest] = listings
    .map(({ seller, steps }) => {
      const pastSteps = steps.filter(({ at }) => at < end);
      const { price = null, at = 0 } = pastSteps.at(-1) ?? {};
      const last = pastSteps.findLast(({ kind }) => kind !== 'changed')?.kind;
      return { seller, price, at, isOpen: last === 'created' || last === 'relisted' };
    })
    .sort(
      (a, b) =>
        Number(b.isOpen) - Number(a.isOpen) ||
        Number(a.price === null) - Number(b.price === null) ||
        b.at - a.at,
    );
  return { seller: latest?.seller ?? '', price: latest?.price ?? null };
}

/** Formats a week of the caller's own trucks. */
export function toOwnWeek({ week, open, sold, vanished }: ObservedWeek) {
  const prices = listPrices(open);
  return {
    week,
    supply: weigh(open),
    median_price: weightedMedian(prices, 1),
    price_count: weigh(prices),
    sold: weigh(sold),
    vanished: weigh(vanished),
    days_on_market: weightedMedian(
      sold.map(({ days: value, weight }) => ({ value, weight })),
      STEPS.days,
    ),
  };
}

const listPrices = (open: ObservedWeek['open']) =>
  open.flatMap(({ seller, price: value, weight }) => (value === null ? [] : [{ seller, value, weight }]));

/** Formats a week of other sellers' trucks. Each figure must pass the rule for the trucks that it is computed from. */
export function toMarketWeek(observedWeek: ObservedWeek) {
  const { open, sold, vanished, isSample } = observedWeek;
  const withheld = findWithheld([...open, ...sold, ...vanished], isSample);
  const prices = listPrices(open);
  return {
    ...toOwnWeek(observedWeek),
    median_price: findWithheld(prices) === null ? weightedMedian(prices, STEPS.price) : null,
    ...(withheld === null ? {} : { sold: null, vanished: null }),
    ...(findWithheld(sold) === null ? {} : { days_on_market: null }),
    withheld,
  };
}

export function weigh(trucks: readonly { weight: number }[]): number {
  return trucks.reduce((sum, { weight }) => sum + weight, 0);
}

/** Returns the value below which half of the weight lies. */
function weightedMedian(values: readonly { value: number; weight: number }[], step: number) {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const half = weigh(sorted) / 2;
  let below = 0;
  for (const [at, { value, weight }] of sorted.entries()) {
    below += weight;
    if (below > half) return roundTo(value, step);
    if (below === half) return roundTo((value + (sorted[at + 1]?.value ?? value)) / 2, step);
  }
  return null;
}

/** Counts sellers whose trucks only vanished from their feeds, so that their sales are unknown. */
export function countFeedOnly(weeks: readonly ObservedWeek[]): number {
  const sellers = (ending: 'sold' | 'vanished') =>
    new Set(weeks.flatMap((week) => week[ending].map(({ seller }) => seller)));
  const sellersWithSales = sellers('sold');
  return [...sellers('vanished')].filter((seller) => !sellersWithSales.has(seller)).length;
}
