import { describe, expect, test } from 'vitest';
import { editDistance } from '../../../lib/domain/names/edit-distance.ts';
import { dualUseMake, dualUseSet } from '../../../lib/domain/vocabulary/dual-use.ts';
import { canonicalMake, type MakeHints } from '../../../lib/domain/vocabulary/make.ts';
import { MAKES } from '../../../lib/domain/vocabulary/makes.ts';

const HINTS: MakeHints = { vin: '', year: 2015, isTruck: false };
const TRUCK: MakeHints = { ...HINTS, isTruck: true };
const make = (text: string, hints: Partial<MakeHints> = {}) => canonicalMake(text, { ...HINTS, ...hints });

describe('aliases', () => {
  test('every spelling of the table is its make, whatever its case and punctuation', () => {
    for (const [name, aliases] of Object.entries(MAKES)) {
      for (const alias of [name, ...aliases]) {
        if (/^(GM|GENERAL MOTORS)$/.test(alias)) continue;
        expect(canonicalMake(` ${alias.toLowerCase().replaceAll(' ', '-')}. `, TRUCK)).toEqual({
          make: name,
          corrected: false,
        });
      }
    }
  });

  test.each([
    ['mack trucks, inc.', 'Mack'],
    ['Ford Motor Company', 'Ford'],
    ['Volvo Trucks North America', 'Volvo'],
    ['International Trucks LLC', 'International'],
    ['Ｋenworth', 'Kenworth'],
    ['Freightliner (Daimler)', 'Freightliner'],
    ['Lion Électrique', 'Lion'],
  ])('%s is %s', (sent, name) => {
    expect(make(sent)).toEqual({ make: name, corrected: false });
  });

  test.each([
    ['Tatra', 'Tatra'],
    ['Forde', 'Forde'],
    ['MAN Trucks', 'MAN'],
    ['DAF Trucks', 'DAF'],
    ['MAN Commercial', 'Man Commercial'],
    ['Wevistar', 'Wevistar'],
    ['Eos Trucks', 'EOS'],
    ['Honda', 'Honda'],
    ['Hyundai', 'Hyundai'],
    ['Ferrari', 'Ferrari'],
    ['Trucks', 'Trucks'],
    ['123', '123'],
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
    ['General Motors Corp', { vin: '1GC3CZCG0BF000000' }, 'Chevrolet'],
    ['GM', { vin: '1GD3CZCG0BF000000' }, 'GMC'],
    ['GM', {}, 'GMC'],
    ['Mitsubishi', {}, 'Mitsubishi'],
    ['Mitsubishi', { isTruck: true }, 'Mitsubishi Fuso'],
    ['MITSUBISHI MOTORS', { vin: 'JL6CCE1S0BK000000' }, 'Mitsubishi Fuso'],
    ['Dodge Ram', { year: 2009 }, 'Dodge'],
    ['Dodge Ram', { year: 2010 }, 'Ram'],
    ['Dodge', { year: 2012 }, 'Dodge'],
    ['Sprinter', { vin: 'WDYPF445000000000' }, 'Freightliner'],
    ['Sprinter', { vin: 'WD0PF445000000000' }, 'Dodge'],
    ['Sprinter', {}, 'Mercedes-Benz'],
    ['IC', {}, 'IC Bus'],
    ['Navistar', {}, 'International'],
  ])('%s with %j is %s', (sent, hints, name) => {
    expect(make(sent, hints).make).toBe(name);
  });
});

describe('misspellings', () => {
  test.each([
    ['Peterbild', 'Peterbilt'],
    ['Peterbild Trucks, Inc.', 'Peterbilt'],
    ['FREIGTHLINER', 'Freightliner'],
    ['Kenwroth', 'Kenworth'],
    ['Isuzi', 'Isuzu'],
    ['Chevrolett', 'Chevrolet'],
  ])('%s is corrected to %s and said so', (sent, name) => {
    expect(make(sent)).toEqual({ make: name, corrected: true });
  });

  test('distance counts inserts, deletes, replacements and swaps of neighbours', () => {
    expect(editDistance('MACK', 'MACK')).toBe(0);
    expect(editDistance('MACK', 'AMCK')).toBe(1);
    expect(editDistance('MACK', 'MCK')).toBe(1);
    expect(editDistance('MACK', 'MAACK')).toBe(1);
    expect(editDistance('', 'MACK')).toBe(4);
  });
});

test('canonical makes stay what they are', () => {
  for (const name of Object.keys(MAKES)) {
    for (const hints of [HINTS, TRUCK]) {
      const once = canonicalMake(name, hints).make;
      expect(canonicalMake(once, hints)).toEqual({ make: once, corrected: false });
    }
  }
});

describe('dual-use', () => {
  const dualUse = dualUseSet(['FORD', 'chevy', 'Ram']);
  const judged = (sent: string, model: string | null = null, vin = '') =>
    dualUseMake({ make: sent, model }, { ...HINTS, vin }, dualUse);

  test.each([
    ['Ford', 'Ford'],
    ['Chevrolet', 'Chevrolet'],
    ['GMC', null],
    ['Ford Motor Co.', 'Ford'],
    ['Fоrd', 'Ford'],
    ['FORD F-150', 'Ford'],
    ['Silverado', 'Chevrolet'],
    ['Big Ford', 'Ford'],
    ['Freightliner', null],
    ['Altec', null],
  ])('%s is judged as %s', (sent, expected) => {
    expect(judged(sent)).toBe(expected);
  });

  test('a model tells what the make does not, and the VIN what neither does', () => {
    expect(judged('Unheard Of', 'F-150 XLT')).toBe('Ford');
    expect(judged('Unheard Of', null, '1FTFW1E50MFA00001')).toBe('Ford');
    expect(judged('Kenworth', 'T680', '1XKYD49X0MJ470445')).toBeNull();
    expect(judged('Freightliner', 'M2', '1FVACWDU1BHBB3474')).toBeNull();
  });
});
