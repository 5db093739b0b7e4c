import { describe, expect, test } from 'vitest';
import { explainSuspiciousPrice, findPriceBand } from '../../../lib/truck/price/price-envelope.ts';
import { canonicalBody } from '../../../lib/truck/vocabulary/body.ts';
import { canonicalModel } from '../../../lib/truck/vocabulary/model.ts';
import { readCondition } from '../../../lib/truck/vocabulary/resolve.ts';
import { toFullTradeName } from '../../../lib/truck/vocabulary/series.ts';
import { readWeightClass, readWeightRange } from '../../../lib/truck/vocabulary/weight-class.ts';

describe('bodies', () => {
  test.each<[string, string | null]>([
    ['Dump w/ pup trailer', 'dump'],
    ['TRCTR T/A D/C', 'day_cab_tractor'],
    ['78" Ultra Cab', 'sleeper_tractor'],
  ])('%s: %s', (text, body) => {
    expect(canonicalBody(text)).toBe(body);
  });
});

describe('weight classes', () => {
  test.each([
    [8, 8],
    ['2b', 2],
    ['Class 6: 19,501 - 26,000 lb (8,845 - 11,794 kg)', 6],
    ['Class 1-2', 2],
    ['Class Six', 6],
    ['Class 3 - 6 wheels', 3],
    ['Class One and Two', 2],
    ['Light - 2', 2],
    ['Class 2 - under 10,000 lbs', 2],
    ['Clase 6 a gasolina', 6],
    ['7/8', null],
    ['Class 3 through 5', null],
    ['Class 7.5', null],
    ['Not Class 1 or 2', null],
    ['Class 3 hitch', null],
    ['Light to medium duty', null],
    [9, null],
  ])('%j is class %j', (text, weightClass) => {
    expect(readWeightClass(text)).toBe(weightClass);
  });

  test.each([
    ['Class 6: 19,501 - 26,000 lb', { class: 6, min: 19_501 }],
    ['19501–26000', { class: 6, min: 19_501 }],
    ['10,000 - 14,000 lb', null],
    ['heavy', null],
  ])('the weight %j as a range is %j', (text, range) => {
    expect(readWeightRange(text)).toEqual(range);
  });
});

describe('prices', () => {
  test.each([
    [2028, 10_000, 2_000_000],
    [1990, 1_000, 300_000],
  ])('a truck of %i costs %i to %i', (year, min, max) => {
    expect(findPriceBand(year, 2026)).toEqual({ min, max });
  });

  test('a digit too many or too few is noticed, and the likely price is named', () => {
    const tractor = {
      class: 'class_8',
      body_type: 'sleeper_tractor',
      year: 2021,
      mileage: 400_000,
      confirmed_price: null,
    };
    const explain = (price: number, change = {}) =>
      explainSuspiciousPrice({ ...tractor, price, ...change }, 2026);
    expect(explain(689_000)).toContain('is it $68,900?');
    expect(explain(6_890)).toContain('is it $68,900?');
    expect([explain(68_900), explain(25_000), explain(190_000)]).toEqual([null, null, null]);
    expect(explain(689_000, { confirmed_price: 689_000 })).toBeNull();
    expect(explain(689_000, { confirmed_price: 68_900 })).not.toBeNull();
    expect(explain(689_000, { body_type: 'fire' })).toBeNull();
  });
});

describe('short vocabularies', () => {
  test.each([
    ['USED TRUCK', 'used'],
    ['https://schema.org/UsedCondition', 'used'],
    ['unused', null],
  ])('condition %s is %s', (text, condition) => {
    expect(readCondition(text)).toBe(condition);
  });

  test('the code and the parts of a trade name are the model that the VIN names', () => {
    const workStar = { model: 'WorkStar 7400', series: 'SF625' };
    for (const text of ['SF625', '7400', 'SF625 WorkStar', 'sf-625', '7400 SBA 6x4'])
      expect(toFullTradeName(text, workStar)).toBe('WorkStar 7400');
    for (const text of ['7600', 'WorkStar 7600', 'SBA']) expect(toFullTradeName(text, workStar)).toBe(text);
    const proStar = { model: 'ProStar', series: 'LF687' };
    expect(toFullTradeName(canonicalModel('ProStar+ 122', 'International'), proStar)).toBe('ProStar');
    expect(toFullTradeName('126', { model: 'Cascadia', series: '126' })).toBe('126');
  });
});
