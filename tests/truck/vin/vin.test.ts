import { describe, expect, test } from 'vitest';
import { computeCheckDigit, decodeModelYears, normaliseVin, toVinFacts } from '../../../lib/truck/vin/vin.ts';
import { REAL_TRUCK_VINS } from '../../fixtures/real-truck-vins.ts';
import * as fc from '../../support/oracles/fast-check.ts';

const CURRENT_YEAR = 2026;
const realTrucks = REAL_TRUCK_VINS.filter(([vin]) => vin.length === 17);

describe('check digit', () => {
  test.each([
    ['1M8GDM9AXKP042788', 'X'],
    ['1FUJGBDV3FLFZ2286', '3'],
  ])('of %s is %s', (vin, digit) => {
    expect(computeCheckDigit(vin)).toBe(digit);
  });

  test('any single mistyped digit of a valid VIN is noticed', () => {
    const valid = realTrucks.map(([vin]) => vin).filter((vin) => computeCheckDigit(vin) === vin.charAt(8));
    const shifts = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(
        fc.constantFrom(...valid),
        fc.integer({ min: 11, max: 16 }),
        shifts,
        (vin, position, shift) => {
          fc.pre(/\d/.test(vin.charAt(position)));
          const digit = (Number(vin.charAt(position)) + shift) % 10;
          const mistypedVin = vin.slice(0, position) + digit + vin.slice(position + 1);
          expect(toVinFacts(mistypedVin, CURRENT_YEAR, null).check_digit).toBe('invalid');
        },
      ),
    );
  });
});

test.each([
  ['B', [1981, 2011]],
  ['W', [1998, 2028]],
  ['X', [1999]],
  ['9', [2009]],
])('the model years of %s are %j: oldest first, from 1981 to the current year + 2', (code, years) => {
  expect(decodeModelYears(`123456789${code}1234567`, CURRENT_YEAR)).toEqual(years);
});

describe('normalising', () => {
  test.each(['\ufeff1fujgbdv\u20133FLF-Z\u20032286\u200b', '１ｆｕｊＧＢＤＶ３ＦＬＦＺ２２８６'])(
    '%j',
    (text) => {
      expect(normaliseVin(text)).toBe('1FUJGBDV3FLFZ2286');
    },
  );
});
