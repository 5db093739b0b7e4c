import { describe, expect, test } from 'vitest';
import { isFeedTarget } from '../../../lib/feeds/mapping/columns.ts';
import { recordReader } from '../../../lib/feeds/mapping/feed-record.ts';
import { fillDefaults } from '../../../lib/feeds/mapping/fill-rows.ts';
import { readRecord } from '../../../lib/truck/listing/read-record.ts';
import { entryFor, RECORD, typedKeys } from '../../../lib/truck/record/record.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { makePlan, type Row, VIN } from './plan.ts';

describe('whatever the file', () => {
  const names = typedKeys(RECORD).flatMap((field) => {
    const { names: own, columns } = entryFor(field);
    return columns === false || field === 'attributes' ? [] : [...own, ...(columns ?? [])];
  });
  const column = fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom(...names).map((name) => name.toUpperCase().replaceAll(' ', '_')),
    fc.constantFrom('Cost', 'image1', 'engine make', '__proto__', 'constructor', 'toString'),
    fc.string({ maxLength: 20 }),
  );
  /** An object that has no text. */
  const textless = Object.assign(Object.create(null), { toString: null, valueOf: 1 });
  const value = fc.oneof(
    fc.constantFrom<unknown>(textless, [textless], ['Red', textless]),
    fc.constantFrom(
      '',
      '0',
      'Call',
      'used',
      'class 8',
      VIN,
      'https://i.test/1.jpg',
      '33,000 lbs',
      '{',
      '{"city": 1}',
      '[]',
    ),
    fc.string(),
    fc.double(),
    fc.constant(null),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const table = fc
    .uniqueArray(column, { minLength: 1, maxLength: 12 })
    .chain((columns) =>
      fc.record({
        columns: fc.constant(columns),
        rows: fc.array(fc.tuple(...columns.map(() => value)), { maxLength: 5 }),
        header: fc.boolean(),
        mapping: fc.option(
          fc.dictionary(
            fc.constantFrom(...columns),
            fc.option(fc.constantFrom('price', 'vin', 'images', 'dealer', 'nonsense')),
          ),
        ),
      }),
    )
    .map(({ columns, rows, header, mapping }) => ({
      rows: rows.map((values) => Object.fromEntries(columns.map((name, index) => [name, values[index]]))),
      header: header ? columns : null,
      mapping,
    }));

  test('every column has one fate in a plan of plain JSON, any row becomes a record that the pipeline can read, and what is kept is not lost', () => {
    fc.assert(
      fc.property(table, ({ rows, header, mapping }) => {
        const plan = makePlan(header, rows, { mapping });
        expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
        const names = new Set(plan.columns.map(({ column: name }) => name));
        expect(names.size).toBe(plan.columns.length);
        for (const { field, kept: isExtra, confidence } of plan.columns) {
          expect(field === null || isFeedTarget(field)).toBe(true);
          expect(isExtra && field !== null).toBe(false);
          expect(confidence >= 0 && confidence <= 1).toBe(true);
        }
        const toRecord = recordReader(plan);
        for (const row of rows) {
          const record = fillDefaults(toRecord(row), plan);
          expect(() => readRecord(record)).not.toThrow();
          if (header === null) continue;
          const attributes = (record.attributes ?? {}) as Row;
          // No reader gives a column the name `__proto__`.
          for (const { column: name, kept: isExtra } of plan.columns)
            if (isExtra && name !== '__proto__' && typeof row[name] === 'number')
              expect(Object.hasOwn(attributes, name), name).toBe(true);
        }
      }),
    );
  });
});
