import { FeedFault } from '../../feed-faults.ts';
import { type Archive, openArchive } from '../bytes/zip.ts';
import type { FileLimits } from '../limits.ts';
import type { Cells } from '../records.ts';
import type { ReadRows } from '../rows.ts';
import { readHeader, tableRows } from '../table.ts';
import { local } from '../xml/parser.ts';
import { damaged, readWholePart } from './part.ts';
import { sheetRecords } from './sheet.ts';
import { readDateStyles, readStrings } from './tables.ts';

/**
 * The first sheet of an Excel workbook. Each part is inflated, counted and read as it comes, and none is held whole.
 */

/** Of each part: a sheet of some 50,000 trucks. */
const MAX_BYTES = 64 * 1024 * 1024;
const ROWS_LOOKED_AT = 60;

export async function readWorkbook(path: string, given: FileLimits): Promise<ReadRows> {
  const limits = { ...given, maxBytes: Math.min(given.maxBytes, MAX_BYTES) };
  const records = await openSheet(await openArchive(path, limits), limits);
  const first: Cells[] = [];
  for (let next = await records.next(); !next.done; next = await records.next()) {
    first.push(...next.value);
    if (first.length > ROWS_LOOKED_AT) break;
  }
  async function* all() {
    yield first;
    yield* records;
  }
  const header = readHeader(first.slice(0, ROWS_LOOKED_AT));
  const { columns } = header;
  return { format: 'xlsx', delimiter: null, columns, rows: tableRows(all(), header, limits) };
}

async function openSheet({ members, read }: Archive, limits: FileLimits): Promise<AsyncGenerator<Cells[]>> {
  const part = (path = '') => {
    const member = members.get(path);
    if (member === undefined) throw damaged(new Error('a part is missing'));
    return read(member);
  };
  if (!members.has('xl/workbook.xml'))
    throw new FeedFault('format_unknown', 'The file is an office document, but no workbook.');
  const { sheetId, from1904 } = await readBook(part('xl/workbook.xml'), limits);
  const { sheets, strings, styles } = await readRelations(part('xl/_rels/workbook.xml.rels'), limits);
  const has = (path: string | undefined) => path !== undefined && members.has(path);
  const tables = {
    from1904,
    strings: has(strings) ? await readStrings(part(strings), limits) : [],
    dateStyles: has(styles) ? await readDateStyles(part(styles), limits) : [],
  };
  return sheetRecords(part(sheets.get(sheetId)), tables, limits);
}

/** Which sheet is the first, and what its days are counted from. */
async function readBook(part: AsyncIterable<Uint8Array>, limits: FileLimits) {
  const book = { sheetId: '', from1904: false };
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    if (name === 'workbookPr') book.from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
    if (name !== 'sheet' || book.sheetId !== '') return;
    const id = Object.entries(attributes).find(([key]) => key.includes(':') && local(key) === 'id');
    book.sheetId = id?.[1] ?? '';
  };
  await readWholePart(part, { open }, limits);
  return book;
}

const MAX_RELATIONS = 1_000;

async function readRelations(part: AsyncIterable<Uint8Array>, limits: FileLimits) {
  const sheets = new Map<string, string>();
  const related: { strings?: string; styles?: string } = {};
  const open = (name: string, { Id = '', Type = '', Target = '' }: Readonly<Record<string, string>>) => {
    if (name !== 'Relationship') return;
    const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`;
    if (Type.endsWith('/worksheet') && sheets.size < MAX_RELATIONS) sheets.set(Id, path);
    else if (Type.endsWith('/sharedStrings')) related.strings = path;
    else if (Type.endsWith('/styles')) related.styles = path;
  };
  await readWholePart(part, { open }, limits);
  return { sheets, ...related };
}
