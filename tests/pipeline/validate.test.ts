import { describe, expect, test } from 'vitest';
import { STAGE_CODES, type StageCode } from '../../lib/errors.ts';
import { RULES } from '../../lib/pipeline/validate.ts';
import { BLOCKED_BODIES } from '../../lib/truck/fields.ts';
import { FIELDS } from '../../lib/truck/record/fields.ts';
import { PARTS } from '../../lib/truck/record/parts.ts';
import { acceptRecord, good, rejected, VIN, without } from './validated.ts';

describe('the rules', () => {
  test('stand in the order of the contract, one per code', () => {
    expect(RULES.map(({ code }) => code)).toEqual(STAGE_CODES.validate);
  });

  const underNames = (name: keyof typeof good, names: readonly string[], values: readonly unknown[]) =>
    names.flatMap((each) => values.map((value) => without(name, { [each]: value })));
  const withValues = (name: string, values: readonly unknown[]) =>
    values.map((value) => ({ ...good, [name]: value }));

  const faults: [StageCode, readonly unknown[]][] = [
    [
      'VIN_MISSING',
      [
        ...[without('vin'), null, undefined, 5, 'text', [good]],
        ...underNames('vin', PARTS.vin.names, [null, ' \t\u200b']),
        ...withValues('vin', ['0'.repeat(17), '1'.repeat(17)]),
      ],
    ],
    [
      'VIN_LENGTH',
      [
        ...underNames('vin', PARTS.vin.names, [VIN.slice(1), `${VIN}1`]),
        ...withValues('vin', ['--- ---', {}, Number('11111111111111111'), `${VIN.slice(1)}\u0000`]),
      ],
    ],
    ['YEAR_MISSING', underNames('year', FIELDS.year.names, [null, ''])],
    [
      'YEAR_OUT_OF_RANGE',
      [
        ...underNames('year', FIELDS.year.names, [1989, '2029']),
        ...withValues('year', [21, 'soon', true, [], 2021.5, Number.POSITIVE_INFINITY]),
        ...withValues('year', [[{ toString: null, valueOf: null }]]),
      ],
    ],
    ['MAKE_MISSING', underNames('make', FIELDS.make.names, [null, ' \u0000 ', {}, 'N/A'])],
    ['GVWR_BELOW_FLOOR', withValues('gvwr', [10_000, 0, 10_000.9, '4500 kg', 'Class 2: 6,001 - 10,000 lb'])],
    [
      'BODY_TYPE_BLOCKED',
      [
        ...withValues('body_type', [...BLOCKED_BODIES, ['Truck', 'SUVs']]),
        ...withValues(
          'bodyType',
          BLOCKED_BODIES.map((body) => ` ${body.toUpperCase()} `),
        ),
      ],
    ],
    ['CLASS_BELOW_FLOOR', withValues('class', ['class_1', 'CLASS II', '2b', 2, 'Class 1-2', 'Light Duty'])],
    [
      'DUAL_USE_QUARANTINED',
      [
        ...withValues('make', [
          'Ford',
          'chevy',
          'GM',
          'RAM Trucks',
          'Dodge',
          'Chevrolett',
          'FORD F-150',
          'Fоrd',
          'Silverado',
        ]),
        { ...good, make: 'Ford', class: 'heavy duty' },
        { ...good, make: 'Ford', gvwr: Number.POSITIVE_INFINITY },
      ],
    ],
    ['PRICE_INVALID', withValues('price', [999, 0, -1, 999.6, 2_000_000, Number.POSITIVE_INFINITY])],
  ];

  test.each(faults)('%s', (code, records) => {
    for (const record of records) {
      const reject = rejected(record);
      expect(reject, JSON.stringify(record)).toMatchObject({
        stage: 'validate',
        code,
        retryable: false,
        violations: expect.arrayContaining([expect.objectContaining({ code })]),
      });
      expect(reject.violations[0]?.fix.length).toBeGreaterThan(20);
    }
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
    ...[{ year: 1990 }, { year: '2028' }, { gvwr: 10_001 }, { body_type: 'suv hauler' }],
    ...[3, 'CLASS VI'].map((name) => ({ make: 'Ford', class: name })),
    ...['Class 6: 19,501 - 26,000 lb', '19,500#'].map((gvwr) => ({ make: 'Ford', gvwr })),
    ...[{ price: 1_000 }, { price: '$600,000' }, { gvwr: '', class: null, body_type: ' ', price: null }],
    { vin: ` ${VIN.slice(0, 8)}-${VIN.slice(8)}\u2003` },
  ])('%j', (change) => {
    expect(acceptRecord({ ...good, ...change }).vin).toBe(VIN);
  });

  test('every accepted name, the first non-blank one winning', () => {
    for (const name of PARTS.vin.names) expect(acceptRecord(without('vin', { [name]: VIN })).vin).toBe(VIN);
    for (const [field, value] of [
      ['year', 2014],
      ['make', 'Mack'],
    ] as const)
      for (const name of FIELDS[field].names)
        expect(acceptRecord(without(field, { [name]: value })).patch.fields).toMatchObject({
          [field]: value,
        });
    const record = { brand: 'Volvo', manufacturer: 'Mack', Make: ' ', make: null, vin: VIN, year: 2015 };
    expect(acceptRecord(record).patch.fields.make).toBe('Mack');
  });
});
