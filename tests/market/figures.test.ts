import { describe, expect, test } from 'vitest';
import { toMarketFigures } from '../../lib/market/figures/market-figures.ts';
import { findWithheld } from '../../lib/market/figures/market-rule.ts';
import { limitSellers } from '../../lib/market/figures/market-sample.ts';
import * as fc from '../support/oracles/fast-check.ts';

const priced = fc.record({
  value: fc.integer({ min: 2, max: 1_000 }).map((steps) => steps * 500),
  seller: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
});

describe('the rule', () => {
  test('figures come from 5 trucks of 3 sellers on, none of whom has more than 80 %, else nothing but counts', () => {
    fc.assert(
      fc.property(fc.array(priced, { maxLength: 30 }), (sample) => {
        const figures = toMarketFigures(sample, 'price');
        const counts = [...Map.groupBy(sample, ({ seller }) => seller).values()].map(({ length }) => length);
        const may = sample.length >= 5 && counts.length >= 3 && Math.max(...counts) <= 0.8 * sample.length;
        expect(figures.withheld === null).toBe(may);
        const { count, withheld: _, ...rest } = figures;
        expect(count).toBe(sample.length);
        for (const value of Object.values(rest)) expect(value === null).toBe(!may);
      }),
    );
  });

  test.each(['', 'aabb', 'aabbb'])(
    'too few of a sample (%s) do not say that the market has too few',
    (sellers) => {
      expect(
        findWithheld(
          [...sellers].map((seller) => ({ seller })),
          true,
        ),
      ).toBe('sample_too_small');
    },
  );
});

test('of a seller who would fill a sample only the higher levels weigh, the others’ trucks all do', () => {
  const makeTrucks = (seller: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ seller, level: Math.clz32(n + 1) - Math.clz32(count) }));
  const limited = limitSellers([...makeTrucks('large', 1_000), ...makeTrucks('small', 90)], 400);
  const large = limited.filter(({ seller }) => seller === 'large');
  expect(limited.length - large.length).toBe(90);
  expect(large.length).toBeLessThanOrEqual(100);
  expect(large.length).toBeGreaterThan(50);
  expect(limitSellers(makeTrucks('large', 100), 400)).toHaveLength(100);
});
