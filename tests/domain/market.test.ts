import { describe, expect, test } from 'vitest';
import {
  addCells,
  cellFor,
  MILEAGE_BUCKETS,
  type Observation,
  PRICE_BUCKETS,
  readValues,
  toTallies,
} from '../../lib/domain/market/market-cell.ts';
import {
  adjust,
  findComparables,
  fitSlopes,
  judgePrice,
  MOST,
  type Priced,
  percentileFor,
} from '../../lib/domain/market/market-comparables.ts';
import { estimate } from '../../lib/domain/market/market-estimate.ts';
import {
  computeQuantile,
  computeSpread,
  QUANTILES,
  spreadOfTally,
  toFigures,
} from '../../lib/domain/market/market-figures.ts';
import { wholeBands } from '../../lib/domain/market/market-filter.ts';
import * as fc from '../support/fast-check.ts';

const observation: fc.Arbitrary<Observation> = fc.record({
  seller: fc.constantFrom('s1', 's2', 's3', 's4'),
  year: fc.integer({ min: 2015, max: 2020 }),
  truckClass: fc.constantFrom('class_7', 'class_8', ''),
  body: fc.constantFrom('box_truck', 'dump_truck', 'constructor', ''),
  state: fc.constantFrom('TX', 'OK', ''),
  condition: fc.constantFrom('used', 'new', ''),
  fuel: fc.constantFrom('diesel', ''),
  price: fc.option(fc.integer({ min: 1_000, max: 900_000 })),
  mileage: fc.option(fc.integer({ min: 0, max: 1_500_000 })),
});
const observations = fc.array(observation, { maxLength: 60 });

/** The quantile as a textbook says it: the value at rank (n - 1)·share, between neighbours in proportion. */
function naiveQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const [low, high] = [Math.floor(rank), Math.ceil(rank)];
  if (low === high) return sorted[low] ?? Number.NaN;
  return (sorted[low] ?? 0) * (high - rank) + (sorted[high] ?? 0) * (rank - low);
}

describe('quantiles', () => {
  test('equal the naive computation', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, share) => {
          const sorted = [...values].sort((a, b) => a - b);
          expect(computeQuantile(sorted, share)).toBeCloseTo(naiveQuantile(values, share), 4);
        },
      ),
    );
  });

  test('of a histogram lie between the neighbours of the rank, to the width of a bucket', () => {
    fc.assert(
      fc.property(fc.array(observation, { minLength: 1, maxLength: 200 }), (listings) => {
        for (const [what, buckets, relative, absolute] of [
          ['price', PRICE_BUCKETS, 0.016, 0],
          ['mileage', MILEAGE_BUCKETS, 0, 10_000],
        ] as const) {
          const values = readValues(listings, what);
          if (values.length === 0) continue;
          const sorted = values.map(({ value }) => value).sort((a, b) => a - b);
          const spread = spreadOfTally(toTallies(listings)[what], buckets);
          for (const share of Object.values(QUANTILES)) {
            const rank = (sorted.length - 1) * share;
            const low = sorted[Math.floor(rank)] ?? 0;
            const high = sorted[Math.ceil(rank)] ?? 0;
            const quantile = spread.quantile(share);
            expect(quantile).toBeGreaterThanOrEqual(low * (1 - relative) - absolute);
            expect(quantile).toBeLessThanOrEqual(high * (1 + relative) + absolute);
          }
        }
      }),
    );
  });
});

describe('cells', () => {
  test('counted at once equal the naive counts', () => {
    fc.assert(
      fc.property(observations, (listings) => {
        const { tallies, marks } = cellFor(listings);
        const prices = listings.flatMap(({ price }) => (price === null ? [] : [price]));
        expect(tallies.n).toBe(listings.length);
        expect(tallies.price.n).toBe(prices.length);
        expect(tallies.price.sum).toBe(prices.reduce((sum, price) => sum + price, 0));
        expect(tallies.price.min).toBe(prices.length === 0 ? null : Math.min(...prices));
        expect(tallies.price.max).toBe(prices.length === 0 ? null : Math.max(...prices));
        expect(tallies.sellers).toEqual(
          [...new Set(listings.map(({ seller }) => seller))].sort().slice(0, 3),
        );
        for (const state of ['TX', 'OK', ''])
          expect(marks.state[state]?.[0] ?? 0).toBe(
            listings.filter((listing) => listing.state === state).length,
          );
      }),
    );
  });

  test('added up from parts equal the cell counted at once, whatever the parts and their order, after JSON too', () => {
    fc.assert(
      fc.property(fc.array(observations, { maxLength: 6 }), fc.boolean(), (parts, turned) => {
        const cells = parts.map((part) => JSON.parse(JSON.stringify(cellFor(part))));
        const added = JSON.parse(JSON.stringify(addCells(turned ? cells.reverse() : cells)));
        expect(added).toEqual(JSON.parse(JSON.stringify(cellFor(parts.flat()))));
      }),
    );
  });
});

describe('estimates', () => {
  test('of a single property count exactly; of all listings change nothing', () => {
    fc.assert(
      fc.property(observations, (listings) => {
        const cell = cellFor(listings);
        const texan = estimate(cell, { state: (state) => state === 'TX' });
        const real = listings.filter(({ state }) => state === 'TX');
        expect(texan.n).toBeCloseTo(real.length, 6);
        expect(texan.price.n).toBeCloseTo(real.filter(({ price }) => price !== null).length, 6);
        const all = estimate(cell, { fuel: () => true });
        expect(all.price.n).toBeCloseTo(cell.tallies.price.n, 6);
        expect(all.price.sum).toBeCloseTo(cell.tallies.price.sum, 0);
        expect([all.price.min, all.price.max]).toEqual([null, null]);
      }),
    );
  });
});

describe('what may be told', () => {
  test('nothing of fewer than 5 listings, of one seller, or of one foreign listing, but of one’s own', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            value: fc.integer({ min: 1_000, max: 500_000 }),
            seller: fc.constantFrom('me', 'b', 'c'),
          }),
          { maxLength: 30 },
        ),
        (sample) => {
          const foreign = sample.filter(({ seller }) => seller !== 'me').length;
          const figures = toFigures({ ...computeSpread(sample), foreign }, 'price', 'me');
          const own = sample.length > 0 && foreign === 0;
          const sellers = new Set(sample.map(({ seller }) => seller)).size;
          const may = own || (sample.length >= 5 && sellers >= 2 && foreign !== 1);
          expect(figures.count).toBe(sample.length);
          expect(figures.p50 !== null).toBe(may);
          expect(figures.mean !== null).toBe(may);
          expect(figures.min !== null && figures.max !== null).toBe(
            own || (may && sample.length >= 20 && sellers >= 3),
          );
        },
      ),
    );
  });

  test('two samples that differ in one listing leave its price open by thousands of dollars', () => {
    const sellers = fc.constantFrom('b', 'c', 'd');
    const sample = fc.array(
      fc.record({ value: fc.integer({ min: 20_000, max: 200_000 }), seller: sellers }),
      { minLength: 6, maxLength: 60 },
    );
    fc.assert(
      fc.property(sample, (larger) => {
        const published = [larger, larger.slice(0, -1)].map((some) => ({
          n: some.length,
          figures: toFigures(computeSpread(some), 'price', 'x'),
        }));
        if (published.some(({ figures }) => figures.mean === null)) return;
        const [whole, rest] = published.map(({ n, figures }) => n * (figures.mean ?? 0));
        const step = Math.min(...larger.map((_, at) => (at >= 19 ? 100 : 500)));
        const difference = (whole ?? 0) - (rest ?? 0);
        // All that follows is a range: means are multiples of the step, so n of them of n steps.
        const open = larger.length * step;
        expect(Math.abs(difference - (larger.at(-1)?.value ?? 0))).toBeLessThanOrEqual(larger.length * 500);
        expect(2 * open).toBeGreaterThanOrEqual(4_000);
        expect(published.every(({ figures }) => (figures.mean ?? 0) % step === 0)).toBe(true);
      }),
    );
  });

  test('mileage bounds become whole bands', () => {
    expect(wholeBands(1, 250_001)).toEqual({ mileageMin: 0, mileageMax: 260_000 });
    expect(wholeBands(null, 0)).toEqual({ mileageMin: null, mileageMax: 10_000 });
  });
});

describe('comparables', () => {
  const subject = { year: 2019, mileage: 400_000, price: 60_000 };
  const priced: fc.Arbitrary<Priced> = fc
    .tuple(observation, fc.integer({ min: 5_000, max: 300_000 }))
    .map(([listing, price]) => ({ ...listing, price }));

  test('slopes of made-up prices are found again', () => {
    const listings = Array.from({ length: 200 }, (_, at): Priced => {
      const [year, mileage] = [2015 + (at % 8), ((at * 37) % 100) * 8_000];
      const price = 60_000 * Math.exp(0.11 * (year - 2019) - 0.09 * (mileage / 100_000 - 4));
      return {
        seller: 's',
        year,
        truckClass: '',
        body: '',
        state: '',
        condition: '',
        fuel: '',
        mileage,
        price,
      };
    });
    const slopes = fitSlopes(listings);
    expect(slopes.perYear).toBeCloseTo(0.11, 2);
    expect(slopes.per100kMiles).toBeCloseTo(-0.09, 2);
    for (const { adjusted } of findComparables(subject, listings))
      expect(Math.abs(adjusted - 60_000)).toBeLessThan(600);
  });

  test('a newer truck is never worth less for it, one with more miles never more; the same truck is its own price', () => {
    fc.assert(
      fc.property(fc.array(priced, { maxLength: 40 }), (listings) => {
        const slopes = fitSlopes(listings);
        expect(slopes.perYear).toBeGreaterThanOrEqual(0);
        expect(slopes.per100kMiles).toBeLessThanOrEqual(0);
        for (const { listing, similarity, adjusted } of findComparables(subject, listings)) {
          expect(adjust({ ...listing }, listing, slopes)).toBe(listing.price);
          expect(similarity).toBeLessThanOrEqual(100);
          expect(adjusted).toBeGreaterThan(0);
        }
        expect(findComparables(subject, listings).length).toBe(Math.min(MOST, listings.length));
      }),
    );
  });

  test('percentile equals the naive share; the verdict follows the ratio', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 20 }),
        (values, value) => {
          const naive = values.reduce(
            (sum, other) => sum + (other < value ? 1 : other === value ? 0.5 : 0),
            0,
          );
          expect(percentileFor(value, values)).toBe(Math.round((100 * naive) / values.length));
        },
      ),
    );
    expect([80, 90, 100, 110, 120].map((price) => judgePrice(price, 100))).toEqual([
      'well_below_market',
      'below_market',
      'at_market',
      'above_market',
      'well_above_market',
    ]);
  });
});
