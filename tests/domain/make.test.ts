import { describe, expect, test } from 'vitest';
import { dualUseSet, isDualUse } from '../../lib/domain/vocabulary/dual-use.ts';
import { canonicalMake, editDistance, type MakeHints } from '../../lib/domain/vocabulary/make.ts';
import { MAKES } from '../../lib/domain/vocabulary/makes.ts';

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
    ['Cascadia', 'Freightliner'],
  ])('%s is %s', (sent, name) => {
    expect(make(sent)).toEqual({ make: name, corrected: false });
  });

  test.each([
    'Tatra',
    'Forde',
    'MAN Trucks',
    'DAF Trucks',
    'MAN Commercial',
    'Wevistar',
    'Eos Trucks',
    'Honda',
    'Hyundai',
    'Ferrari',
    'Trucks',
    '123',
    '日野',
    'constructor',
  ])('the unknown make %s is kept as sent', (sent) => {
    expect(make(sent)).toEqual({ make: sent, corrected: false });
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

test('dual-use makes are compared by canonical name', () => {
  const dualUse = dualUseSet(['FORD', 'chevy', 'Ram']);
  expect(isDualUse('Ford', dualUse)).toBe(true);
  expect(isDualUse('Chevrolet', dualUse)).toBe(true);
  expect(isDualUse('GMC', dualUse)).toBe(false);
});
