import { describe, expect, test } from 'vitest';
import { STAGE_CODES, type StageCode } from '../../lib/errors.ts';
import { RULES } from '../../lib/pipeline/validate.ts';
import { BLOCKED_BODIES } from '../../lib/truck/fields.ts';
import { FIELDS } from '../../lib/truck/record/fields.ts';
import { PARTS } from '../../lib/truck/record/parts.ts';
import { accepted, good, rejected, VIN, without } from './validated.ts';

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
    ['VIN_MISSING', 'zero seventeen times', { ...good, vin: '0'.repeat(17) }],
    ['VIN_MISSING', 'X seventeen times', { ...good, vin: 'x'.repeat(17) }],
    ['VIN_MISSING', 'one seventeen times, whose check digit is right', { ...good, vin: '1'.repeat(17) }],
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
    ['YEAR_OUT_OF_RANGE', 'no text', { ...good, year: [{ toString: null, valueOf: null }] }],
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
});
