import type { FeedFormat } from '../../contract/feeds/feed-files.ts';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FeedChunk, FeedPosition, OpenFeedFile } from '../../ports/feeds/feed-files.ts';
import { decoded, detectEncoding, type Encoding } from './decode.ts';
import { delimitedRows } from './delimited.ts';
import { findList } from './json/find-list.ts';
import { jsonLines, jsonRows } from './json/json-rows.ts';
import type { FileLimits } from './limits.ts';
import type { Placed, RowParser } from './rows.ts';
import { type Sniffed, sniff } from './sniff.ts';
import { type Unpacked, unpack } from './unpack.ts';
import { findRows } from './xml/find-rows.ts';
import { xmlRows } from './xml/xml-rows.ts';

/** What a file that is opened says of itself, and its rows in chunks. */
export interface ReadFile extends Omit<OpenFeedFile, 'chunks' | 'close'> {
  chunks(size: number): AsyncGenerator<FeedChunk>;
}

/** Reads on the thread that calls it, in time linear in the bytes. Throws `FeedFault`. */
export async function readFeedFile(
  path: string,
  format: FeedFormat | null,
  from: FeedPosition | null,
  limits: FileLimits,
): Promise<ReadFile> {
  const unpacked = await unpack(path, limits);
  const head = await readHead(unpacked);
  const encoding = detectEncoding(head.bytes);
  const beginning = await decodeBeginning(head.bytes, encoding);
  const { text, oldMac } = unified(beginning);
  const source = () => unifiedPieces(decoded(regrouped(unpacked.bytes()), encoding), oldMac);
  const position = from ?? (await begin(unpacked, format, { text, whole: head.whole, source, limits }));
  return describeFile(unpacked, encoding, position, source, limits);
}

interface Beginning {
  text: string;
  whole: boolean;
  source: () => AsyncIterable<string>;
  limits: FileLimits;
}

/** A workbook is one whatever format was named, and is a table. */
async function begin(
  { isWorkbook }: Unpacked,
  format: FeedFormat | null,
  { text, whole, source, limits }: Beginning,
): Promise<FeedPosition> {
  if (format === 'xlsx' && !isWorkbook)
    throw new FeedFault('format_unreadable', 'The file is no Excel workbook (.xlsx).');
  const sniffed = sniff(text, whole, isWorkbook || format === 'xlsx' ? 'csv' : format, limits);
  const position = await findStart(sniffed, text, whole, source, limits);
  return isWorkbook ? { ...position, format: 'xlsx' } : position;
}

/** Pieces of at least this size: a parser begins a row anew with every piece. */
const PIECE_BYTES = 256 * 1024;

async function* regrouped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    size += piece.length;
    if (size < PIECE_BYTES) continue;
    yield pieces.length === 1 ? piece : Buffer.concat(pieces);
    pieces = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pieces);
}

const HEAD_BYTES = 256 * 1024;

async function readHead({ bytes }: Unpacked): Promise<{ bytes: Uint8Array; whole: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes()) {
    pieces.push(piece);
    size += piece.length;
    if (size > HEAD_BYTES) return { bytes: Buffer.concat(pieces).subarray(0, HEAD_BYTES), whole: false };
  }
  return { bytes: Buffer.concat(pieces), whole: true };
}

async function decodeBeginning(bytes: Uint8Array, encoding: Encoding): Promise<string> {
  const pieces: string[] = [];
  const once = async function* () {
    yield bytes;
  };
  for await (const piece of decoded(once(), encoding)) pieces.push(piece);
  return pieces.join('');
}

/** Lines that end in CR alone, as old Macs wrote them, are made to end in LF. */
function unified(text: string): { text: string; oldMac: boolean } {
  const oldMac = text.includes('\r') && !text.includes('\n');
  return { text: oldMac ? text.replaceAll('\r', '\n') : text, oldMac };
}

async function* unifiedPieces(pieces: AsyncIterable<string>, oldMac: boolean): AsyncGenerator<string> {
  for await (const piece of pieces) yield oldMac ? piece.replaceAll('\r', '\n') : piece;
}

async function findStart(
  sniffed: Sniffed,
  beginning: string,
  whole: boolean,
  source: () => AsyncIterable<string>,
  limits: FileLimits,
): Promise<FeedPosition> {
  const start = { format: sniffed.format, at: 0, line: 1, row: 0 };
  if ('delimiter' in sniffed) {
    const { delimiter, columns, at, line } = sniffed;
    return { ...start, at, line, head: { delimiter, columns } };
  }
  if (sniffed.format === 'ndjson') return { ...start, head: {} };
  if (sniffed.format === 'xml') return { ...start, head: findRows(beginning, whole, limits) };
  const list = await findList(source());
  return list === 'lines' ? { ...start, format: 'ndjson', head: {} } : { ...start, ...list };
}

function describeFile(
  { compression, entry }: Unpacked,
  { name: encoding }: Encoding,
  position: FeedPosition,
  source: () => AsyncIterable<string>,
  limits: FileLimits,
): ReadFile {
  const { delimiter, columns } = position.head;
  return {
    format: position.format,
    compression,
    encoding,
    delimiter: position.format === 'xlsx' ? null : (delimiter ?? null),
    entry,
    columns: columns ?? null,
    chunks: (size) => readChunks(size, position, source, limits),
  };
}

function createParser({ format, head, at, line, row }: FeedPosition, limits: FileLimits): RowParser {
  if (format === 'json') return jsonRows({ at, line }, limits);
  if (format === 'ndjson') return jsonLines({ at, line }, limits);
  if (format === 'xml') return xmlRows({ path: head.path ?? [], names: head.names ?? [], skip: row }, limits);
  return delimitedRows({ delimiter: head.delimiter ?? ',', columns: head.columns ?? [], at, line }, limits);
}

async function* readChunks(
  size: number,
  start: FeedPosition,
  source: () => AsyncIterable<string>,
  limits: FileLimits,
): AsyncGenerator<FeedChunk> {
  const { maxRows, maxChunk, maxChunkValues } = limits;
  let row = start.row;
  let chunk: Placed[] = [];
  let length = 0;
  let values = 0;
  for await (const placed of parsed(createParser(start, limits), beyond(source(), start.at))) {
    for (const next of placed) {
      chunk.push(next);
      length += next.length;
      values += next.values;
      if (chunk.length < size && length < maxChunk && values < maxChunkValues) continue;
      row += chunk.length;
      if (row > maxRows) throw new FeedFault('too_many_rows', `The file has more than ${maxRows} rows.`);
      yield toChunk(chunk, row, start);
      chunk = [];
      length = 0;
      values = 0;
    }
  }
  if (chunk.length > 0) yield toChunk(chunk, row + chunk.length, start);
}

function toChunk(placed: readonly Placed[], row: number, start: FeedPosition): FeedChunk {
  const { at, line } = placed.at(-1) ?? start;
  return { rows: placed.map((each) => each.row), position: { ...start, at, line, row } };
}

async function* parsed(parser: RowParser, pieces: AsyncIterable<string>): AsyncGenerator<Iterable<Placed>> {
  for await (const piece of pieces) yield parser.push(piece, false);
  yield parser.push('', true);
}

async function* beyond(pieces: AsyncIterable<string>, at: number): AsyncGenerator<string> {
  let left = at;
  for await (const piece of pieces) {
    if (left < piece.length) yield left > 0 ? piece.slice(left) : piece;
    left = Math.max(0, left - piece.length);
  }
}
