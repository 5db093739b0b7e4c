import { describe, expect, test } from 'vitest';
import { type Candidate, findComparables } from '../../lib/market/figures/market-comparables.ts';
import { computeMedian } from '../../lib/market/figures/market-figures.ts';
import { explainPrice, judgePrice } from '../../lib/market/figures/market-verdict.ts';
import { fitSlopes } from '../../lib/market/figures/price-slopes.ts';

const TRUCK: Candidate = {
  vin: '',
  seller: 's',
  year: 2019,
  mileage: 400_000,
  model: 'M2106',
  body: 'flatbed',
  cab: '',
  condition: 'used',
  truckClass: 'class_7',
  state: '',
  price: 60_000,
};
const trucks = (count: number, change: Partial<Candidate> = {}) =>
  Array.from({ length: count }, (_, n) => ({ ...TRUCK, seller: `s${n % 3}`, ...change }));

describe('what is compared', () => {
  test('of equally similar trucks not the cheap ones, in whatever order they are read', () => {
    const equals = trucks(900).map((truck, at) => ({
      ...truck,
      vin: `3AKJHHDR0KSK${10_000 + ((at * 7_919) % 90_000)}`,
      price: 50_000 + 20 * at,
    }));
    for (const read of [equals, equals.toReversed()]) {
      const { comparables } = findComparables(TRUCK, read);
      expect(comparables).toHaveLength(30);
      expect(Math.abs(computeMedian(comparables.map(({ adjusted }) => adjusted)) - 59_000)).toBeLessThan(
        2_500,
      );
    }
  });

  test('of equally similar trucks some of each seller', () => {
    const equals = trucks(100, { seller: 'large' }).map((truck, at) => ({ ...truck, vin: `0${at + 10}` }));
    const others = trucks(20).map((truck, at) => ({ ...truck, vin: `9${at + 10}`, seller: `s${at % 4}` }));
    const { comparables } = findComparables(TRUCK, [
      ...equals,
      ...others,
      ...trucks(40, { mileage: 410_000 }),
    ]);
    expect(comparables.filter(({ truck }) => truck.vin.startsWith('9'))).toHaveLength(20);
  });

  test('no more than half of an answer is one seller’s, however like the truck his are', () => {
    const rival = trucks(40, { seller: 'rival' });
    const found = findComparables(TRUCK, [...rival, ...trucks(12, { mileage: 500_000 })]);
    expect(found.withheld).toBeNull();
    expect(found.comparables.filter(({ truck }) => truck.seller === 'rival')).toHaveLength(15);
    expect(found.comparables).toHaveLength(27);
    const fewOthers = findComparables(TRUCK, [...trucks(60, { seller: 'rival' }), ...trucks(6)]);
    expect(fewOthers.withheld).toBe('dominant_seller');
  });
});

test('newer is not cheaper, and more miles are not dearer', () => {
  const absurd = Array.from({ length: 40 }, (_, n) => {
    const [year, miles] = [n % 8, Math.floor(n / 8)];
    return { year: 2012 + year, mileage: 100_000 * miles, price: 60_000 * 0.9 ** year * 1.2 ** miles };
  });
  expect(fitSlopes(absurd)).toEqual({ perYear: 0, perMiles: 0 });
});

test('a verdict follows the interval: none while it reaches over to the other side', () => {
  const judge = (price: number, prices: readonly number[]) => {
    const others = prices.map((asked, n) => ({ ...TRUCK, seller: `s${n % 3}`, vin: `${n}`, price: asked }));
    return judgePrice(price, TRUCK, findComparables(TRUCK, others));
  };
  const close = Array.from({ length: 30 }, (_, n) => 98_000 + n * 140);
  expect([60_000, 88_000, 100_000, 114_000, 160_000].map((price) => judge(price, close).verdict)).toEqual([
    'well_below_market',
    'below_market',
    'at_market',
    'above_market',
    'well_above_market',
  ]);
  const wide = [50_000, 70_000, 100_000, 140_000, 200_000];
  expect(judge(160_000, wide)).toMatchObject({ verdict: 'not_distinguishable' });
  const { interval } = judge(100_000, wide);
  expect([interval && interval.low < 0, interval && interval.high > 0]).toEqual([true, true]);
});

test('the interval is the wider, the further prices had to be adjusted', () => {
  const sellers = trucks(20).map((truck, at) => ({ ...truck, price: 58_000 + 200 * at }));
  const width = (change: Partial<Candidate>) => {
    const subject = { ...TRUCK, ...change };
    const { interval } = judgePrice(60_000, subject, findComparables(subject, sellers));
    return (interval?.high ?? 0) - (interval?.low ?? 0);
  };
  expect(width({ year: 2022 })).toBeGreaterThan(1.1 * width({}));
  expect(width({ mileage: 900_000 })).toBeGreaterThan(1.1 * width({}));
});

describe('no verdict, and why', () => {
  const verdict = (change: Partial<Candidate>, theirs: Partial<Candidate>) => {
    const subject = { ...TRUCK, ...change };
    const found = findComparables(subject, trucks(15, { ...change, ...theirs }));
    const reasons = explainPrice({ ...subject, price: 140_000, currency: null }, found, 60_000);
    return [judgePrice(140_000, subject, found).verdict, ...reasons.map(({ code }) => code)];
  };

  test.each([
    ['body', { body: '' }, {}],
    ['model', { model: '' }, {}],
    ['class', { truckClass: '' }, {}],
    ['condition', { condition: '' }, {}],
    ['cab', { cab: 'crew' }, { cab: '' }],
    ['cab', { cab: '' }, { cab: 'sleeper' }],
    ['mileage', { mileage: null }, {}],
  ])('%s not known to be the same: %o beside %o', (code, change, theirs) => {
    const [found, ...reasons] = verdict(change, theirs);
    expect(found).toBe('not_distinguishable');
    expect(reasons).toContain(code);
  });
});
