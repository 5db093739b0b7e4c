import { expect, test } from 'vitest';
import { toListingDoc } from '../../../lib/truck/listing/listing-doc.ts';
import { applyPatch, toMergedTruck } from '../../../lib/truck/listing/merge.ts';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import type { MergedTruck } from '../../../lib/truck/listing/truck.ts';
import { findUnit } from '../../../lib/truck/names/named-units.ts';
import { NO_PLACE } from '../../../lib/truck/place/place.ts';

test.each([
  ['mileage', 'Kms', 'km'],
  ['mileage', 'Millaje', null],
  ['mileage', 'Miles/KM', null],
  ['price', 'Price (CDN$)', 'CAD'],
  ['price', 'Prix en dollars canadiens', 'CAD'],
  ['price', 'Precio M.N.', 'MXN'],
  ['price', 'Precio Dlls', 'USD'],
  ['price', 'Price CAD/USD', null],
  ['gvwr', 'Peso Bruto (Kilogramos)', 'kg'],
  ['gvwr', 'GVWR (lbs)', 'lb'],
])('%s: %s says %s', (field, name, unit) => {
  expect(findUnit(field, name)).toBe(unit);
});

test('an unreadable unit makes the number unreadable, and never miles', () => {
  const { patch, warnings } = readRecord({ mileage: 640, mileage_unit: 'thousand km' });
  expect(patch.fields.mileage).toBeUndefined();
  expect(warnings.map(({ code }) => code)).toEqual(['MILEAGE_UNIT_UNREADABLE', 'MILEAGE_UNREADABLE']);
});

const facts = {
  dedupHash: '',
  located: null,
  decoded: null,
  currentYear: 2026,
  liveImages: 0,
  dealerPlace: { ...NO_PLACE, city: 'Nisku', state: 'AB' },
};
const IDENTITY = { vin: '1FUJGLDR3HLHG7501', sourceProviderId: '' };
const merge = (stored: MergedTruck | null, record: object) =>
  applyPatch(IDENTITY, stored, readRecord(record).patch, null);

test('a truck without a place has the odometer of its dealer’s country, once and after every merge', () => {
  const first = toListingDoc(merge(null, { mileage: 400_000 }), facts);
  expect(first).toMatchObject({ mileage: 248_548, mileage_unit: 'mi' });
  const repriced = toListingDoc(merge(toMergedTruck(first), { price: 54_900 }), facts);
  expect(repriced).toMatchObject({ mileage: 248_548, mileage_unit: 'mi' });
});

test('what says miles stays miles, wherever the dealer is', () => {
  for (const record of [
    { mileage: '400,000 mi' },
    { miles: 400_000 },
    { mileage: 400_000, mileage_unit: 'mi' },
  ])
    expect(toListingDoc(merge(null, record), facts).mileage).toBe(400_000);
});
