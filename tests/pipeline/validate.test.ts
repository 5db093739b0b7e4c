import { describe, expect, test } from 'vitest';
import { BLOCKED_BODIES, LIMITS } from '../../lib/contract/fields.ts';
import { FIELDS } from '../../lib/contract/record/fields.ts';
import { PARTS } from '../../lib/contract/record/parts.ts';
import { STAGE_CODES, type StageCode } from '../../lib/errors.ts';
import type { Reject, Truck } from '../../lib/pipeline/stage.ts';
import { RULES, validate } from '../../lib/pipeline/validate.ts';
import { hostileRecord } from '../domain/arbitraries.ts';
import { REAL_TRUCK_VINS } from '../fixtures/real-truck-vins.ts';
import * as fc from '../support/oracles/fast-check.ts';

const needs = { currentYear: 2026, dualUseMakes: ['Ford', 'Chevrolet', 'GMC', 'Ram', 'Dodge'] };
const VIN = '1FUJGBDV3FLFZ2286';
const good = { vin: VIN, year: 2015, make: 'Freightliner' };

function outcomeOf(record: unknown, sourceProviderId?: unknown) {
  const [outcome] = validate([record], { ...needs, sourceProviderId });
  if (outcome === undefined) throw new Error('no outcome');
  return outcome;
}

function accepted(record: unknown, sourceProviderId?: unknown): Truck {
  const outcome = outcomeOf(record, sourceProviderId);
  if (outcome.kind !== 'continue' || outcome.item.quarantine)
    throw new Error(`rejected: ${JSON.stringify(outcome)}`);
  return outcome.item;
}

function rejected(record: unknown): Reject {
  const outcome = outcomeOf(record);
  if (outcome.kind === 'continue' && outcome.item.quarantine) return outcome.item.quarantine;
  if (outcome.kind !== 'rejected') throw new Error(`accepted: ${JSON.stringify(outcome)}`);
  return outcome.reject;
}

const warningsOf = (record: unknown) => accepted(record).warnings.map(({ code }) => code);
const without = (name: keyof typeof good, rest: object = {}) => {
  const { [name]: _, ...others } = good;
  return { ...others, ...rest };
};

describe('the rules', () => {
  test('stand in the order of the contract, one per code', () => {
    expect(RULES.map(({ code }) => code)).toEqual(STAGE_CODES.validate);
  });

  const faults: readonly [StageCode, string, unknown][] = [
    ['VIN_MISSING', 'absent', without('vin')],
    ...PARTS.vin.names.flatMap((name): [StageCode, string, unknown][] => [
      ['VIN_MISSING', `${name} null`, without('vin', { [name]: null })],
      ['VIN_MISSING', `${name} blank`, without('vin', { [name]: ' \t\u200b' })],
      ['VIN_LENGTH', `${name} of 16`, without('vin', { [name]: VIN.slice(1) })],
      ['VIN_LENGTH', `${name} of 18`, without('vin', { [name]: `${VIN}1` })],
    ]),
    ...[null, undefined, 5, 'text', true, [good], []].map((record): [StageCode, string, unknown] => [
      'VIN_MISSING',
      `no object: ${JSON.stringify(record)}`,
      record,
    ]),
    ['VIN_LENGTH', 'dashes only', { ...good, vin: '--- ---' }],
    ['VIN_LENGTH', 'object', { ...good, vin: {} }],
    ['VIN_LENGTH', 'number', { ...good, vin: 12345 }],
    ['VIN_LENGTH', 'number of 17 digits', { ...good, vin: Number('11111111111111111') }],
    ['VIN_LENGTH', '17 with NUL', { ...good, vin: `${VIN.slice(1)}\u0000` }],
    ...FIELDS.year.names.flatMap((name): [StageCode, string, unknown][] => [
      ['YEAR_MISSING', `${name} null`, without('year', { [name]: null })],
      ['YEAR_MISSING', `${name} blank`, without('year', { [name]: '' })],
      ['YEAR_OUT_OF_RANGE', `${name} 1989`, without('year', { [name]: 1989 })],
      ['YEAR_OUT_OF_RANGE', `${name} 2029`, without('year', { [name]: '2029' })],
    ]),
    ...['21', 21, 'soon', true, [], {}, 2021.5, 1e308, Number.POSITIVE_INFINITY].map(
      (year): [StageCode, string, unknown] => ['YEAR_OUT_OF_RANGE', JSON.stringify(year), { ...good, year }],
    ),
    ...FIELDS.make.names.flatMap((name): [StageCode, string, unknown][] => [
      ['MAKE_MISSING', `${name} null`, without('make', { [name]: null })],
      ['MAKE_MISSING', `${name} blank`, without('make', { [name]: ' \u0000 ' })],
      ['MAKE_MISSING', `${name} object`, without('make', { [name]: {} })],
    ]),
    ...[10_000, '10,000 lbs', 0, -5, '8.5k lb', 10_000.9, '4500 kg'].map(
      (gvwr): [StageCode, string, unknown] => ['GVWR_BELOW_FLOOR', JSON.stringify(gvwr), { ...good, gvwr }],
    ),
    ...BLOCKED_BODIES.flatMap((body): [StageCode, string, unknown][] => [
      ['BODY_TYPE_BLOCKED', body, { ...good, body_type: body }],
      ['BODY_TYPE_BLOCKED', `${body} shouted`, { ...good, bodyType: ` ${body.toUpperCase()} ` }],
    ]),
    ...['class_1', 'class_2', 'Class 2', 'CLASS II', '2b', 2, '1', 'Class-1'].map(
      (name): [StageCode, string, unknown] => ['CLASS_BELOW_FLOOR', String(name), { ...good, class: name }],
    ),
    ...['Ford', 'chevy', 'GM', 'RAM Trucks', 'Dodge', 'Chevrolett'].map(
      (make): [StageCode, string, unknown] => ['DUAL_USE_QUARANTINED', make, { ...good, make }],
    ),
    ['DUAL_USE_QUARANTINED', 'a make with its model', { ...good, make: 'FORD F-150' }],
    ['DUAL_USE_QUARANTINED', 'unreadable class', { ...good, make: 'Ford', class: 'heavy duty' }],
    ['BODY_TYPE_BLOCKED', 'a list', { ...good, body_type: ['Truck', 'SUVs'] }],
    ['CLASS_BELOW_FLOOR', 'a range', { ...good, class: 'Class 1-2' }],
    ['CLASS_BELOW_FLOOR', 'light duty', { ...good, class: 'Light Duty' }],
    ['GVWR_BELOW_FLOOR', 'a range', { ...good, gvwr: 'Class 2: 6,001 - 10,000 lb' }],
    ['DUAL_USE_QUARANTINED', 'unreadable gvwr', { ...good, make: 'Ford', gvwr: Number.POSITIVE_INFINITY }],
    ...[999, 0, -1, '$999.99', 999.6, '$0', 2_000_000, '$9,999,999', Number.POSITIVE_INFINITY, 1e300].map(
      (price): [StageCode, string, unknown] => ['PRICE_INVALID', JSON.stringify(price), { ...good, price }],
    ),
  ];

  test.each(faults)('%s: %s', (code, _, record) => {
    const reject = rejected(record);
    expect(reject).toMatchObject({ stage: 'validate', code, retryable: false });
    expect(reject.violations[0]).toMatchObject({ code });
    expect(reject.violations[0]?.fix.length).toBeGreaterThan(20);
  });

  test('the first broken rule names the reject, all of them are listed', () => {
    const reject = rejected({ vin: 'x', gvwr: 8_500, body_type: 'SUV', class: 2, make: 'Ford', price: 5 });
    expect(reject.code).toBe('VIN_LENGTH');
    expect(reject.violations.map(({ code }) => code)).toEqual([
      'VIN_LENGTH',
      'YEAR_MISSING',
      'GVWR_BELOW_FLOOR',
      'BODY_TYPE_BLOCKED',
      'CLASS_BELOW_FLOOR',
      'DUAL_USE_QUARANTINED',
      'PRICE_INVALID',
    ]);
  });

  test('an issue says what was received and what to change', () => {
    expect(rejected({ ...good, gvwr: '8,500 lb' }).violations).toEqual([
      {
        code: 'GVWR_BELOW_FLOOR',
        field: 'gvwr',
        received: '8,500 lb',
        fix: 'gvwr is 8,500 lb (Class 2); only trucks from 10,001 lb are listed: correct gvwr, or leave the vehicle out.',
      },
    ]);
    expect(rejected({ ...good, price: 0 }).violations[0]?.fix).toContain('send null for call-for-price');
    const long = rejected({ ...good, vin: 'x\u0000'.repeat(100_000) }).violations[0];
    expect(String(long?.received).length).toBeLessThanOrEqual(120);
    expect(long?.fix.length).toBeLessThan(300);
  });
});

describe('what the rules let through', () => {
  test.each([
    [
      'the years 1990 and current + 2',
      [
        { ...good, year: 1990 },
        { ...good, year: '2028' },
        { ...good, year: '2021.0' },
      ],
    ],
    [
      'a GVWR of 10,001',
      [
        { ...good, gvwr: 10_001 },
        { ...good, gvwr: '26,000 lbs' },
      ],
    ],
    [
      'bodies that only sound blocked',
      [
        { ...good, body_type: 'station wagon body shop' },
        { ...good, body_type: 'van' },
      ],
    ],
    [
      'a dual-use make with an explicit class',
      [3, 'Class 8', 'class_4', 'CLASS VI'].map((name) => ({ ...good, make: 'Ford', class: name })),
    ],
    [
      'a dual-use make with a range of GVWR',
      [{ ...good, make: 'Ford', gvwr: 'Class 6: 19,501 - 26,000 lb' }],
    ],
    ['a dual-use make with a GVWR', [{ ...good, make: 'Ram', gvwr: '19,500#' }]],
    [
      'prices at both ends of the envelope',
      [
        { ...good, price: 1_000 },
        { ...good, price: '$600,000' },
      ],
    ],
    ['blank and null optional fields', [{ ...good, gvwr: '', class: null, body_type: ' ', price: null }]],
    ['VINs with white space and dashes', [{ ...good, vin: ` ${VIN.slice(0, 8)}-${VIN.slice(8)}\u2003` }]],
  ])('%s', (_, records) => {
    for (const record of records) expect(accepted(record).vin).toBe(VIN);
  });

  test('every accepted name, the first non-blank one winning', () => {
    for (const name of PARTS.vin.names) expect(accepted(without('vin', { [name]: VIN })).vin).toBe(VIN);
    for (const name of FIELDS.year.names) {
      expect(accepted(without('year', { [name]: 2015 })).patch.fields.year).toBe(2015);
    }
    for (const name of FIELDS.make.names) {
      expect(accepted(without('make', { [name]: 'Mack' })).patch.fields.make).toBe('Mack');
    }
    const record = { brand: 'Volvo', manufacturer: 'Mack', Make: ' ', make: null, vin: VIN, year: 2015 };
    expect(accepted(record).patch.fields.make).toBe('Mack');
  });

  test('real trucks of makes that only build trucks', () => {
    for (const [vin, make, model, year] of REAL_TRUCK_VINS) {
      if (vin.length !== LIMITS.vinLength || needs.dualUseMakes.includes(make)) continue;
      expect(accepted({ vin, make, model, year }).warnings).toEqual([]);
    }
  });
});

describe('reading', () => {
  test('values as dealers write them', () => {
    const { patch, warnings } = accepted({
      ...good,
      class: 'Class 8',
      gvwr: '52,000 lbs',
      price: '$68,900.40',
      odometer: '412,350 mi',
      hp: '455 hp',
      model: 4300,
      condition: ' Pre-Owned ',
      features: 'APU; Collision mitigation;;APU',
      photos: 'https://a.example/1.jpg|https://a.example/2.jpg',
      location: 'El Paso, TX 79901',
      lat: '31.76',
      lng: -106.48,
      status: 'SOLD',
      dealer_slug: ' Lone-Star ',
      apu: 'Y',
    });
    expect(warnings).toEqual([]);
    expect(patch).toEqual({
      fields: {
        year: 2015,
        make: 'Freightliner',
        class: 'class_8',
        gvwr: 52_000,
        price: 68_900,
        mileage: 412_350,
        mileage_unit: 'mi',
        horsepower: 455,
        model: '4300',
        condition: 'used',
        features: ['APU', 'Collision mitigation'],
      },
      images: ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
      place: { city: 'El Paso', state: 'TX', zip: '79901', latitude: 31.76, longitude: -106.48 },
      status: 'sold',
      dealer: 'lone-star',
      attributes: { apu: 'Y' },
    });
  });

  test.each([
    ['PRICE_UNREADABLE', { price: 'cheap' }],
    ['GVWR_UNREADABLE', { gvwr: 'heavy' }],
    ['GVWR_UNREADABLE', { gvwr: [52_000] }],
    ['CLASS_UNREADABLE', { class: 'heavy duty' }],
    ['MILEAGE_UNREADABLE', { mileage: -5 }],
    ['BODY_TYPE_UNREADABLE', { body_type: [{}, ' '] }],
    ['CONDITION_UNREADABLE', { condition: 'excellent' }],
    ['URL_UNREADABLE', { url: 'javascript:alert(1)' }],
    ['FEATURES_UNREADABLE', { features: { apu: true } }],
    ['IMAGES_UNREADABLE', { images: ['x'] }],
    ['STATE_UNREADABLE', { state: 'Texsa' }],
    ['ZIP_UNREADABLE', { zip: '1' }],
    ['LATITUDE_UNREADABLE', { latitude: 91, longitude: 5 }],
    ['LONGITUDE_UNREADABLE', { latitude: 31 }],
    ['LOCATION_UNREADABLE', { location: [1] }],
    ['STATUS_IGNORED', { status: 'pending' }],
    ['DEALER_UNREADABLE', { dealer: 5 }],
    ['SOURCE_PROVIDER_ID_UNREADABLE', { source_provider_id: {} }],
    ['ATTRIBUTES_UNREADABLE', { attributes: 'x' }],
  ])('an unreadable optional value is left out with %s', (code, extra) => {
    const truck = accepted({ ...good, ...extra });
    expect(truck.warnings.map((warning) => warning.code)).toEqual([code]);
    expect(truck.patch).toEqual({ fields: { year: 2015, make: 'Freightliner' } });
    expect(truck.sourceProviderId).toBe('');
  });

  test('a range of GVWR gives the class, unless the record names one, and no rating', () => {
    const gvwr = 'Class 6: 19,501 - 26,000 lb';
    for (const [extra, read] of [
      [{ gvwr }, 'class_6'],
      [{ gvwr, class: 7 }, 'class_7'],
    ] as const) {
      const truck = accepted({ ...good, ...extra });
      expect(truck.warnings.map(({ code }) => code)).toEqual(['GVWR_RANGE']);
      expect(truck.patch.fields).toEqual({ year: 2015, make: 'Freightliner', class: read });
    }
  });

  test('members beyond the first 1,000 are not looked at, and the warning counts them', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`option ${at}`, 'yes']));
    const truck = accepted({ ...good, ...many, price: 54_900 });
    expect(truck.patch.fields.price).toBeUndefined();
    expect(Object.keys(truck.patch.attributes ?? {})).toHaveLength(100);
    expect(truck.warnings).toMatchObject([{ code: 'ATTRIBUTES_DROPPED' }]);
    expect(truck.warnings[0]?.message).toContain('and 4896 more');
  });

  test('an odd VIN is accepted with a warning', () => {
    expect(warningsOf({ ...good, vin: 'IOQJGBDV3FLFZ2286' })).toEqual(['VIN_CHARACTERS']);
    expect(accepted({ ...good, vin: 11111111111111111n.toString() }).vin).toHaveLength(17);
  });

  test('an explicit null clears, a blank text says nothing', () => {
    const { patch } = accepted({
      ...good,
      price: null,
      color: ' ',
      odometer: null,
      miles: 5,
      trim: null,
      images: null,
      city: null,
      location: {},
    });
    expect(patch).toEqual({
      fields: { year: 2015, make: 'Freightliner', price: null, mileage: 5, mileage_unit: 'mi', trim: null },
      images: null,
      place: { city: null },
    });
    const image = 'https://a.example/1.jpg';
    expect(accepted({ ...good, images: null, photos: [image] }).patch.images).toEqual([image]);
    expect(accepted({ ...good, location: null }).patch.place).toBeNull();
    expect(accepted({ ...good, location: null, zip: 79901 }).patch.place).toEqual({
      city: null,
      state: null,
      zip: '79901',
      latitude: null,
      longitude: null,
    });
  });

  test('too long a text is cut with a warning', () => {
    const truck = accepted({ ...good, model: 'x'.repeat(500) });
    expect(truck.patch.fields.model).toHaveLength(80);
    expect(truck.warnings[0]?.code).toBe('TEXT_SHORTENED');
  });

  test('inherited members are not read', () => {
    expect(rejected(Object.create(good)).code).toBe('VIN_MISSING');
    expect(rejected(JSON.parse(`{"__proto__": ${JSON.stringify(good)}}`)).code).toBe('VIN_MISSING');
  });

  test('a listing as the service answers it can be posted again', () => {
    const truck = accepted({
      ...good,
      dedup_hash: 'x',
      quality: { score: 1 },
      location: { city: 'El Paso', state: 'TX', zip: null, latitude: 1, longitude: 2, source: 'city' },
      images: [{ url: 'https://a.example/1.jpg', status: 'pending' }],
      attributes: { apu: 'Y' },
      derived: [],
    });
    expect(truck.warnings.map(({ code }) => code)).toEqual(['READ_ONLY_IGNORED']);
    expect(truck.patch).toMatchObject({
      place: { city: 'El Paso', state: 'TX', zip: null },
      images: ['https://a.example/1.jpg'],
      attributes: { apu: 'Y' },
    });
    expect(truck.patch.place).not.toHaveProperty('latitude');
  });
});

describe('currencies, units and names', () => {
  test.each<[string, object, object, string[]]>([
    ['a price to ask for', { price: 'Call for price' }, { price: null }, []],
    ['a price with a remark', { price: '$129,500 OBO' }, { price: 129_500 }, ['NUMBER_REMARK_DROPPED']],
    ['a Canadian price', { price: 'CA$54,900' }, { price: 54_900, currency: 'CAD' }, []],
    ['a currency of its own', { price: 900_000, currency: 'mxn' }, { price: 900_000, currency: 'MXN' }, []],
    ['kilometers', { mileage: '663 612 km' }, { mileage: 412_349, mileage_unit: 'mi' }, []],
    [
      'a unit of its own',
      { odometer: 100_000, mileage_unit: 'KM' },
      { mileage: 62_137, mileage_unit: 'mi' },
      [],
    ],
    ['hours of an engine', { mileage: '14 300 hrs' }, {}, ['MILEAGE_UNREADABLE']],
    ['an odometer of nines', { mileage: 999_999 }, {}, ['MILEAGE_UNREADABLE']],
    ['a spot on the lot', { location: 'Row 7' }, {}, ['LOCATION_UNREADABLE']],
    [
      'names of columns',
      { body: 'Dump Truck', Asking_Price: 54_900 },
      { body_type: 'Dump Truck', price: 54_900 },
      [],
    ],
    ['a cab in the body', { body_type: 'Crew Cab' }, { cab: 'Crew cab', body_description: 'Crew Cab' }, []],
    [
      'an unknown body',
      { body_type: 'Frobnicator 3000' },
      { body_description: 'Frobnicator 3000' },
      ['BODY_TYPE_UNREADABLE'],
    ],
    [
      'upfit',
      { drw: 'Y', 'Body Length': "26'", CA: 108 },
      { rear_wheels: 'dual', body_length: 26, cab_to_axle: 108 },
      [],
    ],
    ['costs', { dealer_cost: 1, 'Invoice Amt': 2, floorplan_days: 3 }, {}, []],
  ])('%s', (_, extra, fields, warnings) => {
    const truck = accepted({ ...good, ...extra });
    expect(truck.patch.fields).toEqual({ year: 2015, make: 'Freightliner', ...fields });
    expect(truck.patch.attributes).toBeUndefined();
    expect(truck.warnings.map(({ code }) => code)).toEqual(warnings);
  });

  test('rubbish is no make', () => {
    for (const make of ['N/A', 'TBD', '-', '--', 'Unknown'])
      expect(rejected({ ...good, make }).code).toBe('MAKE_MISSING');
  });
});

describe('source_provider_id', () => {
  test.each([
    ['dms-1', undefined, 'dms-1'],
    [' dms-1 ', 'other', 'dms-1'],
    [42, undefined, '42'],
    [null, 'batch', 'batch'],
    ['', 7, '7'],
    [{}, 'batch', 'batch'],
    [undefined, undefined, ''],
    [undefined, null, ''],
    [undefined, [], ''],
  ])('of %j with the batch default %j is %j', (own, batchDefault, expected) => {
    expect(accepted({ ...good, source_provider_id: own }, batchDefault).sourceProviderId).toBe(expected);
  });

  test('is at most 200 characters', () => {
    expect(accepted({ ...good, source_provider_id: 'x'.repeat(300) }).sourceProviderId).toHaveLength(200);
  });
});

test('nothing that JSON can carry makes it throw, nor leave text that a database refuses', () => {
  fc.assert(
    fc.property(fc.array(hostileRecord, { maxLength: 5 }), hostileRecord, (batch, sourceProviderId) => {
      const outcomes = validate(batch, { ...needs, sourceProviderId });
      expect(outcomes).toHaveLength(batch.length);
      for (const outcome of outcomes) {
        const text = JSON.stringify(outcome);
        expect(text).not.toMatch(/\\u0000|\\u[dD][89a-fA-F]/);
        expect(text.length).toBeLessThan(60_000);
        if (outcome.kind === 'continue') expect(outcome.item.vin).toHaveLength(17);
      }
    }),
    { numRuns: 1_000 },
  );
  // A good record with any hostile company is accepted or rejected by a rule, and its numbers are whole.
  fc.assert(
    fc.property(hostileRecord, (extra) => {
      const [outcome] = validate([{ ...(typeof extra === 'object' ? extra : {}), ...good }], needs);
      if (outcome?.kind !== 'continue') return;
      for (const value of Object.values(outcome.item.patch.fields)) {
        if (typeof value === 'number')
          expect(Number.isSafeInteger(value) && !Object.is(value, -0)).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(Object.keys(Object.prototype)).toEqual([]);
});
