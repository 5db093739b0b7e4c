import { isDeepStrictEqual } from 'node:util';
import { deserialize } from 'node:v8';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readDataFile } from '../../lib/outside/data-file.ts';
import { bundledGeocoder } from '../../lib/outside/geocoder/gazetteer.ts';
import { buildGazetteer } from '../../scripts/build-gazetteer.ts';

const geocoder = bundledGeocoder();
const place = (parts: { city?: string; state?: string; zip?: string }) => ({
  city: null,
  state: null,
  zip: null,
  ...parts,
});

async function locate(parts: Parameters<typeof place>[0]) {
  const [found] = await geocoder.locate([place(parts)]);
  return found ?? null;
}

test.each([
  ['M5V 2T6', 'Toronto', 'ON', 43.65],
  ['T9H', 'Fort McMurray', 'AB', 56.73],
])('the Canadian code %s is in %s', async (zip, city, state, latitude) => {
  const [found] = await bundledGeocoder().locate([{ city: null, state: null, zip }]);
  expect(found).toMatchObject({ city, state, source: 'zip', latitude });
});

test('a known city counts against a postal area that is far from it', async () => {
  expect(await locate({ city: 'Edmonton', state: 'AB', zip: 'T9' })).toMatchObject({
    city: 'Edmonton',
    source: 'city',
    latitude: expect.closeTo(53.5, 0),
  });
  expect(await locate({ city: 'Houston', state: 'TX', zip: '79901' })).toMatchObject({ city: 'Houston' });
  expect(await locate({ city: 'Nisku', state: 'AB', zip: 'T9E 7W6' })).toMatchObject({
    latitude: expect.closeTo(53.3, 1),
    longitude: expect.closeTo(-113.5, 0),
  });
});

describe('bundled gazetteer', () => {
  test.each([
    ['60607', 'Chicago', 'IL', 41.87, -87.66],
    ['00501', 'Holtsville', 'NY', 40.8, -73.0],
    ['00901', 'San Juan', 'PR', 18.5, -66.1],
    ['10200', 'New York', 'NY', 40.8, -74.0],
  ])('ZIP %s is %s, %s', async (zip, city, state, latitude, longitude) => {
    const found = await locate({ zip });
    expect(found).toMatchObject({ source: 'zip', city, state });
    expect(Math.abs((found?.latitude ?? 99) - latitude)).toBeLessThan(0.15);
    expect(Math.abs((found?.longitude ?? 999) - longitude)).toBeLessThan(0.15);
  });

  test.each([
    ['Ft. Worth', 'TX', 32.75, -97.33],
    ["Coeur d'Alene", 'ID', 47.69, -116.78],
    ['St-Hyacinthe', 'QC', 45.63, -72.96],
    ['Balzac', 'AB', 51.21, -114.01],
    ['CDMX', 'CMX', 19.43, -99.13],
  ])('%s, %s is found', async (city, state, latitude, longitude) => {
    const found = await locate({ city, state });
    expect(found?.source).toBe('city');
    expect(Math.abs((found?.latitude ?? 99) - latitude)).toBeLessThan(0.15);
    expect(Math.abs((found?.longitude ?? 999) - longitude)).toBeLessThan(0.15);
  });

  test('an unknown ZIP code falls back to city and state; what is unknown is null', async () => {
    expect(await locate({ zip: '00000', city: 'Laredo', state: 'TX' })).toMatchObject({ source: 'city' });
    for (const parts of [
      {},
      { zip: '00000' },
      { zip: 'x' },
      { city: 'Laredo' },
      { city: 'Nowhere', state: 'TX' },
    ]) {
      expect(await locate(parts)).toBeNull();
    }
    expect(await locate({ city: '\u0000'.repeat(1_000), state: 'TX' })).toBeNull();
    expect(await locate({ city: 'Nowhere', state: 'ON' })).toBeNull();
  });

  test('is what its script makes of the source', async () => {
    const shipped = deserialize(brotliDecompressSync(await readDataFile('gazetteer.bin')));
    expect(isDeepStrictEqual(shipped, buildGazetteer())).toBe(true);
  });
});
