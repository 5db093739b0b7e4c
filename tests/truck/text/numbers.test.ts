import { describe, expect, test } from 'vitest';
import { readAmount } from '../../../lib/truck/text/amounts.ts';
import { currencyIn } from '../../../lib/truck/text/currency.ts';
import { DOLLARS, MILES, POUNDS, readNumber } from '../../../lib/truck/text/numbers.ts';
import { readYear } from '../../../lib/truck/text/year.ts';
import * as fc from '../../support/oracles/fast-check.ts';

describe('numbers as dealers write them', () => {
  test.each([
    ['26000#', POUNDS, 26_000],
    ['33k lbs', POUNDS, 33_000],
    ['-$5', DOLLARS, -5],
    ['412,350 mi', MILES, 412_350],
    ['１２３', MILES, 123],
    [Number.POSITIVE_INFINITY, DOLLARS, Number.POSITIVE_INFINITY],
  ])('%j is read', (sent, units, value) => {
    expect(readNumber(sent, units)).toBe(value);
  });

  test.each([
    ['Call', DOLLARS],
    ['54.900', DOLLARS],
    ['5,49,00', DOLLARS],
    ['10,001 - 14,000 lb', POUNDS],
    ['(54,900)', DOLLARS],
    ['1e5', DOLLARS],
    [true, DOLLARS],
    [{}, DOLLARS],
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
});

describe('amounts with words around them', () => {
  test.each([
    ['$54,900 or $59,900', DOLLARS],
    ['$1,200/mo', DOLLARS],
    ['was $54,900', DOLLARS],
  ])('%j is not guessed at', (sent, units) => {
    expect(readAmount(sent, units)).toBeNull();
  });

  test.each([
    ['$54,900 CAD', 'CAD'],
    ['C$54,900', 'CAD'],
    ['MXN 850,000', 'MXN'],
  ])('%j names the currency %j', (sent, currency) => {
    expect(currencyIn(sent)).toBe(currency);
  });
});

describe('model years', () => {
  test.each(['2021.0'])('%j is 2021', (sent) => {
    expect(readYear(sent)).toBe(2021);
  });

  test.each(['21', 2021.5, '2,021', '20211', true])('%j is no year', (sent) => {
    expect(readYear(sent)).toBeNull();
  });
});
