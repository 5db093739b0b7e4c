import { expect, test } from 'vitest';
import { applyPatch } from '../../../lib/truck/listing/merge.ts';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import { NO_PLACE } from '../../../lib/truck/place/place.ts';

const identity = { vin: '1FUJGBDV3FLFZ2286', sourceProviderId: '' };

test('coordinates and a name of a place that come one after the other are not of one place', () => {
  const place = { latitude: 32.78, longitude: -96.8 };
  const stored = applyPatch(identity, null, { fields: {}, place }, null);
  const tulsa = { city: 'Tulsa', state: 'OK' };
  expect(applyPatch(identity, stored, { fields: {}, place: tulsa }, null).place).toEqual({
    ...NO_PLACE,
    ...tulsa,
  });
  const truck = applyPatch(identity, null, { fields: {}, place: tulsa }, null);
  const shownPlace = { ...tulsa, latitude: 36.15, longitude: -95.99 };
  const near = { latitude: 36.2, longitude: -96 };
  const patched = (coordinates: typeof near) =>
    applyPatch(identity, truck, { fields: {}, place: coordinates }, null, shownPlace).place;
  expect(patched(place)).toEqual({ ...NO_PLACE, ...place });
  expect(patched(near)).toEqual({ ...NO_PLACE, ...tulsa, ...near });
});

test.each([
  [{ latitude: 0, longitude: 0 }, null],
  [
    { city: 'Laredo', latitude: 27 },
    { ...NO_PLACE, city: 'Laredo' },
  ],
])('of %j the place is %j: 0/0 and a lone coordinate are none', (record, place) => {
  expect(applyPatch(identity, null, readRecord(record).patch, null).place).toEqual(place);
});
