import { expect, test } from 'vitest';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import { buildRecord } from '../../feeds/mapping/plan.ts';

/** Columns in which dealers write where a truck stands. */

function readPlaceColumn(column: string, value: string) {
  return readRecord(buildRecord({ [column]: value })).patch.place;
}

test.each(['Lot', 'Ubicación'])('a column %s with cities', (column) => {
  expect(readPlaceColumn(column, 'Location: Amarillo, TX')).toEqual({ city: 'Amarillo', state: 'TX' });
  expect(readPlaceColumn(column, 'Row 7')).toBeUndefined();
});

test.each([
  [{ location: 'CDMX' }, { city: 'CDMX', state: 'CMX' }],
  [
    { state: 'TX', country: 'MX' },
    { state: 'TX', country: 'MX' },
  ],
  [
    { city: 'Calgary', state: 'CA', country: 'CA' },
    { city: 'Calgary', country: 'CA' },
  ],
  [{ location: { latitude: 30, longitude: -97, source: null } }, { latitude: 30, longitude: -97 }],
  [{ location: { latitude: 30, longitude: -97, source: 'geocoder' } }, undefined],
])('the place of %j is %j', (record, place) => {
  const { patch, warnings } = readRecord(record);
  expect([patch.place, warnings.filter(({ code }) => code === 'STATE_UNREADABLE')]).toEqual([place, []]);
});
