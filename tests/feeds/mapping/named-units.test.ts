import { expect, test } from 'vitest';
import { listingDoc } from '../../../lib/truck/listing/listing-doc.ts';
import { applyPatch, toMergedTruck } from '../../../lib/truck/listing/merge.ts';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import type { MergedTruck } from '../../../lib/truck/listing/truck.ts';
import { unitNamed } from '../../../lib/truck/names/named-units.ts';
import { NO_PLACE } from '../../../lib/truck/place/place.ts';

test.each([
  ['mileage', 'Kms', 'km'],
  ['mileage', 'Kilometraje', 'km'],
  ['mileage', 'Odometer (km)', 'km'],
  ['mileage', 'Millaje', null],
  ['mileage', 'Miles/KM', null],
  ['price', 'Price USD', 'USD'],
  ['price', 'Precio en dólares', 'USD'],
  ['price', 'Price (CDN$)', 'CAD'],
  ['price', 'Prix en dollars canadiens', 'CAD'],
  ['price', 'priceMxn', 'MXN'],
  ['price', 'Precio M.N.', 'MXN'],
  ['price', 'Price (EUR)', 'EUR'],
  ['price', 'Price CAD/USD', null],
  ['price', 'Price', null],
  ['gvwr', 'GVW (kg)', 'kg'],
  ['gvwr', 'Peso Bruto (Kilogramos)', 'kg'],
  ['gvwr', 'GVWR (lbs)', 'lb'],
  ['gvwr', 'GVW kg/lbs', null],
])('%s: %s says %s', (field, name, unit) => {
  expect(unitNamed(field, name)).toBe(unit);
});

test('an unreadable unit makes the number unreadable, and never miles', () => {
  const { patch, warnings } = readRecord({ mileage: 640, mileage_unit: 'thousand km' });
  expect(patch.fields.mileage).toBeUndefined();
  expect(warnings.map(({ code }) => code)).toEqual(['MILEAGE_UNIT_UNREADABLE', 'MILEAGE_UNREADABLE']);
});

test.each([
  ['odo_km', { mileage: 62_137 }],
  ['precio_en_dolares', { price: 100_000, currency: 'USD' }],
])('a record’s member %s is a field in its unit', (name, fields) => {
  expect(readRecord({ [name]: 100_000 }).patch.fields).toMatchObject(fields);
});

const ALBERTA = { ...NO_PLACE, city: 'Nisku', state: 'AB' };
const facts = {
  dedupHash: '',
  located: null,
  decoded: null,
  currentYear: 2026,
  liveImages: 0,
  dealerPlace: ALBERTA,
};
const IDENTITY = { vin: '1FUJGLDR3HLHG7501', sourceProviderId: '' };
const merge = (stored: MergedTruck | null, record: object) =>
  applyPatch(IDENTITY, stored, readRecord(record).patch, null);

test('a truck without a place has the odometer of its dealer’s country, once and after every merge', () => {
  const first = listingDoc(merge(null, { mileage: 400_000 }), facts);
  expect(first).toMatchObject({ mileage: 248_548, mileage_unit: 'mi' });
  const repriced = listingDoc(merge(toMergedTruck(first), { price: 54_900 }), facts);
  expect(repriced).toMatchObject({ mileage: 248_548, mileage_unit: 'mi' });
  const driven = listingDoc(merge(toMergedTruck(repriced), { mileage: 500_000 }), facts);
  expect(driven).toMatchObject({ mileage: 310_686, mileage_unit: 'mi' });
});

test('what says miles stays miles, wherever the dealer is', () => {
  for (const record of [
    { mileage: '400,000 mi' },
    { miles: 400_000 },
    { mileage: 400_000, mileage_unit: 'mi' },
  ])
    expect(listingDoc(merge(null, record), facts).mileage).toBe(400_000);
  const texan = { ...facts, dealerPlace: { ...NO_PLACE, city: 'Dallas', state: 'TX' } };
  expect(listingDoc(merge(null, { mileage: 400_000 }), texan).mileage).toBe(400_000);
});
