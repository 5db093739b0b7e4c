import { NO_FIELDS } from '../../lib/truck/listing/merge.ts';
import type { MergedTruck, Place } from '../../lib/truck/listing/truck.ts';
import { FIELDS } from '../../lib/truck/record/fields.ts';
import { entryFor, FIELD_NAMES, type FieldName, type TruckFields } from '../../lib/truck/record/record.ts';
import { REAL_TRUCK_VINS } from '../fixtures/real-truck-vins.ts';
import * as fc from '../support/oracles/fast-check.ts';

/** Arbitrary trucks for property tests. */

const line = fc.constantFrom('White', 'Kenworth T680', 'Detroit DD15', 'a b', 'Ünïcödé', '4300');
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 3 });

const ANY_OF_KIND = {
  text: line,
  block: line,
  integer: fc.integer({ min: 0, max: 1_000 }),
  list: fc.array(line, { maxLength: 3 }),
};

/** Values that have something to be made canonical. */
const TELLING: Partial<Record<FieldName, fc.Arbitrary<unknown>>> = {
  year: fc.integer({ min: 1990, max: 2028 }),
  make: fc.constantFrom(
    'FRTLNR',
    'Peterbilt',
    'peterbild',
    'GM',
    'Mitsubishi',
    'Tatra',
    'Dodge Ram',
    'SPRINTER',
  ),
  model: fc.constantFrom('Kenworth T680', 'Cascadia', 'GMC GMC C7500', 'Peterbilt', '4300'),
  class: fc.constantFrom('class_3', 'class_5', 'class_8'),
  gvwr: fc.integer({ min: 10_001, max: 80_000 }),
  body_type: fc.constantFrom('Sleeper', 'box_truck', 'Hydro Excavator', '4D Crew Cab', '油槽车'),
  condition: fc.constantFrom('new', 'used', 'Pre-Owned', 'excellent'),
  price: fc.integer({ min: 1_000, max: 300_000 }),
  mileage: fc.integer({ min: 0, max: 900_000 }),
  fuel_type: fc.constantFrom('Diesel', 'CNG', 'wood gas'),
  description: fc.constantFrom('One owner.', 'One owner, full service history, ready to work today.'),
  url: fc.constant('https://dealer.example/1'),
};

/** Fields as validate hands them on: clean, but not yet canonical. */
const fields = fc.record(
  Object.fromEntries(
    FIELD_NAMES.map((name) => {
      const value = TELLING[name] ?? ANY_OF_KIND[FIELDS[name].kind];
      return [name, entryFor(name).required ? value : optional(value)];
    }),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<TruckFields>>;

const address = fc.record({
  city: optional(fc.constantFrom('El Paso', 'st. louis', 'Nowhere')),
  state: optional(fc.constantFrom('TX', 'MO', 'ON')),
  zip: optional(fc.constantFrom('79901', '60607', '00000', 'K1A 0B1')),
  country: optional(fc.constantFrom('US', 'CA', 'MX')),
});
const coordinates = fc.constantFrom(
  { latitude: null, longitude: null },
  { latitude: 31.7, longitude: -106.4 },
  { latitude: -12.5, longitude: 0 },
);
const place: fc.Arbitrary<Place> = fc.tuple(address, coordinates).map(([parts, at]) => ({ ...parts, ...at }));
const attributes = fc.dictionary(
  fc.constantFrom('apu', 'suspension', '7', 'axle ratio'),
  fc.oneof(fc.constant(null), fc.integer(), line, fc.array(fc.integer(), { maxLength: 2 })),
);
const images = fc.uniqueArray(fc.constantFrom('https://a.example/1.jpg', 'https://a.example/2.jpg'));

/** A truck after merging. */
export const mergedTruck: fc.Arbitrary<MergedTruck> = fc.record({
  vin: fc.constantFrom(...REAL_TRUCK_VINS.map(([vin]) => vin)),
  sourceProviderId: fc.constantFrom('', 'dms-1'),
  // Kilometers of a truck abroad are converted for good.
  fields: fields.map((some) => ({ ...NO_FIELDS, ...some, mileage_unit: 'mi' })),
  place: optional(place),
  images,
  attributes: attributes.map((all) =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)),
  ),
  dealer: optional(fc.constant('lone-star')),
});
