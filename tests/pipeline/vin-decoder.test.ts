import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readDataFile } from '../../lib/outside/data-file.ts';
import { decodeVins } from '../../lib/pipeline/vin-decoder/decode-vins.ts';
import { decodeVpic } from '../../lib/pipeline/vin-decoder/vpic-file.ts';
import type { VinDecoded } from '../../lib/truck/listing/truck.ts';
import { hasVinCharacters } from '../../lib/truck/vin/vin.ts';
import { canonicalBody } from '../../lib/truck/vocabulary/body.ts';
import { canonicalFuel } from '../../lib/truck/vocabulary/resolve.ts';
import { encodeVpic } from '../../scripts/build-vpic/encode.ts';
import { REAL_TRUCK_VINS } from '../fixtures/real-truck-vins.ts';

const NOW = 2026;
const vpic = decodeVpic(brotliDecompressSync(await readDataFile('vpic.bin')));
const unpacked = encodeVpic(vpic);

/** The trucks of the list: well-formed VINs that are no trailer's. */
const TRUCKS = REAL_TRUCK_VINS.filter(([vin, , model]) => hasVinCharacters(vin) && model !== 'trailer');

async function decode(vin: string, year: number | null = null): Promise<VinDecoded | null> {
  const [decoded] = await decodeVins([{ vin, year }], NOW);
  return decoded ?? null;
}

const SLEEPER = { body_type: 'sleeper_tractor', cab: 'Sleeper', engine: 'Detroit Diesel DD15' };

describe('real trucks', async () => {
  const decodedTrucks = await decodeVins(
    TRUCKS.map(([vin]) => ({ vin, year: null })),
    NOW,
  );

  test('year and make are right for every truck of the list, without any help from the record', () => {
    const decodings = decodedTrucks.map((one, index) => [TRUCKS[index]?.[0], one?.make, one?.year]);
    expect(decodings).toEqual(TRUCKS.map(([vin, make, , year]) => [vin, make, year]));
    expect(TRUCKS.length).toBeGreaterThanOrEqual(59);
  });

  test.each([
    ['1FD0W5HT7NED58552', { model: 'F-550', truck_class: 'class_5', gvwr_min: 16_001, gvwr_max: 19_500 }],
    [
      '1FUJGLDR3HLHG7532',
      { ...SLEEPER, model: 'Cascadia', truck_class: 'class_8', gvwr_min: 33_001, gvwr_max: null },
    ],
    ['1FT8W3BT0KED61826', { body_type: 'pickup', engine: 'Ford 6.7L', displacement_l: 6.7, cylinders: 8 }],
    // Looser patterns fit this one as well: a V6 Cyclone of other Transits.
    ['1FDBF6P86RKB32747', { truck_class: 'class_2', engine: 'Ford Cyclone', displacement_l: 3.5 }],
    // A wrong check digit does not stop the rest.
    ['3HAEUMML7ML551926', { model: 'MV607', year: 2021 }],
  ])('%s is %j', async (vin, facts) => {
    expect(await decode(vin)).toMatchObject(facts);
  });

  test('most of the list has a class and an engine, and what is said keeps to our vocabulary', () => {
    const countKnown = (name: keyof VinDecoded) => decodedTrucks.filter((one) => one?.[name] != null).length;
    expect(countKnown('truck_class')).toBeGreaterThanOrEqual(TRUCKS.length - 1);
    expect(countKnown('engine')).toBeGreaterThanOrEqual(TRUCKS.length - 2);
    expect(countKnown('model')).toBeGreaterThanOrEqual(TRUCKS.length - 7);
    for (const one of decodedTrucks) {
      if (one?.body_type) expect(canonicalBody(one.body_type)).toBe(one.body_type);
      if (one?.fuel_type) expect(canonicalFuel(one.fuel_type)).toBe(one.fuel_type);
    }
  });
});

describe('the year', () => {
  test.each([
    [1998, 1996],
    [2014, 2026],
    [null, 2026],
    [1e9, 2026],
  ])('of a record of %s is the possible one nearest to it: %s', async (recordYear, year) => {
    expect(await decode('1FT8W3BT8TEE28481', recordYear)).toMatchObject({
      year,
      years_possible: [1996, 2026],
    });
  });

  test('may be later than the extract: a maker of today has not stopped', async () => {
    const [decoded] = await decodeVins([{ vin: '1FUJGLDR3XLHG7532', year: 2029 }], 2027);
    expect(decoded).toMatchObject({ make: 'Freightliner', year: 2029 });
    expect(decoded?.years_possible).toContain(2029);
  });

  test('is unknown when position 10 stands for none; the record then tells what the rest means', async () => {
    const vin = '1FUJGLDR30LHG7532';
    expect(await decode(vin)).toMatchObject({ year: null, years_possible: [], model: null });
    expect(await decode(vin, 2017)).toMatchObject({ year: null, model: 'Cascadia' });
  });
});

describe('what is not known', () => {
  test.each([
    ['3H3F532K9RJ464401', 'a trailer'],
    ['3ALACWFC2JDJO7166', 'the letter O'],
  ])('%s is null: %s', async (vin) => {
    expect(await decode(vin, 2018)).toBeNull();
  });

  test('small makers are told by positions 12 to 14', async () => {
    const small = vpic.wmis.find((wmi) => wmi.length === 6) ?? '';
    const vin = `${small.slice(0, 3)}AAAAA0FA${small.slice(3)}001`;
    expect(small.charAt(2)).toBe('9');
    expect((await decode(vin, 2015))?.manufacturer).toBeTruthy();
    expect(await decode(`${small.slice(0, 3)}AAAAA0FA###001`, 2015)).toBeNull();
  });
});

describe('the file', () => {
  test('is at most half a megabyte, and its unpacked form is bounded', async () => {
    expect((await readDataFile('vpic.bin')).byteLength).toBeLessThan(500_000);
    expect(unpacked.byteLength).toBeLessThan(1_500_000);
  });

  test('comes back as it was written; a damaged one is refused', () => {
    expect(decodeVpic(unpacked)).toEqual(vpic);
    expect(() => decodeVpic(unpacked.slice(0, -1))).toThrow('not a vPIC file');
    expect(() => decodeVpic(unpacked.with(0, 0))).toThrow('not a vPIC file');
  });
});
