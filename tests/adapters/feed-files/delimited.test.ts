import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import { recordReader } from '../../../lib/adapters/feed-files/delimited.ts';
import { FILE_LIMITS } from '../../../lib/adapters/feed-files/limits.ts';
import * as fc from '../../support/oracles/fast-check.ts';

/** All cells of a text that comes in these pieces. */
function readCells(pieces: readonly string[], delimiter: string, columns = 0): string[][] {
  const start = { delimiter, columns: Array.from({ length: columns }, String), at: 0, line: 1 };
  const reader = recordReader(start, FILE_LIMITS);
  const records = pieces.flatMap((piece) => reader.push(piece, false));
  return [...records, ...reader.push('', true)].map(({ cells }) => cells);
}

const split = (text: string, cuts: readonly number[]): string[] => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
};

const delimiters = fc.constantFrom(',', ';', '\t', '|');
const cuts = fc.array(fc.nat(5_000), { maxLength: 12 });
const cell = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('"', ',', ';', '\t', '|', '\n', '\r\n', ' ', 'a', 'é', '𝄞', '{', '}'),
    maxLength: 14,
  }),
);
const table = fc
  .integer({ min: 1, max: 6 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
  );

describe('records', () => {
  test('what csv-stringify writes is read as it was, however it comes in pieces', () => {
    fc.assert(
      fc.property(
        table,
        delimiters,
        cuts,
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (rows, delimiter, at, end, quoted) => {
          const text = stringify(rows, {
            delimiter,
            record_delimiter: end,
            quoted,
            quoted_empty: true,
            quoted_match: /[\r\n]/,
          });
          expect(readCells(split(text, at), delimiter)).toEqual(rows);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('any text in any pieces is read like the same text in one', () => {
    // Whole rows among them: they are what a stray quote is told by.
    const unit = fc.constantFrom('"', '"', ',', '\n', '\r', 'a', 'é', 'x,y,z\n', ',"\n', '"b');
    const text = fc.string({ unit, maxLength: 40 });
    const outcome = (pieces: string[]) => {
      try {
        return readCells(pieces, ',', 3);
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(
      fc.property(text, cuts, (content, at) => {
        expect(outcome(split(content, at))).toEqual(outcome([content]));
      }),
      { numRuns: 2_000 },
    );
  });
});
