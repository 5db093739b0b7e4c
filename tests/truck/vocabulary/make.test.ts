import { expect, test } from 'vitest';
import { foldKey } from '../../../lib/truck/text/text.ts';
import { canonicalMake } from '../../../lib/truck/vocabulary/make.ts';
import { MAKES } from '../../../lib/truck/vocabulary/makes.ts';

test.each([
  ['Ｋenworth', 'Kenworth'],
  ['Lion Électrique', 'Lion'],
  ['MAN Trucks', 'MAN'],
  ['Challenger Trailers', 'Challenger Trailers'],
  ['Granite Truck Works', 'Granite Works'],
  ['日野', '日野'],
  ['constructor', 'Constructor'],
])('%s is %s, and no misspelling', (text, name) => {
  expect(canonicalMake(text)).toEqual({ make: name, corrected: false });
});

test('a spelling is of one make', () => {
  const spellings = Object.values(MAKES).flatMap((aliases) => [...new Set(aliases.map(foldKey))]);
  expect(spellings.filter((spelling, at) => spellings.indexOf(spelling) !== at)).toEqual([]);
});

test('an unknown make has one spelling', () => {
  const readMakes = (spellings: string) =>
    new Set(spellings.split(',').map((spelling) => canonicalMake(spelling).make));
  expect(readMakes('zorbex,ZORBEX,Zorbex,Zorbéx,ZORBEX INC.,Zorbex Trucks,Zorbex®,zORBEX')).toEqual(
    new Set(['Zorbex']),
  );
  expect(readMakes('zor-bex,Zor Bex,ZOR BEX,Zor Bex Trucks,Zor-Bex Mfg.')).toEqual(new Set(['Zor Bex']));
});

test.each([
  ['GM', '1GB3CZCG0BF000000', 'Chevrolet'],
  ['GM', '1GD3CZCG0BF000000', 'GMC'],
  ['Mitsubishi', 'JA4AZ3A30JJ000000', 'Mitsubishi'],
  ['Mitsubishi', 'JL6CRH1S0JK000000', 'Mitsubishi Fuso'],
  ['Dodge Ram', '3D7KU28D04G000000', 'Dodge'],
  ['Dodge Ram', '3C6UR5CJ0EG000000', 'Ram'],
  ['Sprinter', 'WDYPF445000000000', 'Freightliner'],
  ['Sprinter', '', 'Mercedes-Benz'],
])('the ambiguous make %s of %s is %s', (text, vin, name) => {
  expect(canonicalMake(text, vin).make).toBe(name);
});
