import { describe, expect, test } from 'vitest';
import { canonicalTruck } from '../../../lib/domain/listing/canonical-truck.ts';
import { listingDoc } from '../../../lib/domain/listing/listing-doc.ts';
import { applyPatch, toMergedTruck } from '../../../lib/domain/listing/merge.ts';
import type { VinDecoded } from '../../../lib/domain/listing/truck.ts';
import { ownPlace } from '../../../lib/domain/place/country.ts';
import { NO_PLACE } from '../../../lib/domain/place/place.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { mergedTruck, patch } from '../arbitraries.ts';

const identity = { vin: '1FUJGBDV3FLFZ2286', sourceProviderId: '' };

const DECODED: VinDecoded = {
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

describe('merging', () => {
  test('the same patch twice says no more than once', () => {
    fc.assert(
      fc.property(fc.option(mergedTruck), patch, (stored, same) => {
        const once = applyPatch(identity, stored, same, null);
        expect(applyPatch(identity, once, same, null)).toEqual(once);
      }),
    );
  });
});

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

describe('canonical trucks', () => {
  test('come back unchanged from the stored document, whatever was filled in', () => {
    const located = fc.option(
      fc.record({
        source: fc.constantFrom('zip' as const, 'city' as const),
        latitude: fc.constant(31.76),
        longitude: fc.constant(-106.48),
        city: fc.constant('El Paso'),
        state: fc.constant('TX'),
      }),
    );
    const dealerPlace = fc.constantFrom(null, { ...NO_PLACE, city: 'Waco', state: 'TX', zip: '76701' });
    fc.assert(
      fc.property(
        mergedTruck,
        located,
        fc.constantFrom(null, DECODED),
        dealerPlace,
        (truck, place, decoded, at) => {
          const facts = {
            dedupHash: 'h',
            located: place,
            decoded,
            currentYear: 2026,
            liveImages: 0,
            dealerPlace: at,
          };
          const canonical = canonicalTruck(truck).truck;
          const doc = listingDoc(canonical, facts);
          expect(toMergedTruck(doc)).toEqual({ ...canonical, place: ownPlace(canonical.place, at) });
          expect(JSON.stringify(listingDoc(toMergedTruck(doc), facts))).toBe(JSON.stringify(doc));
        },
      ),
    );
  });
});
