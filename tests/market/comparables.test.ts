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
    for (const candidates of [equals, equals.toReversed()]) {
      const { comparables } = findComparables(TRUCK, candidates);
      expect(comparables).toHaveLength(30);
      expect(Math.abs(computeMedian(comparables.map(({ adjusted }) => adjusted)) - 59_000)).toBeLessThan(
        2_500,
      );
    }
  });

  test('of equally similar trucks some of each seller', () => {
    const equals = trucks(120).map((truck, at) => ({
      ...truck,
      vin: `${at < 100 ? 0 : 9}${at + 10}`,
      seller: at < 100 ? 'large' : `s${at % 4}`,
    }));
    const { comparables } = findComparables(TRUCK, [...equals, ...trucks(40, { mileage: 410_000 })]);
    expect(comparables.filter(({ truck }) => truck.vin.startsWith('9'))).toHaveLength(20);
  });

  test('no more than half of an answer is one seller’s, however like the truck his are', () => {
    const rival = trucks(40, { seller: 'rival' });
    const comparison = findComparables(TRUCK, [...rival, ...trucks(12, { mileage: 500_000 })]);
    expect(comparison.withheld).toBeNull();
    expect(comparison.comparables.filter(({ truck }) => truck.seller === 'rival')).toHaveLength(15);
    expect(comparison.comparables).toHaveLength(27);
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
    const candidates = prices.map((askingPrice, n) => ({
      ...TRUCK,
      seller: `s${n % 3}`,
      vin: `${n}`,
      price: askingPrice,
    }));
    return judgePrice(price, TRUCK, findComparables(TRUCK, candidates)).verdict;
  };
  const close = Array.from({ length: 30 }, (_, n) => 98_000 + n * 140);
  expect([60_000, 88_000, 100_000, 114_000, 160_000].map((price) => judge(price, close))).toEqual([
    'well_below_market',
    'below_market',
    'at_market',
    'above_market',
    'well_above_market',
  ]);
  expect(judge(160_000, [50_000, 70_000, 100_000, 140_000, 200_000])).toBe('not_distinguishable');
});

test.each<[string, Partial<Candidate>, Partial<Candidate>]>([
  ['body', { body: '' }, {}],
  ['model', { model: '' }, {}],
  ['class', { truckClass: '' }, {}],
  ['condition', { condition: '' }, {}],
  ['cab', { cab: 'crew' }, { cab: '' }],
  ['cab', { cab: '' }, { cab: 'sleeper' }],
  ['mileage', { mileage: null }, {}],
])('no verdict where the %s is not known to be the same: %o beside %o', (code, change, comparableChange) => {
  const subject = { ...TRUCK, ...change };
  const comparison = findComparables(subject, trucks(15, { ...change, ...comparableChange }));
  expect(judgePrice(140_000, subject, comparison).verdict).toBe('not_distinguishable');
  const reasons = explainPrice({ ...subject, price: 140_000, currency: null }, comparison, 60_000);
  expect(reasons.map((reason) => reason.code)).toContain(code);
});
