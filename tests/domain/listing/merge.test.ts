import { describe, expect, test } from 'vitest';
import { applyPatch } from '../../../lib/domain/listing/merge.ts';
import type { VinDecoded } from '../../../lib/domain/listing/truck.ts';
import { NO_PLACE } from '../../../lib/domain/place/place.ts';

const identity = { vin: '1FUJGBDV3FLFZ2286', sourceProviderId: '' };

const _DECODED: VinDecoded = {
  make: 'Ford',
  model: 'F-550',
  series: null,
  year: 2022,
  years_possible: [2022],
  vehicle_type: 'truck',
  truck_class: 'class_5',
  gvwr_min: 16_001,
  gvwr_max: 19_500,
  body_type: 'cab_chassis',
  cab: 'Crew',
  drivetrain: null,
  engine: 'Ford 6.7L',
  engine_make: 'Ford',
  engine_model: null,
  displacement_l: 6.7,
  cylinders: 8,
  horsepower: null,
  fuel_type: 'diesel',
  manufacturer: 'Ford',
  plant_country: 'United States',
  check_digit_valid: true,
};


test('coordinates and a name of a place that come one after the other are not of one place', () => {
  const place = { latitude: 32.78, longitude: -96.8 };
  const stored = applyPatch(identity, null, { fields: {}, place }, null);
  const tulsa = { city: 'Tulsa', state: 'OK' };
  expect(applyPatch(identity, stored, { fields: {}, place: tulsa }, null).place).toEqual({
    ...NO_PLACE,
    ...tulsa,
  });
  const named = applyPatch(identity, null, { fields: {}, place: tulsa }, null);
  const shown = { ...tulsa, latitude: 36.15, longitude: -95.99 };
  const near = { latitude: 36.2, longitude: -96 };
  const patched = (there: typeof near) =>
    applyPatch(identity, named, { fields: {}, place: there }, null, shown).place;
  expect(patched(place)).toEqual({ ...NO_PLACE, ...place });
  expect(patched(near)).toEqual({ ...NO_PLACE, ...tulsa, ...near });
});

