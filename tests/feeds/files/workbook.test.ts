import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { listFields, makeZip, newFolder } from './read.ts';

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
/** `more`: rows as they stand. */
const toSheet = (rows: readonly (readonly (string | number)[])[], more = '') =>
  `<worksheet xmlns="${NAMESPACE}/spreadsheetml/2006/main"><sheetData>${rows.map(toRow).join('')}${more}</sheetData></worksheet>`;
const workbook = (sheet: string | Buffer, change: Record<string, string> = {}) =>
  makeZip({
    '[Content_Types].xml': TYPES,
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': RELATIONS,
    'xl/worksheets/sheet1.xml': sheet,
    ...change,
  });

const NOISE = randomBytes(400_000).toString('hex');

const ROWS = [
  ['Lone Star Trucks'],
  ['VIN', 'Year', 'Make', 'Price', 'Notes'],
  ['A1', 2020, 'Ford', 54900.5, 'one, "two"\nthree'],
  ['B2', 2021, 'Mack', 61000, '=1+1'],
];

test('the first sheet is read by content, whatever format is named, titles and quoted texts included', async () => {
  const content = await workbook(toSheet(ROWS));
  for (const format of [null, 'xlsx', 'csv'] as const) {
    const reading = await folder.read(content, format);
    expect(reading.file).toMatchObject({ format: 'xlsx', delimiter: null });
    expect(listFields(reading)).toEqual([
      { VIN: 'A1', Year: '2020', Make: 'Ford', Price: '54900.5', Notes: 'one, "two"\nthree' },
      { VIN: 'B2', Year: '2021', Make: 'Mack', Price: '61000', Notes: '=1+1' },
    ]);
  }
});

test.each([
  ['zip_bomb', () => workbook(`<worksheet>${'<a/>'.repeat(9_000_000)}`)],
  ['format_unreadable', () => workbook(Buffer.alloc(40 * 1024 * 1024, 32))],
  ['too_large', () => workbook(`<x a="${NOISE}">${'<a/>'.repeat(17_000_000)}`)],
  [
    'format_unreadable',
    () => workbook('<worksheet><sheetData><row><c></sheetData>', { 'xl/workbook.xml': '<' }),
  ],
] as [string, () => Promise<Buffer>][])('%s is refused with what to do', async (reason, make) => {
  expect(await folder.catchFault(await make())).toMatch(new RegExp(`^${reason}: .+`));
});

const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd;@"/>
  <numFmt numFmtId="165" formatCode="[$-409]d\\-mmm\\-yy"/><numFmt numFmtId="166" formatCode="#,##0&quot; days&quot;"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs>${[0, 14, 164, 165, 166].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`;
const STRINGS =
  '<sst><si><t> one &amp; two </t></si><si><r><t xml:space="preserve">rich </t></r><r><t>text</t></r></si></sst>';
const WITH_TABLES = RELATIONS.replace(
  '</Relationships>',
  ['styles', 'sharedStrings']
    .map((part) => `<Relationship Id="${part}" Type="${NAMESPACE}/x/${part}" Target="/xl/${part}.xml"/>`)
    .join('')
    .concat('</Relationships>'),
);
/** Cells of one row, under columns A, B … of the row before. */
const oneRow = (cells: readonly string[], change: Record<string, string> = {}) => {
  const place = (at: number, row: number) => `${String.fromCharCode(65 + at)}${row}`;
  const header = ['VIN', ...cells.slice(1).map((_, at) => `c${at + 1}`)];
  const row = cells.map((cell, at) => `<c r="${place(at, 5)}" ${cell}</c>`).join('');
  return workbook(toSheet([header], `<row r="5">${row}</row>`), {
    'xl/_rels/workbook.xml.rels': WITH_TABLES,
    'xl/styles.xml': STYLES,
    'xl/sharedStrings.xml': STRINGS,
    ...change,
  });
};

const FROM_1904 = { 'xl/workbook.xml': WORKBOOK.replace('<sheets>', '<workbookPr date1904="1"/><sheets>') };

test.each<[cell: string, value: string, change?: Record<string, string>]>([
  ['t="s"><v>0</v>', 'one & two'],
  ['t="s"><v>1</v>', 'rich text'],
  ['t="inlineStr"><is><t>a_x0041_b</t></is>', 'aAb'],
  ['t="b"><v>1</v>', 'true'],
  ['><v>54900.50</v>', '54900.5'],
  ['s="1"><v>45291.75</v>', '2023-12-31'],
  ['s="3"><v>45291</v>', '2023-12-31'],
  ['s="1"><v>43829</v>', '2023-12-31', FROM_1904],
])('the cell %s is %s', async (cell, value, change = {}) => {
  const { rows } = await folder.read(await oneRow(['><v>1</v>', cell], change));
  expect(rows).toMatchObject([{ line: 5, fields: { VIN: '1', c1: value } }]);
});

/** Each was seen to end the process: what a thread cannot allot in one piece is not a fault of that thread alone. */
describe('a workbook or XML ends its worker at most', () => {
  const reference = (count: number) => Array.from({ length: count }, () => 't="s"><v>0</v>');
  const far = (place: string, row: number) =>
    workbook(toSheet([['VIN', 'Year']], `<row r="${row}"><c r="${place}"><v>1</v></c></row>`));
  const shared = (text: string) => `<sst><si><t>${text}</t></si></sst>`;
  test.each([
    ['a billion cells', () => far('XFD1048576', 1_048_576)],
    [
      'a long text in every cell',
      () => oneRow(reference(26), { 'xl/sharedStrings.xml': shared('x'.repeat(1_000_000)) }),
    ],
    [
      'a text of 58 MB',
      () =>
        oneRow(reference(1), {
          'xl/sharedStrings.xml': shared(
            `\u4e2d${'x'.repeat(52_000_000)}${randomBytes(3_000_000).toString('hex')}`,
          ),
        }),
    ],
    [
      'five million texts',
      () => oneRow(reference(1), { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(5_000_000)}</sst>` }),
    ],
    [
      'six million elements in a row',
      async () => Buffer.from(`<x><t><vin>A</vin>${'<a b=""/>'.repeat(6_000_000)}</t></x>`),
    ],
    ['elements in each other', () => workbook('<a>'.repeat(5_000_000))],
  ])(
    '%s',
    async (_, make) => {
      const ends = / rows$|^(?:reader_timeout|file_damaged|format_unreadable|nested_too_deep)$/;
      expect(await folder.readInWorker(await make(), 30_000)).toMatch(ends);
    },
    60_000,
  );
});
