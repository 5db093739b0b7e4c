import { describe, expect, test } from 'vitest';
import { dualUseMake, dualUseSet } from '../../../lib/truck/vocabulary/dual-use.ts';
import { canonicalMake, type MakeHints } from '../../../lib/truck/vocabulary/make.ts';

const HINTS: MakeHints = { vin: '', year: 2015, isTruck: false };
const _TRUCK: MakeHints = { ...HINTS, isTruck: true };
const make = (text: string, hints: Partial<MakeHints> = {}) => canonicalMake(text, { ...HINTS, ...hints });

describe('aliases', () => {
  test.each([
    ['mack trucks, inc.', 'Mack'],
    ['Ｋenworth', 'Kenworth'],
    ['Lion Électrique', 'Lion'],
  ])('%s is %s', (sent, name) => {
    expect(make(sent)).toEqual({ make: name, corrected: false });
  });

  test.each([
    ['Tatra', 'Tatra'],
    ['MAN Trucks', 'MAN'],
    ['Eos Trucks', 'EOS'],
    ['Honda', 'Honda'],
    ['日野', '日野'],
    ['constructor', 'Constructor'],
  ])('the unknown make %s is %s', (sent, name) => {
    expect(make(sent)).toEqual({ make: name, corrected: false });
  });

  test('an unknown make has one spelling', () => {
    const named = (spellings: string) => new Set(spellings.split(',').map((sent) => make(sent).make));
    expect(named('zorbex,ZORBEX,Zorbex,Zorbéx,ZORBEX INC.,Zorbex Trucks,Zorbex®,zORBEX')).toEqual(
      new Set(['Zorbex']),
    );
    expect(named('zor-bex,Zor Bex,ZOR BEX,Zor Bex Trucks,Zor-Bex Mfg.')).toEqual(new Set(['Zor Bex']));
  });
});

describe('ambiguous makes', () => {
  test.each([
    ['GM', { vin: '1GB3CZCG0BF000000' }, 'Chevrolet'],
    ['GM', { vin: '1GD3CZCG0BF000000' }, 'GMC'],
    ['GM', {}, 'GMC'],
    ['Mitsubishi', {}, 'Mitsubishi'],
    ['Mitsubishi', { isTruck: true }, 'Mitsubishi Fuso'],
    ['Dodge Ram', { year: 2009 }, 'Dodge'],
    ['Dodge Ram', { year: 2010 }, 'Ram'],
    ['Sprinter', { vin: 'WDYPF445000000000' }, 'Freightliner'],
    ['Sprinter', {}, 'Mercedes-Benz'],
    ['IC', {}, 'IC Bus'],
  ])('%s with %j is %s', (sent, hints, name) => {
    expect(make(sent, hints).make).toBe(name);
  });
});

describe('misspellings', () => {
  test.each([
    ['Peterbild', 'Peterbilt'],
    ['FREIGTHLINER', 'Freightliner'],
  ])('%s is corrected to %s and said so', (sent, name) => {
    expect(make(sent)).toEqual({ make: name, corrected: true });
  });
});

describe('dual-use', () => {
  const dualUse = dualUseSet(['FORD', 'chevy', 'Ram']);
  const judged = (sent: string, model: string | null = null, vin = '') =>
    dualUseMake({ make: sent, model }, { ...HINTS, vin }, dualUse);

  test.each([
    ['Ford', 'Ford'],
    ['GMC', null],
    ['Fоrd', 'Ford'],
    ['FORD F-150', 'Ford'],
    ['Silverado', 'Chevrolet'],
    ['Freightliner', null],
  ])('%s is judged as %s', (sent, expected) => {
    expect(judged(sent)).toBe(expected);
  });
});
