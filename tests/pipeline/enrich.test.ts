import { describe, expect, test } from 'vitest';
import type { Geocoder } from '../../lib/outside/outbound.ts';
import { describeCause } from '../../lib/pipeline/attempt.ts';
import { enrich } from '../../lib/pipeline/enrich.ts';
import { type DecodeVins, decodeVins } from '../../lib/pipeline/vin-decoder/decode-vins.ts';
import { toCanonicalTruck } from '../../lib/truck/listing/canonical-truck.ts';
import type { Candidate, Enriched } from '../../lib/truck/listing/listing-change.ts';
import { toMergedTruck } from '../../lib/truck/listing/merge.ts';
import { NO_PLACE } from '../../lib/truck/place/place.ts';
import { REAL_TRUCK_VINS } from '../fixtures/real-truck-vins.ts';
import * as fc from '../support/oracles/fast-check.ts';
import { measureStretches } from '../support/processes/thread-time.ts';
import { mergedTruck } from '../truck/arbitraries.ts';
import { candidate, noTables, type SomeTruck } from './candidates.ts';

const EL_PASO = { latitude: 31.76, longitude: -106.48, city: 'El Paso', state: 'TX' };

/** Knows ZIP 79901 and any city of Texas. */
const geocoder: Geocoder = {
  async locate(places) {
    return places.map(({ zip, city, state }) => {
      if (zip === '79901') return { source: 'zip', ...EL_PASO };
      return city !== null && state === 'TX' ? { source: 'city', ...EL_PASO, city } : null;
    });
  },
};

const enrichAll = (batch: readonly Candidate[], decode = noTables) =>
  enrich(batch, { geocoder, decodeVins: decode, currentYear: 2026 });

async function enrichOne(truck: SomeTruck, decode = noTables): Promise<Enriched> {
  const [outcome] = await enrichAll([candidate(truck)], decode);
  if (outcome?.kind !== 'continue') throw new Error('rejected');
  return outcome.item;
}

const codes = ({ warnings }: Enriched) => warnings.map(({ code }) => code);

test.each([
  ['MAKE_CORRECTED', { fields: { make: 'Peterbild' } }],
  ['CLASS_GVWR_MISMATCH', { fields: { class: 'class_8', gvwr: 26_000 } }],
  ['VIN_CHECK_DIGIT', { vin: '1FUJGBDV4FLFZ2286' }],
  ['PRICE_SUSPICIOUS', { fields: { price: 45_000, mileage: 45_000 } }],
  ['ZIP_STATE_MISMATCH', { place: { ...NO_PLACE, state: 'IL', zip: '79901' } }],
  ['ATTRIBUTES_DROPPED', { attributes: { big: 'x'.repeat(20_000) } }],
])('%s warns and rejects nothing', async (code, truck) => {
  expect(codes(await enrichOne(truck))).toEqual([code]);
});

test('a VIN of another continent is not held to the North American rules', async () => {
  const record = { vin: 'WDB9634031L000000', fields: { make: 'Mercedes-Benz', year: 2016 } };
  const { doc, warnings } = await enrichOne(record);
  expect([doc.vin_facts, warnings]).toMatchObject([{ wmi: 'WDB', check_digit: 'invalid' }, []]);
});

test.each([
  ['zip', { zip: '79901' }, { latitude: 31.76, city: 'El Paso' }],
  ['city', { city: 'Laredo', state: 'TX' }, { latitude: 31.76, city: 'Laredo' }],
  ['none', { city: 'Nowhere', state: 'ON' }, { latitude: null, city: 'Nowhere' }],
  [
    'record',
    { zip: '79901', latitude: 31.5, longitude: -106 },
    { latitude: 31.5, longitude: -106, city: 'El Paso', state: 'TX' },
  ],
])('the source of coordinates is said: %s', async (source, record, location) => {
  const { doc } = await enrichOne({ place: { ...NO_PLACE, ...record } });
  expect(doc.location).toMatchObject({ source, ...location });
});

test('a throw over one record rejects that record alone', async () => {
  const broken = candidate();
  Object.defineProperty(broken.truck, 'attributes', {
    get() {
      throw new Error('planted');
    },
  });
  const outcomes = await enrichAll([candidate(), broken, candidate()]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['continue', 'rejected', 'continue']);
});

test('a stored document gives back its canonical truck, and enriching that gives the same document', async () => {
  await fc.assert(
    fc.asyncProperty(mergedTruck, async (truck) => {
      const { doc } = await enrichOne(truck);
      const back = toMergedTruck(doc);
      expect(back).toEqual(toCanonicalTruck(truck).truck);
      const repeated = await enrichOne(back);
      expect(JSON.stringify(repeated.doc)).toBe(JSON.stringify(doc));
    }),
  );
});

describe('what the VIN says', () => {
  const tables: DecodeVins = (vins) => decodeVins(vins, 2026);

  const byVin = (truck: SomeTruck) => enrichOne(truck, tables);
  const ram = (fields: object) =>
    byVin({ vin: '3C7WRNFL3LG119579', fields: { year: 2020, make: 'Ram', ...fields } });

  test('stands under vin_facts and fills in what the record leaves out, marked as derived', async () => {
    const { doc, warnings } = await ram({});
    expect(doc).toMatchObject({
      vin_facts: { make: 'Ram', year: 2020, truck_class: 'class_5', check_digit: 'valid' },
      class: 'class_5',
      model: '5500',
    });
    expect(doc.derived).toEqual(expect.arrayContaining(['class', 'model', 'engine']));
    expect(warnings).toEqual([]);
  });

  test('never replaces what the record says, and never stays when the record says it later', async () => {
    const record = { model: '5500 SLT', class: 'class_5', engine: 'Cummins 6.7' };
    const { doc } = await ram(record);
    expect(doc).toMatchObject(record);
    expect(doc.derived).not.toEqual(expect.arrayContaining(['model']));
    expect(toMergedTruck(doc).fields).toMatchObject({ ...record, fuel_type: null });
  });

  test('makes no tractor of a truck whose body its dealer describes', async () => {
    const fields = { year: 2017, body_description: 'Steamer / pressure truck' };
    const { doc } = await byVin({ vin: '1FUJGLDR3HLHG7532', fields });
    expect(doc).toMatchObject({ body_type: null, class: 'class_8' });
  });

  test.each([
    ['VIN_YEAR_MISMATCH', { year: 2018 }],
    ['VIN_MAKE_MISMATCH', { make: 'Kenworth' }],
    ['VIN_CLASS_MISMATCH', { class: 'class_8' }],
    ['VIN_CLASS_MISMATCH', { gvwr: 33_000 }],
  ])('%s warns and never rejects', async (code, fields) => {
    expect(codes(await ram(fields))).toEqual([code]);
  });

  test('says nothing against the trucks of real dealers, but for mistyped check digits and vans of Class 2', async () => {
    const validVins = REAL_TRUCK_VINS.filter(([vin]) => vin.length === 17);
    const results = await Promise.all(
      validVins.map(async ([vin, make, , year]) => codes(await byVin({ vin, fields: { year, make } }))),
    );
    expect(new Set(results.flat())).toEqual(new Set(['VIN_CHECK_DIGIT', 'VIN_NOT_A_TRUCK']));
  });

  test('a mistyped VIN brings those it may have been, and nothing is derived from it', async () => {
    const { doc, warnings } = await byVin({ vin: '1FUJGLDR3HLHG7523', fields: { year: 2017 } });
    const suggestions = expect.arrayContaining([expect.objectContaining({ vin: '1FUJGLDR3HLHG7532' })]);
    expect([doc.derived, warnings]).toMatchObject([[], [{ code: 'VIN_CHECK_DIGIT', suggestions }]]);
  });
});

test('places that the geocoder forgets are asked for again, and are rejected alone when it forgets them alone', async () => {
  const batch = [
    candidate({ place: { ...NO_PLACE, zip: '79901' } }),
    candidate({ place: { ...NO_PLACE, zip: '79902' } }),
  ];
  const kinds = async (forgets: (places: readonly unknown[]) => boolean) => {
    const forgetful: Geocoder = {
      locate: async (places) => (forgets(places) ? [] : geocoder.locate(places)),
    };
    const outcomes = await enrich(batch, { geocoder: forgetful, decodeVins: noTables, currentYear: 2026 });
    return outcomes.map(({ kind }) => kind);
  };
  expect(await kinds(({ length }) => length > 1)).toEqual(['continue', 'continue']);
  expect(await kinds(() => true)).toEqual(['rejected', 'rejected']);
});

test('a fault whose place is a very long text is described at once', () => {
  const error = new Error('x');
  error.stack = `Error: x\n    at ${'/'.repeat(100_000)} `;
  const longestStretch = measureStretches();
  expect(describeCause(error)).toHaveLength(200);
  expect(longestStretch()).toBeLessThan(500);
});
