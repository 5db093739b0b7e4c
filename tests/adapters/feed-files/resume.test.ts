import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as fc from '../../support/oracles/fast-check.ts';
import { newFolder, readPath } from './read.ts';

const folder = await newFolder();

const trucks = Array.from({ length: 23 }, (_, index) => ({
  vin: `V${index}`,
  make: index % 3 === 0 ? 'Québec “Trucks” 𝄞' : 'Ford',
  note: index % 4 === 0 ? 'two\nlines, "quoted"' : '',
}));
const csv = (separator: string) =>
  ['vin', 'make', 'note'].join(separator) +
  trucks
    .map(
      ({ vin, make, note }) =>
        `\r\n${[vin, make, note].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)}`,
    )
    .join('');
const escaped = (text: string) => text.replace(/[<&]/g, (char) => `&#${char.charCodeAt(0)};`);

const CONTENTS: Record<string, string | Buffer> = {
  csv: csv(','),
  json: JSON.stringify({ meta: { rows: 'x' }, trucks }, null, 1),
  'json with a bad row': `[${trucks.map((truck) => JSON.stringify(truck)).join(',\n')}, nonsense, {"vin":"Z"}]`,
  ndjson: trucks.map((truck) => JSON.stringify(truck)).join('\n'),
  xml: `<x>${trucks.map(({ vin, make, note }) => `<truck vin="${vin}"><make>${escaped(make)}</make>\n<note>${escaped(note)}</note></truck>`).join('\n')}</x>`,
  utf16: Buffer.from(`\ufeff${csv(';')}`, 'utf16le'),
  latin1: Buffer.from(csv(',').replaceAll(/[“”𝄞]/gu, '\xe9'), 'latin1'),
};

test.each(Object.entries(CONTENTS))(
  'reading goes on after any chunk with the very rows that were left: %s',
  async (_, content) => {
    for (const bytes of [content, gzipSync(content)]) {
      const path = await folder.write(bytes);
      const all = await readPath(path);
      expect(all.rows.length).toBeGreaterThanOrEqual(23);
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 30 }),
          fc.integer({ min: 1, max: 30 }),
          async (size, next) => {
            const { chunks } = await readPath(path, { size });
            expect(chunks.flatMap(({ rows }) => rows)).toEqual(all.rows);
            expect(chunks.slice(0, -1).every(({ rows }) => rows.length === size)).toBe(true);
            let read = 0;
            for (const { rows, position } of chunks) {
              read += rows.length;
              expect(position.row).toBe(read);
              // As it comes back from a database.
              const from = JSON.parse(JSON.stringify(position));
              const rest = await readPath(path, { from, size: next });
              expect(rest.rows).toEqual(all.rows.slice(read));
              expect(rest.file.columns).toEqual(all.file.columns);
            }
          },
        ),
        { numRuns: 4 },
      );
    }
  },
);
