import { describe, expect, test } from 'vitest';
import { readAmount } from '../../../lib/domain/text/amounts.ts';
import { currencyIn } from '../../../lib/domain/text/currency.ts';
import { DOLLARS, MILES, POUNDS, readNumber, whole } from '../../../lib/domain/text/numbers.ts';
import { readYear } from '../../../lib/domain/text/year.ts';
import * as fc from '../../support/oracles/fast-check.ts';

describe('numbers as dealers write them', () => {
  test.each([
    ['26,000 lbs', POUNDS, 26_000],
    ['26000#', POUNDS, 26_000],
    ['26,000 LB. GVWR', POUNDS, 26_000],
    ['33k lbs', POUNDS, 33_000],
    ['54.900k', DOLLARS, 54_900],
    ['$54,900', DOLLARS, 54_900],
    ['54900.00', DOLLARS, 54_900],
    ['USD 54,900.50', DOLLARS, 54_900.5],
    ['-$5', DOLLARS, -5],
    ['$-5', DOLLARS, -5],
    ['412,350 mi', MILES, 412_350],
    [' 412350 ', MILES, 412_350],
    ['１２３', MILES, 123],
    [68_900, DOLLARS, 68_900],
    [Number.POSITIVE_INFINITY, DOLLARS, Number.POSITIVE_INFINITY],
  ])('%j is read', (sent, units, value) => {
    expect(readNumber(sent, units)).toBe(value);
  });

  test('metric values are converted', () => {
    expect(whole(readNumber('11793 kg', POUNDS) ?? 0)).toBe(25_999);
    expect(whole(readNumber('100,000 km', MILES) ?? 0)).toBe(62_137);
  });

  test.each([
    ['Call', DOLLARS],
    ['54.900', DOLLARS],
    ['5,49,00', DOLLARS],
    ['1,5', MILES],
    ['10,001 - 14,000 lb', POUNDS],
    ['(54,900)', DOLLARS],
    ['1e5', DOLLARS],
    ['--5', DOLLARS],
    ['constructor 5', DOLLARS],
    ['9'.repeat(500), DOLLARS],
    ['', DOLLARS],
    [Number.NaN, DOLLARS],
    [true, DOLLARS],
    [[5], DOLLARS],
    [{}, DOLLARS],
    [null, DOLLARS],
  ])('%j is not guessed at', (sent, units) => {
    expect(readNumber(sent, units)).toBeNull();
  });

  test('a number printed in any of these ways is the same number', () => {
    const print = [
      String,
      (n: number) => n.toLocaleString('en-US'),
      (n: number) => `$${n.toLocaleString('en-US')}.00`,
    ];
    fc.assert(
      fc.property(fc.nat(2_000_000_000), fc.constantFrom(...print), (value, printed) => {
        expect(readNumber(printed(value), DOLLARS)).toBe(value);
      }),
    );
  });

  test('rounding never leaves a -0 behind', () => {
    expect(Object.is(whole(-0.2), 0)).toBe(true);
  });
});

describe('amounts with words around them', () => {
  test.each([
    ['59 900,00 $', DOLLARS, 59_900, false],
    ['59900,00 $', DOLLARS, 59_900, false],
    ['$1.320.000,00', DOLLARS, 1_320_000, false],
    ["$1'150,000", DOLLARS, 1_150_000, false],
    ['$620 mil pesos', DOLLARS, 620_000, false],
    ['1.2 millones', DOLLARS, 1_200_000, false],
    ['1.65 MDP', DOLLARS, 1_650_000, false],
    ['$16,500 AS IS', DOLLARS, 16_500, true],
    ['$22,500 c/u', DOLLARS, 22_500, true],
    ['A partir de 45,900', DOLLARS, 45_900, true],
    ['1.250.000 km', MILES, 776_713.99, false],
    ['510 mil km', MILES, 316_899.31, false],
    ['$129,500 OBO', DOLLARS, 129_500, true],
    ['$45,000 ONO', DOLLARS, 45_000, true],
    ['45 000 $ + tx', DOLLARS, 45_000, true],
    ['Price drop: 45,000', DOLLARS, 45_000, true],
    ['$45,000 plus tax, title & license', DOLLARS, 45_000, true],
    ['~241,000', MILES, 241_000, true],
    ['appx. 345,000', MILES, 345_000, true],
    ['$54,900*', DOLLARS, 54_900, true],
    ['54 900', DOLLARS, 54_900, false],
    ['$54,900 + FET', DOLLARS, 54_900, true],
    ['$67,000 +GST', DOLLARS, 67_000, true],
    ['$67,000 + HST', DOLLARS, 67_000, true],
    ['$67,000+GST/PST', DOLLARS, 67_000, true],
    ['67,000 +tax', DOLLARS, 67_000, true],
    ['$850,000 +IVA', DOLLARS, 850_000, true],
    ['asking 65K', DOLLARS, 65_000, true],
    ['412,350+', MILES, 412_350, true],
    ['412,350 (verified)', MILES, 412_350, true],
    ['663 612 km', MILES, 412_349.379_465, false],
    ['33,000 lb (14,969 kg)', POUNDS, 33_000, false],
    ['$54,900 CAD', DOLLARS, 54_900, false],
  ])('%j is read', (sent, units, value, isShortened) => {
    const amount = readAmount(sent, units);
    expect(amount?.value).toBeCloseTo(value, 2);
    expect(amount?.isShortened).toBe(isShortened);
  });

  test.each([
    ['54.900', DOLLARS],
    ['$54,900 or $59,900', DOLLARS],
    ['$1,200/mo', DOLLARS],
    ['10,001 - 14,000 lb', POUNDS],
    ['33,000 lb (26,000 kg)', POUNDS],
    ['was $54,900', DOLLARS],
    ['(54,900)', DOLLARS],
    ['OBO', DOLLARS],
    ['5 4 900', DOLLARS],
  ])('%j is not guessed at', (sent, units) => {
    expect(readAmount(sent, units)).toBeNull();
  });

  test.each([
    ['$54,900 CAD', 'CAD'],
    ['C$54,900', 'CAD'],
    ['MXN 850,000', 'MXN'],
    ['US$54,900', 'USD'],
    ['$54,900', null],
  ])('%j names the currency %j', (sent, currency) => {
    expect(currencyIn(sent)).toBe(currency);
  });
});

describe('model years', () => {
  test.each([2021, '2021', ' 2021 ', '2021.0', '2021.'])('%j is 2021', (sent) => {
    expect(readYear(sent)).toBe(2021);
  });

  test.each([
    '21',
    21,
    2021.5,
    '2,021',
    'MY2021',
    '20211',
    true,
    [2021],
    {},
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    null,
  ])('%j is no year', (sent) => {
    expect(readYear(sent)).toBeNull();
  });
});
