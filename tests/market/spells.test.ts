import { describe, expect, test } from 'vitest';
import { findSpells, type HistoryStep } from '../../lib/market/figures/market-spells.ts';
import { lastWeeks, replay, toOwnWeek } from '../../lib/market/figures/market-weeks.ts';

const DAY = 86_400_000;
const MONDAY = Date.parse('2026-01-05');
/** Steps by day since a Monday, with their prices: `0 created 60000, 9 sold`. */
const readSteps = (history: string): HistoryStep[] =>
  history.split(', ').map((step) => {
    const [day, kind, price = '50000'] = step.split(' ');
    return {
      at: MONDAY + Number(day) * DAY,
      kind: kind as HistoryStep['kind'],
      price: price === 'none' ? null : Number(price),
    };
  });

describe('spells', () => {
  /** `0 created, 9 sold`: what happened on which day. */
  test.each([
    ['sold, delisted, sold again: one sale', '0 created, 9 sold, 10 delisted, 11 sold', '0-9 sold'],
    ['sold by mistake and taken back: none', '0 created, 9 sold, 12 relisted', '0-'],
    ['traded in much later: a sale and a new spell', '0 created, 9 sold, 90 relisted', '0-9 sold, 90-'],
    [
      'taken off and back: days count from the last time',
      '0 created, 2 delisted, 3 relisted, 8 sold',
      '0-2 delisted, 3-8 sold',
    ],
    ['missed by one run of the feed', '0 created, 5 vanished, 6 relisted', '0-'],
    ['gone from the feed, then reported as sold', '0 created, 5 vanished, 7 sold', '0-5 sold'],
  ])('%s', (_, history, expected) => {
    const spells = findSpells([{ seller: 's', steps: readSteps(history) }]).map(({ from, to, ending }) =>
      to === null ? `${(from - MONDAY) / DAY}-` : `${(from - MONDAY) / DAY}-${(to - MONDAY) / DAY} ${ending}`,
    );
    expect(spells.join(', ')).toBe(expected);
  });
});

describe('weeks', () => {
  const toHistory = (seller: string, vin: string, history: string) => ({
    seller,
    vin,
    steps: readSteps(history),
  });
  const weeks = lastWeeks(MONDAY + 15 * DAY, 3);

  test('a VIN counts once in supply and sales, with the latest price, whoever lists it how often', () => {
    const trucks = [
      toHistory('a', 'X', '0 created, 9 sold'),
      toHistory('b', 'X', '1 created 60000, 10 sold 60000'),
      toHistory('b', 'Y', '2 created 70000, 8 changed 80000'),
    ];
    expect(replay([{ trucks, oneIn: 1 }], weeks).map(toOwnWeek)).toMatchObject([
      { week: '2026-01-05', supply: 2, median_price: 65_000, sold: 0 },
      { supply: 1, median_price: 80_000, sold: 1, days_on_market: 9 },
      { supply: 1, sold: 0 },
    ]);
  });

  test.each([
    ['of a listing that is gone', '3 changed 90000, 4 delisted 90000'],
    ['that is not known', '3 changed none'],
  ])('a later price %s does not stand for the week', (_, laterSteps) => {
    const trucks = [toHistory('a', 'X', '0 created'), toHistory('b', 'X', `1 created 60000, ${laterSteps}`)];
    expect(replay([{ trucks, oneIn: 1 }], weeks).map(toOwnWeek)[0]).toMatchObject({ median_price: 50_000 });
  });
});
