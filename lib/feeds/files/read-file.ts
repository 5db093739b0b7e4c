import { FeedFault } from '../feed-faults.ts';
import type { FeedFileHead } from '../feed-file.ts';
import type { FeedFormat } from '../schemas/feed-files.ts';
import { readCsv } from './csv.ts';
import { type DecodedText, decodeText } from './decode.ts';
import { jsonLines, jsonRows } from './json.ts';
import type { ReadRows } from './rows.ts';
import { unpack } from './unpack.ts';
import { readWorkbook } from './workbook.ts';
import { xmlRows } from './xml-rows.ts';

/** What a file says of itself unless its reader knows more. */
const HEAD = { encoding: 'utf-8', delimiter: null } as const;

/**
 * Reads from start to end on the thread that calls it, in time linear in the bytes; a workbook is one whatever format was
 * named. Throws `FeedFault`.
 */
export async function readFeedFile(
  path: string,
  givenFormat: FeedFormat | null,
): Promise<FeedFileHead & ReadRows> {
  const unpacked = await unpack(path);
  if ('members' in unpacked) return { ...HEAD, ...(await readWorkbook(unpacked)) };
  const text = await decodeText(unpacked);
  return { ...HEAD, encoding: text.encoding, ...readText(text, givenFormat) };
}

const PAGE = /^(?:<\?xml[^>]{0,200}>\s{0,20})?<(?:!doctype\s{1,20}html|html|head|body)\b/i;

function readText(text: DecodedText, givenFormat: FeedFormat | null): ReadRows {
  const start = text.head.trimStart();
  if (givenFormat === 'xlsx')
    throw new FeedFault('format_unreadable', 'The file is no Excel workbook (.xlsx).');
  if (PAGE.test(start)) throw new FeedFault('web_page', 'The file is a web page.');
  const format = givenFormat ?? recognise(start);
  if (start === '') return { format: format ?? 'csv', columns: [], rows: none() };
  if (format === 'json') return { format, rows: jsonRows(text.pieces) };
  if (format === 'ndjson') return { format, rows: jsonLines(text.pieces) };
  if (format === 'xml') return { format, rows: xmlRows(text) };
  if (/^%PDF|\0\0/.test(start.slice(0, 2_000)))
    throw new FeedFault('format_unknown', 'The file is not text.');
  return readCsv(text, format);
}

async function* none() {}

/** Null: none that begins with a sign of its own. Several objects, a line each, are NDJSON. */
function recognise(start: string): 'xml' | 'json' | 'ndjson' | null {
  if (start.startsWith('<')) return 'xml';
  if (/^\{.*\}[\t\r ]*\n\s*\{/.test(start)) return 'ndjson';
  return /^[[{]/.test(start) ? 'json' : null;
}
