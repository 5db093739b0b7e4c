import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { recordReader } from '../../../lib/feeds/files/csv.ts';
import { textDecoder } from '../../../lib/feeds/files/decode.ts';
import { readLines } from '../../../lib/feeds/files/lines.ts';
import * as fc from '../../support/oracles/fast-check.ts';

/** Bytes and texts are read alike however they come in pieces. */

/** All cells of a text that comes in these pieces. */
async function readCells(pieces: readonly string[], delimiter: string, width = 0): Promise<string[][]> {
  const reader = recordReader(delimiter, width);
  async function* texts() {
    yield* pieces;
  }
  const records = [];
  for await (const lines of readLines(texts())) records.push(...lines.flatMap(reader.read));
  reader.end();
  return records.map(({ cells }) => cells);
}

function cutAt<Whole extends { length: number; slice(from: number, to?: number): Whole }>(
  file: Whole,
  cuts: readonly number[],
): Whole[] {
  const places = cuts.map((cut) => cut % (file.length + 1)).sort((one, other) => one - other);
  return [0, ...places].map((from, index) => file.slice(from, places[index] ?? file.length));
}

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

test('what csv-stringify writes is read as it was, however it comes in pieces', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      delimiters,
      cuts,
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      async (rows, delimiter, at, end, quoted) => {
        const text = stringify(rows, {
          delimiter,
          record_delimiter: end,
          quoted,
          quoted_empty: true,
          quoted_match: /[\r\n]/,
        });
        expect(await readCells(cutAt(text, at), delimiter)).toEqual(rows);
      },
    ),
    { numRuns: 400 },
  );
});

test('a stray quote swallows no other row', async () => {
  const vins = Array.from({ length: 50 }, (_, at) => `V${at}`);
  for (const stray of ['"17 in', '"', '"17 in" tall', '17"', '"a "b"'])
    for (const last of ['x', '"x"', 'x"']) {
      const notes: string[] = vins.map((_, at) => (at % 7 === 3 ? '22.5" wheels' : 'x'));
      notes[10] = stray;
      const lines = [...vins, 'last'].map((vin, at) => `${vin},2020,Ford,${notes[at] ?? last}`);
      const cells = await readCells([[...lines, ''].join('\n')], ',', 4);
      const vinsRead = cells.map(([vin]) => vin);
      expect(
        vins.filter((vin) => !vinsRead.includes(vin)),
        stray,
      ).toEqual([]);
    }
});

function decodeText(bytes: Uint8Array, cuts: readonly number[] = []): string {
  const decode = textDecoder('utf-8');
  return [...cutAt(bytes, cuts).map((piece) => decode(piece)), decode()].join('');
}

test('any bytes come out alike wherever they are cut, and no byte is lost', () => {
  // Beginnings and inner bytes of characters, whole and broken.
  const byte = fc.constantFrom(...Buffer.from('4180bfc3a9e282aceda0f09f98f490ff', 'hex'));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 40 }), cuts, (list, at) => {
      const bytes = Uint8Array.from(list);
      const text = decodeText(bytes);
      expect(decodeText(bytes, at)).toBe(text);
      expect(text).not.toContain('\ufffd');
    }),
    { numRuns: 1_000 },
  );
});
