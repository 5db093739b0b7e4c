import { expect, test } from 'vitest';
import { readAmount } from '../../../lib/truck/text/amounts.ts';
import { DOLLARS, MILES } from '../../../lib/truck/text/numbers.ts';
import { readYear } from '../../../lib/truck/text/year.ts';
import * as fc from '../../support/oracles/fast-check.ts';

test.each([
  ['-$5', DOLLARS, -5],
  ['１２３', MILES, 123],
  [Number.POSITIVE_INFINITY, DOLLARS, Number.POSITIVE_INFINITY],
  ['54.900', DOLLARS, undefined],
  ['5,49,00', DOLLARS, undefined],
  ['1e5', DOLLARS, undefined],
  [true, DOLLARS, undefined],
  [{}, DOLLARS, undefined],
  ['$54,900 or $59,900', DOLLARS, undefined],
  ['was $54,900', DOLLARS, undefined],
  ['1.65 mdp', DOLLARS, undefined],
  ['CA$61,400 CAD', DOLLARS, 61_400],
  ['MXN $850,000 M.N.', DOLLARS, 850_000],
  ['61 400 $ canadiens', DOLLARS, 61_400],
])('of %j the amount is %j', (text, units, value) => {
  expect(readAmount(text, units)?.value).toBe(value);
});

test('a number printed in any of these ways is the same number', () => {
  const print = [
    String,
    (n: number) => n.toLocaleString('en-US'),
    (n: number) => `$${n.toLocaleString('en-US')}.00`,
  ];
  fc.assert(
    fc.property(fc.nat(2_000_000_000), fc.constantFrom(...print), (value, printed) => {
      expect(readAmount(printed(value), DOLLARS)?.value).toBe(value);
    }),
  );
});

test.each([
  ['2021.0', 2021],
  [2021.5, null],
  ['2,021', null],
  ['20211', null],
])('the model year of %j is %j', (text, year) => {
  expect(readYear(text)).toBe(year);
});
