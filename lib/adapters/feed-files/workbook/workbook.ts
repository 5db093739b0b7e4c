import type { Entry, ZipFile } from 'yauzl';
import { FeedFault } from '../../../ports/feeds/feed-faults.ts';
import type { FileLimits } from '../limits.ts';
import { local } from '../xml/parser.ts';
import { readMember } from '../zip-member.ts';
import { damaged, readWholePart } from './part.ts';
import { sheetBytes } from './sheet.ts';
import { readDateStyles, readStrings } from './tables.ts';

/**
 * The first sheet of an Excel workbook as the text of a CSV file: what reads tables then reads it, with all its limits
 * and positions. Each part is inflated, counted and read as it comes, and none is held whole.
 */

/** Of each part: a sheet of some 50,000 trucks. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 1_000;
/** The others are pictures and settings of printers. */
const READ = /\.xml(?:\.rels)?$/;

type Open = () => Promise<ZipFile>;

/** Makes the function that reads the sheet from its beginning, each time it is called. */
export async function openSheet(opened: Open, given: FileLimits): Promise<() => AsyncGenerator<Uint8Array>> {
  const limits = { ...given, maxBytes: Math.min(given.maxBytes, MAX_BYTES) };
  const parts = await listParts(opened);
  const read = (path: string) => {
    const entry = parts.get(path);
    if (entry === undefined) throw damaged(new Error('a part is missing'));
    return readMember(opened, entry, limits);
  };
  if (!parts.has('xl/workbook.xml'))
    throw new FeedFault('format_unknown', 'The file is an office document, but no workbook.');
  const { sheetId, from1904 } = await readBook(read('xl/workbook.xml'), limits);
  const related = await readRelations(read('xl/_rels/workbook.xml.rels'), limits);
  const has = (path: string | undefined): path is string => path !== undefined && parts.has(path);
  const [sheet, shared, styles] = [related.sheets.get(sheetId), related.strings, related.styles];
  const tables = {
    from1904,
    strings: has(shared) ? await readStrings(read(shared), limits) : [],
    dateStyles: has(styles) ? await readDateStyles(read(styles), limits) : [],
  };
  const compressed = [sheet, shared].reduce(
    (sum, path) => sum + (parts.get(path ?? '')?.compressedSize ?? 0),
    0,
  );
  return () => sheetBytes({ bytes: read(sheet ?? ''), compressed }, tables, given);
}

async function listParts(opened: Open): Promise<Map<string, Entry>> {
  const archive = await opened();
  const parts = new Map<string, Entry>();
  try {
    for await (const entry of archive.eachEntry()) {
      if (!READ.test(entry.fileName)) continue;
      if (parts.size === MAX_PARTS)
        throw new FeedFault('zip_unusable', `The workbook has over ${MAX_PARTS} parts.`);
      parts.set(entry.fileName, entry);
    }
  } finally {
    archive.close();
  }
  return parts;
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
