import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readDataFile } from '../../lib/adapters/data-file.ts';
import { decodeVin } from '../../lib/adapters/vin-decoder/decode-vin.ts';
import { openBook } from '../../lib/adapters/vin-decoder/match.ts';
import { closeness, fits, keyedPart } from '../../lib/adapters/vin-decoder/pattern-key.ts';
import { bundledVinDecoder } from '../../lib/adapters/vin-decoder/vin-decoder.ts';
import { decodeVpic, encodeVpic, type Vpic } from '../../lib/adapters/vin-decoder/vpic-file.ts';
import type { VinDecoded } from '../../lib/domain/listing/truck.ts';
import { decodeModelYears, hasVinCharacters } from '../../lib/domain/vin/vin.ts';
import { canonicalBody } from '../../lib/domain/vocabulary/body.ts';
import { canonicalMake } from '../../lib/domain/vocabulary/make.ts';
import { canonicalFuel } from '../../lib/domain/vocabulary/resolve.ts';
import { REAL_TRUCK_VINS } from '../fixtures/real-truck-vins.ts';
import * as fc from '../support/oracles/fast-check.ts';

const NOW = 2026;
const decoder = bundledVinDecoder(() => NOW);
const vpic = decodeVpic(brotliDecompressSync(await readDataFile('vpic.bin')));
const unpacked = encodeVpic(vpic);

/** The trucks of the list: well-formed VINs that are no trailer's. */
const TRUCKS = REAL_TRUCK_VINS.filter(([vin, , model]) => hasVinCharacters(vin) && model !== 'trailer');

async function decode(vin: string, year: number | null = null): Promise<VinDecoded | null> {
  const [decoded] = await decoder.decode([{ vin, year }]);
  return decoded ?? null;
}

/** What the year and make come out as when the decoder is `fault` instead. */
function wrongWith(fault: (vin: string) => { make?: string | null; year?: number | null } | null): string[] {
  return TRUCKS.filter(([vin, make, , year]) => {
    const found = fault(vin);
    return found?.make !== make || found.year !== year;
  }).map(([vin]) => vin);
}

describe('real trucks', () => {
  test('year and make are right for every truck of the list, without any help from the record', async () => {
    const decoded = await decoder.decode(TRUCKS.map(([vin]) => ({ vin, year: null })));
    const found = decoded.map((one, index) => [TRUCKS[index]?.[0], one?.make, one?.year]);
    // Schemas of 1992 and 2022 say the same of this one, and the newer is not preferred.
    const isUnclear = (vin: string) => vin === '1XPBDP9X5ND441078';
    expect(found).toEqual(TRUCKS.map(([vin, make, , year]) => [vin, make, isUnclear(vin) ? null : year]));
    expect(TRUCKS.length).toBeGreaterThanOrEqual(59);
  });

  test('with the right year from the record as well', async () => {
    const decoded = await decoder.decode(TRUCKS.map(([vin, , , year]) => ({ vin, year })));
    expect(decoded.map((one) => [one?.make, one?.year])).toEqual(
      TRUCKS.map(([, make, , year]) => [make, year]),
    );
  });

  test('the rule of position 7 would get many of their years wrong', () => {
    const byPosition7 = (vin: string) => {
      const [early, late] = [decodeModelYears(vin, NOW)[0], decodeModelYears(vin, NOW).at(-1)];
      return {
        make: TRUCKS.find(([one]) => one === vin)?.[1] ?? null,
        year: /\d/.test(vin.charAt(6)) ? early : late,
      };
    };
    expect(
      wrongWith((vin) => ({ ...byPosition7(vin), year: byPosition7(vin).year ?? null })).length,
    ).toBeGreaterThan(3);
  });

  test.each([
    ['1FD0W5HT7NED58552', 'F-550', 'class_5', 16_001, 19_500],
    ['1FDNF6DC1JDF06566', 'F-650', 'class_6', 19_501, 26_000],
    ['1FDXF7DE4KDF15859', 'F-750', 'class_7', 26_001, 33_000],
    ['1FT8W3BT0KED61826', 'F-350', 'class_3', 10_001, 14_000],
    ['1FT7W2BT5DEB19543', 'F-250', 'class_2', 6_001, 10_000],
    ['1FDBF6P86RKB32747', 'Transit', 'class_2', 6_001, 10_000],
    ['3C7WRNFL3LG119579', '5500', 'class_5', 16_001, 19_500],
    ['3C6UR5DL5MG630792', '2500', 'class_2', 6_001, 10_000],
    ['JALC4W169K7009926', 'NPR-HD', 'class_4', 14_001, 16_000],
    ['3ALACWFC1LDLW9109', 'M2', 'class_6', 19_501, 26_000],
    ['1FUJGLDR3HLHG7532', 'Cascadia', 'class_8', 33_001, null],
    ['1XKYD49X6GJ474462', 'T680', 'class_8', 33_001, null],
    ['1XPBDP9XXFD256720', '579', 'class_8', 33_001, null],
    ['4V4NC9EH5LN204420', 'VNL', 'class_8', 33_001, null],
    ['3HSDZAPR2LN420847', 'LT625', 'class_8', 33_001, null],
  ])('%s is a %s of %s', async (vin, model, truck_class, gvwr_min, gvwr_max) => {
    expect(await decode(vin)).toMatchObject({ model, truck_class, gvwr_min, gvwr_max });
  });

  test.each([
    ['1FUJGLDR3HLHG7532', { body_type: 'sleeper_tractor', cab: 'Sleeper', engine: 'Detroit Diesel DD15' }],
    [
      '3HSDZAPR2LN420847',
      { body_type: 'tractor', engine: 'Cummins X15', fuel_type: 'diesel', plant_country: 'Mexico' },
    ],
    ['1FT8W3BT0KED61826', { body_type: 'pickup', engine: 'Ford 6.7L', displacement_l: 6.7, cylinders: 8 }],
    ['3C7WRNFL0NG288476', { body_type: 'cab_chassis', engine_make: 'Cummins', cab: 'Crew cab' }],
    // Looser patterns fit these two as well: a V6 Cyclone of other Transits, the standard cab of all NPRs.
    ['1FDBF6P86RKB32747', { engine: 'Ford Cyclone', displacement_l: 3.5 }],
    ['JALC4W165N7015842', { cab: 'Low cab forward' }],
    ['54DC4W1D7RS208881', { engine: 'GM L8T', fuel_type: 'gasoline', vehicle_type: 'incomplete_vehicle' }],
    [
      '3ALACWFC1LDLW9109',
      { body_type: null, engine: 'Cummins B6.7', manufacturer: expect.stringContaining('DAIMLER') },
    ],
  ])('%s: body, cab, engine and fuel', async (vin, facts) => {
    expect(await decode(vin)).toMatchObject(facts);
  });

  test('most of the list has a class and an engine, and what is said keeps to our vocabulary', async () => {
    const decoded = await decoder.decode(TRUCKS.map(([vin]) => ({ vin, year: null })));
    const known = (name: keyof VinDecoded) => decoded.filter((one) => one?.[name] != null).length;
    expect(known('truck_class')).toBeGreaterThanOrEqual(TRUCKS.length - 1);
    expect(known('engine')).toBeGreaterThanOrEqual(TRUCKS.length - 2);
    expect(known('model')).toBeGreaterThanOrEqual(TRUCKS.length - 7);
    for (const one of decoded) {
      if (one?.body_type) expect(canonicalBody(one.body_type)).toBe(one.body_type);
      if (one?.fuel_type) expect(canonicalFuel(one.fuel_type)).toBe(one.fuel_type);
    }
  });

  test('the check digit is told, and a wrong one does not stop the rest', async () => {
    expect(await decode('3HAEUMML7ML551926')).toMatchObject({
      check_digit_valid: false,
      model: 'MV607',
      year: 2021,
    });
    expect(await decode('1HTEUMML5NH510393')).toMatchObject({ check_digit_valid: true });
  });
});

describe('the year', () => {
  test('is that of the only schema, whatever the record says', async () => {
    expect(await decode('3AKJGEDV3HDHY1419', 1987)).toMatchObject({ year: 2017, years_possible: [2017] });
  });

  test('is the record’s where the maker has schemas for both', async () => {
    const vin = '1FT8W3BT8TEE28481';
    expect(await decode(vin, 1996)).toMatchObject({ year: 1996, years_possible: [1996, 2026] });
    expect(await decode(vin, 2026)).toMatchObject({ year: 2026, years_possible: [1996, 2026] });
  });

  test('of a record that position 10 cannot stand for changes nothing', async () => {
    for (const year of [2011, 0, -1, Number.NaN, 1e9]) {
      expect(await decode('1FT8W3BT8TEE28481', year)).toMatchObject({ year: 2026, model: 'F-350' });
    }
  });

  test('may be later than the extract: a maker of today has not stopped', async () => {
    const later = bundledVinDecoder(() => 2027);
    const [decoded] = await later.decode([{ vin: '1FUJGLDR3XLHG7532', year: 2029 }]);
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
    ['3ALACWFC2JDK7166', '16 characters'],
    ['ZZZACWFC2JDJK7166', 'an unknown maker'],
    ['3ALACWFC2JDJO7166', 'the letter O'],
    ['', 'nothing'],
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

  test('any text is taken, well formed or not, and the same text gives the same answer', async () => {
    const legal = fc.string({
      unit: fc.constantFrom(...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'),
      minLength: 17,
      maxLength: 17,
    });
    const likely = fc
      .tuple(fc.constantFrom(...vpic.wmis), legal)
      .map(
        ([wmi, rest]) =>
          wmi.slice(0, 3) + rest.slice(3, 11) + wmi.slice(3) + rest.slice(11 + wmi.slice(3).length),
      );
    const any = fc.string({ unit: 'binary', minLength: 17, maxLength: 17 });
    const year = fc.option(fc.oneof(fc.integer(), fc.integer({ min: 1980, max: 2030 }), fc.double()));
    await fc.assert(
      fc.asyncProperty(fc.oneof(legal, likely, any), year, async (vin, recordYear) => {
        const first = await decode(vin, recordYear);
        const named = first?.make ? canonicalMake(first.make, { vin, year: null, isTruck: true }) : null;
        // A maker whose name is near a make by chance keeps its name.
        if (named && !named.corrected) expect(named.make).toBe(first?.make);
        if (first?.year != null) expect(first.years_possible).toContain(first.year);
        await decoder.decode([{ vin: '1FUJGLDR3HLHG7532', year: null }]);
        expect(await decode(vin, recordYear)).toEqual(first);
      }),
      { numRuns: 500 },
    );
  });

  test('answers keep the length and order of the question', async () => {
    const vins = ['1XKYD49X6GJ474462', 'nonsense', '1FD0W5HT7NED58552'].map((vin) => ({ vin, year: null }));
    expect((await decoder.decode(vins)).map((one) => one?.model ?? null)).toEqual(['T680', null, 'F-550']);
    expect(await decoder.decode([])).toEqual([]);
  });
});

describe('patterns', () => {
  const part = keyedPart('1FD0W5HT7NED58552');

  test.each([
    ['0W5HT|NE', true],
    ['*W5', true],
    ['*[A-W][59]', true],
    ['*****|*E', true],
    ['*****|*[A-D]', false],
    ['0W6', false],
    ['*****|********', true],
    ['*****|*********', false],
    ['[', false],
  ])('%s fits: %s', (key, expected) => {
    expect(fits(key, part)).toBe(expected);
  });

  test('a key that names more positions is closer, then one that allows fewer characters', () => {
    const keys = ['*W5H', '*W[56]H', '*W5', '[01]W', '*W', '*[VW]', '*[A-Z]', '*****'];
    const order = keys.toReversed().sort((left, right) => closeness(right) - closeness(left));
    expect(order).toEqual(keys);
  });

  test('the closest key wins, within a schema and across schemas', () => {
    const read = (keys: string[]) => openBook(oneSchema(keys)).read(MAKER, '1FD0W5HT7NED58552', 2022).model;
    expect(read(['0W5', '*W'])).toBe('0W5');
    const twoSchemas = openBook(oneSchema(['*W'], ['0W5']));
    expect(twoSchemas.read(MAKER, '1FD0W5HT7NED58552', 2022).model).toBe('0W5');
  });

  test('stand in the file with the closest key of an element first', () => {
    let checked = 0;
    vpic.schemaStarts.forEach((start, schema) => {
      for (let fact = start + 1; fact < (vpic.schemaStarts[schema + 1] ?? start); fact++) {
        const [before, here] = [fact - 1, fact].map((one) => ({
          element: vpic.values[vpic.factValues[one] ?? 0]?.charAt(0),
          closeness: closeness(vpic.keys[vpic.factKeys[one] ?? 0] ?? ''),
        }));
        if (before?.element !== here?.element) continue;
        checked += 1;
        if ((before?.closeness ?? 0) < (here?.closeness ?? 0)) expect([schema, fact]).toBe('in order');
      }
    });
    expect(checked).toBeGreaterThan(100_000);
  });

  test('taking the loosest pattern instead would get real trucks wrong', () => {
    const reversed = openBook(loosestFirst(vpic));
    const changed = TRUCKS.filter(([vin, , , year]) => {
      const years = { recordYear: year, currentYear: NOW };
      return (
        JSON.stringify(decodeVin(reversed, vin, years)) !==
        JSON.stringify(decodeVin(openBook(vpic), vin, years))
      );
    });
    expect(changed.length).toBeGreaterThan(0);
  });
});

describe('the file', () => {
  test('is at most half a megabyte, and its unpacked form is bounded', async () => {
    expect((await readDataFile('vpic.bin')).byteLength).toBeLessThan(500_000);
    expect(unpacked.byteLength).toBeLessThan(1_500_000);
  });

  test('comes back as it was written; a damaged one is refused', () => {
    expect(decodeVpic(unpacked)).toEqual(vpic);
    expect(() => decodeVpic(unpacked.slice(0, -1))).toThrow('no vPIC file');
    expect(() => decodeVpic(unpacked.with(0, 0))).toThrow('no vPIC file');
    expect(() => decodeVpic(new Uint8Array(3))).toThrow('no vPIC file');
  });

  test('points nowhere outside itself', () => {
    const largest = (column: Iterable<number>) => [...column].reduce((most, one) => Math.max(most, one), 0);
    expect(largest(vpic.factKeys)).toBeLessThan(vpic.keys.length);
    expect(largest(vpic.factValues)).toBeLessThan(vpic.values.length);
    expect(largest(vpic.useSchemas)).toBeLessThan(vpic.schemaStarts.length - 1);
    expect(vpic.schemaStarts.at(-1)).toBe(vpic.factKeys.length);
    expect(vpic.wmiStarts.at(-1)).toBe(vpic.useSchemas.length);
    expect(vpic.wmiStarts).toHaveLength(vpic.wmis.length + 1);
    expect(vpic.makers).toHaveLength(vpic.wmis.length);
  });
});

describe('loading', () => {
  afterEach(() => {
    vi.doUnmock('../../lib/adapters/data-file.ts');
    vi.resetModules();
  });

  test('nothing is read before the first VIN, and then only once', async () => {
    const read = vi.fn(readDataFile);
    const fresh = await newDecoder(read);
    expect(await fresh.decode([])).toEqual([]);
    await vi.dynamicImportSettled();
    expect(read).not.toHaveBeenCalled();
    const one = [{ vin: '1XKYD49X6GJ474462', year: null }];
    await Promise.all([fresh.decode(one), fresh.decode(one)]);
    await fresh.decode(one);
    expect(read.mock.calls).toEqual([['vpic.bin']]);
  });

  test('a failed load is tried again with the next VIN', async () => {
    const read = vi.fn(readDataFile).mockRejectedValueOnce(new Error('disk'));
    const fresh = await newDecoder(read);
    const one = [{ vin: '1XKYD49X6GJ474462', year: null }];
    await expect(fresh.decode(one)).rejects.toThrow('disk');
    expect((await fresh.decode(one))[0]?.model).toBe('T680');
  });

  test('a cold start pays for no Node module and no file reader of the decoder', () => {
    const seen = staticImports('lib/adapters/vin-decoder/vin-decoder.ts');
    expect(seen).toContain('lib/adapters/vin-decoder/decode-vin.ts');
    expect(seen.filter((name) => name.startsWith('node:') || /data-file|vpic-file|match/.test(name))).toEqual(
      [],
    );
  });
});

const MAKER = { index: 0, type: 'Truck', make: 'Ford', manufacturer: 'Ford' };

/** One maker whose model is named after the key that fits; a schema per list. */
function oneSchema(...schemas: string[][]): Vpic {
  const keys = schemas.flat();
  const starts = schemas.map((_, index) => schemas.slice(0, index).flat().length);
  return {
    vintage: 2026,
    schemaStarts: Uint32Array.from([...starts, keys.length]),
    wmiStarts: Uint32Array.from([0, schemas.length]),
    factKeys: Uint16Array.from(keys.keys()),
    factValues: Uint16Array.from(keys.keys()),
    useSchemas: Uint16Array.from(schemas.keys()),
    useFrom: new Uint8Array(schemas.length),
    useTo: new Uint8Array(schemas.length).fill(255),
    wmis: ['1FD'],
    makers: ['Truck\tFord\tFord'],
    keys,
    values: keys.map((key) => `M${key}`),
    engines: [],
  };
}

/** The planted fault: every schema backwards, so that the loosest pattern of an element comes first. */
function loosestFirst(of: Vpic): Vpic {
  const factKeys = of.factKeys.slice();
  const factValues = of.factValues.slice();
  of.schemaStarts.forEach((start, schema) => {
    const end = of.schemaStarts[schema + 1] ?? start;
    factKeys.subarray(start, end).reverse();
    factValues.subarray(start, end).reverse();
  });
  return { ...of, factKeys, factValues };
}

async function newDecoder(read: typeof readDataFile) {
  vi.resetModules();
  vi.doMock('../../lib/adapters/data-file.ts', () => ({ readDataFile: read }));
  const fresh = await import('../../lib/adapters/vin-decoder/vin-decoder.ts');
  return fresh.bundledVinDecoder(() => NOW);
}

/** All that a module imports before it runs, types aside, at any depth. */
function staticImports(file: string, seen = new Set<string>()): string[] {
  const root = new URL('../../', import.meta.url);
  for (const [, specifier = ''] of readFileSync(new URL(file, root), 'utf8').matchAll(
    /^import (?!type\b)[^;]*?from '([^']+)'/gm,
  )) {
    const target = specifier.startsWith('.')
      ? new URL(specifier, new URL(file, root)).pathname.slice(root.pathname.length)
      : specifier;
    if (seen.has(target)) continue;
    seen.add(target);
    if (specifier.startsWith('.')) staticImports(target, seen);
  }
  return [...seen];
}
