import {
  addTallies,
  DAY_BUCKETS,
  type FewSellers,
  firstSellers,
  PRICE_BUCKETS,
  type Tally,
  toTally,
} from './market-cell.ts';

/** The market week by week, replayed from the histories of its listings. Weeks begin on Monday, UTC. */

export interface HistoryStep {
  /** ms since the epoch. */
  at: number;
  kind: 'created' | 'changed' | 'sold' | 'delisted' | 'relisted';
  price: number | null;
}

/** A listing's history in order. */
export interface History {
  seller: string;
  steps: readonly HistoryStep[];
}

export interface Week {
  /** Listings for sale when the week ended; of the week under way, now. */
  supply: { n: number; sellers: FewSellers };
  /** Their prices. */
  price: Tally;
  /** Listings sold in the week, by whole days since they were first seen. */
  sold: Tally;
}

/** Weeks that are kept. */
export const MOST_WEEKS = 53;
const DAY = 86_400_000;
/** 1970-01-05, a Monday. */
const FIRST_MONDAY = 4 * DAY;

/** The Monday of a moment's week, `2026-01-12`. */
export function toWeek(at: number): string {
  return toDate(at - ((((at - FIRST_MONDAY) % (7 * DAY)) + 7 * DAY) % (7 * DAY)));
}

/** The last `count` weeks up to the one of `now`, ascending. */
export function lastWeeks(now: number, count: number): string[] {
  const monday = Date.parse(toWeek(now));
  return Array.from({ length: count }, (_, at) => toDate(monday - (count - 1 - at) * 7 * DAY));
}

const toDate = (at: number) => new Date(at).toISOString().slice(0, 10);

/** What a week is counted from. */
export interface WeekSeen {
  /** For sale when it ended. */
  open: readonly { seller: string; price: number | null }[];
  /** Days to each sale of the week. */
  sold: readonly { seller: string; value: number }[];
}

/** Each of the weeks as the histories tell it. */
export function replay(histories: readonly History[], weeks: readonly string[]): WeekSeen[] {
  return weeks.map((week) => {
    const begin = Date.parse(week);
    const states = histories.map((history) => ({
      seller: history.seller,
      ...stateAt(history, begin + 7 * DAY),
    }));
    return {
      open: states.filter(({ available }) => available),
      sold: states.flatMap(({ seller, sales }) =>
        sales.filter(({ at }) => at >= begin).map(({ days }) => ({ seller, value: days })),
      ),
    };
  });
}

/** Whether a listing was for sale just before a moment, its price then, and its sales until then. */
function stateAt({ steps }: History, end: number) {
  const first = steps[0]?.at ?? 0;
  const past = steps.filter(({ at }) => at < end);
  const turn = past.findLast(({ kind }) => kind !== 'changed')?.kind;
  return {
    available: turn === 'created' || turn === 'relisted',
    price: past.at(-1)?.price ?? null,
    sales: past.flatMap(({ at, kind }) =>
      kind === 'sold' ? [{ at, days: Math.floor((at - first) / DAY) }] : [],
    ),
  };
}

export function weekSeen({ open, sold }: WeekSeen): Week {
  return {
    supply: { n: open.length, sellers: firstSellers(open.map(({ seller }) => seller)) },
    price: toTally(priceAtWeeks(open), PRICE_BUCKETS),
    sold: toTally(sold, DAY_BUCKETS),
  };
}

export function priceAtWeeks(open: WeekSeen['open']): { seller: string; value: number }[] {
  return open.flatMap(({ seller, price }) => (price === null ? [] : [{ seller, value: price }]));
}

export function addWeeks(weeks: readonly Week[]): Week {
  return {
    supply: {
      n: weeks.reduce((sum, { supply }) => sum + supply.n, 0),
      sellers: firstSellers(weeks.flatMap(({ supply }) => supply.sellers)),
    },
    price: addTallies(weeks.map(({ price }) => price)),
    sold: addTallies(weeks.map(({ sold }) => sold)),
  };
}

/** What is known of a week of one kind of truck. */
export interface KnownWeek {
  week: string;
  tallies: Week;
}

/** Each of the weeks; one that is not known is as the last known before it, without its sales. Known ones ascend. */
export function carriedOver(known: readonly KnownWeek[], weeks: readonly string[]): Week[] {
  return weeks.map((week) => {
    const last = known.findLast((candidate) => candidate.week <= week)?.tallies;
    if (!last) return addWeeks([]);
    return known.some((candidate) => candidate.week === week)
      ? last
      : { ...last, sold: toTally([], DAY_BUCKETS) };
  });
}
