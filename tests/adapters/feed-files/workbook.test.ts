import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { feedFiles } from '../../../lib/adapters/feed-files/feed-files.ts';
import { FILE_LIMITS, type FileLimits } from '../../../lib/adapters/feed-files/limits.ts';
import { FeedFault } from '../../../lib/ports/feeds/feed-faults.ts';
import { listFields, makeZip, newFolder, readPath } from './read.ts';

/** Excel workbooks: their first sheet is read as a table, within the limits of every file. */

const folder = await newFolder();

const NAMESPACE = 'http://schemas.openxmlformats.org';
const TYPES = `<Types xmlns="${NAMESPACE}/package/2006/content-types"/>`;
const WORKBOOK = `<workbook xmlns="${NAMESPACE}/spreadsheetml/2006/main" xmlns:r="${NAMESPACE}/officeDocument/2006/relationships">
  <sheets><sheet name="Stock" sheetId="1" r:id="rId1"/></sheets></workbook>`;
const RELATIONS = `<Relationships xmlns="${NAMESPACE}/package/2006/relationships">
  <Relationship Id="rId1" Type="${NAMESPACE}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`;

const toCell = (value: string | number, place: string) =>
  typeof value === 'number'
    ? `<c r="${place}"><v>${value}</v></c>`
    : `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const toRow = (cells: readonly (string | number)[], index: number) =>
  `<row r="${index + 1}">${cells.map((cell, at) => toCell(cell, `${String.fromCharCode(65 + at)}${index + 1}`)).join('')}</row>`;
const toSheet = (rows: readonly (readonly (string | number)[])[]) =>
  `<worksheet xmlns="${NAMESPACE}/spreadsheetml/2006/main"><sheetData>${rows.map(toRow).join('')}</sheetData></worksheet>`;
const workbook = (sheet: string | Buffer, change: Record<string, string> = {}) =>
  makeZip({
    '[Content_Types].xml': TYPES,
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': RELATIONS,
    'xl/worksheets/sheet1.xml': sheet,
    ...change,
  });

const ROWS = [
  ['Lone Star Trucks'],
  ['VIN', 'Year', 'Make', 'Price', 'Notes'],
  ['A1', 2020, 'Ford', 54900.5, 'one, "two"\nthree'],
  ['B2', 2021, 'Mack', 61000, '=1+1'],
];

test('the first sheet is read by content, whatever format is named, titles and quoted texts included', async () => {
  const content = await workbook(toSheet(ROWS));
  for (const format of [null, 'xlsx', 'csv'] as const) {
    const reading = await folder.read(content, { format });
    expect(reading.file).toMatchObject({ format: 'xlsx', compression: 'none', delimiter: null, entry: null });
    expect(listFields(reading)).toEqual([
      { VIN: 'A1', Year: '2020', Make: 'Ford', Price: '54900.5', Notes: 'one, "two"\nthree' },
      { VIN: 'B2', Year: '2021', Make: 'Mack', Price: '61000', Notes: '=1+1' },
    ]);
  }
});

/** The archive with one more member in front of its directory, which does not name it. */
function withGhost(zip: Buffer, name: string, content: Buffer): Buffer {
  const end = zip.lastIndexOf('PK\u0005\u0006');
  const directory = zip.readUInt32LE(end + 16);
  const packed = deflateRawSync(content);
  const head = Buffer.alloc(30);
  head.write('PK\u0003\u0004');
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(crc32(content), 14);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(content.length, 22);
  head.writeUInt16LE(name.length, 26);
  const ghost = Buffer.concat([head, Buffer.from(name), packed]);
  const grown = Buffer.concat([zip.subarray(0, directory), ghost, zip.subarray(directory)]);
  grown.writeUInt32LE(directory + ghost.length, end + ghost.length + 16);
  return grown;
}

test('a member that the directory of the archive does not name is never inflated', async () => {
  const sound = await workbook(toSheet(ROWS));
  const other = Buffer.from(toSheet([['VIN'], ['GHOST']]));
  const ghost = withGhost(sound, 'xl/worksheets/sheet1.xml', other);
  expect(listFields(await folder.read(ghost))).toEqual(listFields(await folder.read(sound)));
});

test('reading goes on after any chunk', async () => {
  const path = await folder.write(await workbook(toSheet([...ROWS, ['C3', 2022, 'Hino', 1, '']])));
  const whole = await readPath(path, { size: 1 });
  const [first] = whole.chunks;
  const rest = await readPath(path, { from: first?.position ?? null, size: 1 });
  expect(rest.rows).toEqual(whole.rows.slice(1));
});

describe('is refused with what to do', () => {
  test.each([
    ['zip_bomb', () => workbook(Buffer.alloc(40 * 1024 * 1024, 32))],
    ['too_large', () => workbook('x'.repeat(20_000)), { maxBytes: 10_000 }],
    [
      'file_damaged',
      () => workbook('<worksheet><sheetData><row><c></sheetData>', { 'xl/workbook.xml': '<' }),
    ],
    ['format_unknown', () => makeZip({ '[Content_Types].xml': TYPES, 'ppt/slide.xml': '<x/>' })],
  ] as [string, () => Promise<Buffer>, Partial<FileLimits>?][])('%s', async (reason, make, limits = {}) => {
    expect(await folder.catchFault(await make(), { limits })).toMatch(new RegExp(`^${reason}: .+`));
  });

  test('a format of xlsx for a file that is none', async () => {
    expect(await folder.catchFault('VIN,Year\nA1,2020\n', { format: 'xlsx' })).toMatch(/^format_unreadable/);
  });

  test('entities of a document type give nothing', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'lol'.repeat(1_000)}">]>${toSheet([['VIN'], ['&a;&a;&a;']])}`;
    expect(
      JSON.stringify((await folder.read(await workbook(bomb)).catch(() => ({ rows: [] }))).rows),
    ).not.toContain('lollol');
  });

  test('a sheet that claims a billion cells ends its worker at most', async () => {
    const sheet = toSheet([['VIN', 'Year']]).replace(
      '</sheetData>',
      '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>',
    );
    const path = await folder.write(await workbook(sheet));
    const reading = feedFiles(FILE_LIMITS).open(path, null, null, 30_000);
    const reason = await reading.then(
      async (file) => file.close().then(() => 'read'),
      (error: unknown) => error instanceof FeedFault && error.reason,
    );
    expect(['read', 'reader_out_of_memory', 'reader_timeout', 'file_damaged', 'too_many_columns']).toContain(
      reason,
    );
  }, 60_000);
});
