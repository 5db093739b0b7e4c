import { columnField } from '../../domain/columns/feed-columns.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedFileHead } from '../feed-file.ts';
import type { FeedFormat } from '../schemas/feed-files.ts';
import { type DecodedText, decodeText } from './bytes/decode.ts';
import { unpack } from './bytes/unpack.ts';
import { jsonLines, jsonRows } from './json.ts';
import type { FileLimits } from './limits.ts';
import type { ReadRows } from './rows.ts';
import { readTextTable } from './text-table.ts';
import { readWorkbook } from './workbook/workbook.ts';
import { xmlRows } from './xml/xml-rows.ts';

/** What a file that is opened says of itself, and its rows. */
export type ReadFile = FeedFileHead & ReadRows;

/**
 * Reads from start to end on the thread that calls it, in time linear in the bytes; a workbook is one whatever format was
 * named. Throws `FeedFault`.
 */
export async function readFeedFile(
  path: string,
  wanted: FeedFormat | null,
  limits: FileLimits,
): Promise<ReadFile> {
  const unpacked = await unpack(path, limits);
  if (unpacked === 'workbook') {
    const read = await readWorkbook(path, limits);
    return { compression: 'none', encoding: 'utf-8', entry: null, ...read };
  }
  const { compression, entry, bytes } = unpacked;
  const { encoding, ...text } = await decodeText(bytes);
  return { compression, encoding, entry, ...readText(text, wanted, limits) };
}

type Text = Omit<DecodedText, 'encoding'>;

function readText(text: Text, wanted: FeedFormat | null, limits: FileLimits): ReadRows {
  const start = text.head.trimStart();
  if (wanted === 'xlsx') throw new FeedFault('format_unreadable', 'The file is no Excel workbook (.xlsx).');
  if (PAGE.test(start)) throw new FeedFault('web_page', 'The file is a web page.');
  const format = wanted ?? recognise(start);
  const rows = { delimiter: null, columns: null };
  if (start === '') return { format: format ?? 'csv', delimiter: null, columns: [], rows: none() };
  if (format === 'json') return { format, ...rows, rows: jsonRows(text.pieces, limits) };
  if (format === 'ndjson') return { format, ...rows, rows: jsonLines(text.pieces, limits) };
  if (format === 'xml') return { format, ...rows, rows: xmlRows(text, limits) };
  refuseBinaries(start);
  return readTextTable(text, format, limits);
}

async function* none() {}

const PAGE = /^(?:<\?xml[^>]{0,200}>\s{0,20})?<(?:!doctype\s{1,20}html|html|head|body)\b/i;

/** Null: none that begins with a sign of its own. */
function recognise(start: string): 'xml' | 'json' | 'ndjson' | null {
  if (start.startsWith('<')) return 'xml';
  if (start.startsWith('[')) return 'json';
  return start.startsWith('{') ? jsonKind(start) : null;
}

/** Several objects, a line each: NDJSON; also one alone that is a truck, not word of an error. */
function jsonKind(start: string): 'json' | 'ndjson' {
  const [first = '', ...rest] = start.split('\n');
  try {
    const value: object = JSON.parse(first);
    const next = rest.find((line) => line.trim() !== '');
    const isTruck = Object.keys(value).some((name) => columnField(name) === 'vin');
    return next === undefined ? (isTruck ? 'ndjson' : 'json') : next.startsWith('{') ? 'ndjson' : 'json';
  } catch {
    return 'json';
  }
}

function refuseBinaries(start: string): void {
  const sample = start.slice(0, 2_000);
  const strange = sample.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  if (sample.startsWith('%PDF') || strange > sample.length / 50)
    throw new FeedFault('format_unknown', 'The file is not text.');
}
