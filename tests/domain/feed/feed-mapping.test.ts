import { describe, expect, test } from 'vitest';
import {
  COLUMN_NAMES,
  columnField,
  foldColumn,
  isFeedTarget,
  LIST_FIELDS,
} from '../../../lib/domain/columns/feed-columns.ts';
import { readRecord } from '../../../lib/domain/listing/read-record.ts';
import { planFeed } from '../../../lib/feeds/mapping/feed-mapping.ts';
import { recordReader, withDefaults } from '../../../lib/feeds/mapping/feed-record.ts';
import { flatten } from '../../../lib/feeds/mapping/flatten-row.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { type Row, recipe, VIN } from './plan.ts';

describe('whatever the file', () => {
  const names = [...COLUMN_NAMES.values()].flat();
  const column = fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom(...names).map((name) => name.toUpperCase().replaceAll(' ', '_')),
    fc.constantFrom(
      'MSRP',
      'Cost',
      'x',
      'image1',
      'photo_2',
      'engine make',
      '__proto__',
      'constructor',
      'toString',
    ),
    fc.string({ maxLength: 20 }),
  );
  const value = fc.oneof(
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
      recipe: recipe({ columns: header ? columns : null, mapping }),
    }));

  test('no two columns are guessed to be one field, every column has one fate, and the plan is plain JSON', () => {
    fc.assert(
      fc.property(table, ({ rows, recipe: sent }) => {
        const plan = planFeed(rows, sent);
        expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
        const named = new Set(plan.columns.map(({ column: name }) => name));
        expect(named.size).toBe(plan.columns.length);
        const given = new Set(Object.keys(sent.mapping ?? {}).map(foldColumn));
        const guessed = plan.columns.flatMap(({ column: name, field }) =>
          field && !LIST_FIELDS.has(field) && !given.has(foldColumn(name)) ? [field] : [],
        );
        expect(new Set(guessed).size).toBe(guessed.length);
        for (const { field, kept, confidence } of plan.columns) {
          expect(field === null || isFeedTarget(field)).toBe(true);
          expect(kept && field !== null).toBe(false);
          expect(confidence).toBeGreaterThanOrEqual(0);
          expect(confidence).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('any row becomes a record that the pipeline can read; a guessed plan loses nothing but what is not kept', () => {
    fc.assert(
      fc.property(table, ({ rows, recipe: given }) => {
        const plan = planFeed(rows, given);
        const read = recordReader(plan);
        for (const row of rows) {
          const record = withDefaults(read(row), plan);
          expect(() => readRecord(record)).not.toThrow();
          const attributes = (record.attributes ?? {}) as Row;
          if (given.columns === null) continue;
          for (const { column: name, kept } of plan.columns) {
            const value = row[name];
            if (kept && value != null && typeof value !== 'string' && name !== '__proto__')
              expect(Object.hasOwn(attributes, name), name).toBe(true);
          }
        }
      }),
    );
  });

  test('a row is flattened without loss: every leaf once', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (row) => {
        const leaves = [...flatten(row)];
        expect(
          leaves.every(([, leaf]) => typeof leaf !== 'object' || leaf === null || Array.isArray(leaf)),
        ).toBe(true);
      }),
    );
  });

  test('every name of the vocabulary is known, and means the field it stands under or one that shares it', () => {
    for (const [field, listed] of COLUMN_NAMES)
      for (const name of listed) expect(columnField(name), `${field}: ${name}`).not.toBeNull();
  });
});
