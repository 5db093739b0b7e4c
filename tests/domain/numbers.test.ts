import { describe, expect, test } from 'vitest';
import { DOLLARS, MILES, POUNDS, readNumber, whole } from '../../lib/domain/text/numbers.ts';
import { readYear } from '../../lib/domain/text/year.ts';
import * as fc from '../support/fast-check.ts';

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
    ['39733.00 CAD', DOLLARS],
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
