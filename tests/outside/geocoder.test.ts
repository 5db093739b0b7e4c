import { isDeepStrictEqual } from 'node:util';
import { deserialize } from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readDataFile } from '../../lib/outside/data-file.ts';
import { bundledGeocoder } from '../../lib/outside/geocoder/gazetteer.ts';
import { buildGazetteer } from '../../scripts/build-gazetteer.ts';

type Place = { city?: string; state?: string; zip?: string };

const locate = async (place: Place) =>
  (await bundledGeocoder().locate([{ city: null, state: null, zip: null, ...place }]))[0];

test.each<[place: Place, found: object, latitude: number, longitude: number]>([
  [{ zip: '00501' }, { source: 'zip', city: 'Holtsville', state: 'NY' }, 40.8, -73.0],
  [{ zip: 'T9H' }, { source: 'zip', city: 'Fort McMurray', state: 'AB' }, 56.73, -111.38],
  // A known city counts against a postal area that is far from it, and where the code is unknown.
  [{ city: 'Houston', state: 'TX', zip: '79901' }, { source: 'city', city: 'Houston' }, 29.76, -95.37],
  [{ city: 'Nisku', state: 'AB', zip: 'T9E 7W6' }, { state: 'AB' }, 53.3, -113.5],
  [{ city: 'Laredo', state: 'TX', zip: '00000' }, { source: 'city' }, 27.51, -99.5],
])('%j is %j', async (place, match, latitude, longitude) => {
  expect(await locate(place)).toMatchObject({
    ...match,
    latitude: expect.closeTo(latitude, 0),
    longitude: expect.closeTo(longitude, 0),
  });
});

test.each<[Place]>([
  [{}],
  [{ zip: '00000' }],
  [{ city: 'Laredo' }],
  [{ city: 'Nowhere', state: 'TX' }],
  [{ city: '\u0000'.repeat(1_000), state: 'TX' }],
])('%j is unknown', async (place) => {
  expect(await locate(place)).toBeNull();
});

test('the gazetteer is what its script makes of the source', async () => {
  const shipped = deserialize(brotliDecompressSync(await readDataFile('gazetteer.bin')));
  expect(isDeepStrictEqual(shipped, buildGazetteer())).toBe(true);
});
