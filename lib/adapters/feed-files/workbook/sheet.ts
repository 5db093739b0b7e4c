import type { FileLimits } from '../limits.ts';
import { checkGrowth } from '../zip-member.ts';
import { damaged, readPart } from './part.ts';
import { textReader, unescapeCharacters } from './tables.ts';

/** What a workbook says of its cells beside the sheet. */
export interface Tables {
  strings: readonly string[];
  dateStyles: readonly boolean[];
  /** Days are counted from 1904. */
  from1904: boolean;
}

const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;
const PIECE = 256 * 1024;

/** A sheet as the text of a CSV file, row by row: its rows have the numbers that they have in Excel. */
export async function* sheetBytes(
  part: { bytes: AsyncIterable<Uint8Array>; compressed: number },
  tables: Tables,
  limits: FileLimits,
): AsyncGenerator<Uint8Array> {
  const lines: string[] = [];
  let size = 0;
  for await (const _ of readPart(part.bytes, sheetReader(tables, limits, lines), limits)) {
    for (const piece of together(lines.splice(0))) {
      size += piece.length;
      checkGrowth(size, part.compressed, limits);
      yield piece;
    }
  }
}

/** Many cells may refer to one long text: rows are put together one by one, and not all at once. */
function* together(lines: readonly string[]): Generator<Uint8Array> {
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < PIECE) continue;
    yield* pieces(Buffer.from(text));
    text = '';
  }
  yield* pieces(Buffer.from(text));
}

function* pieces(bytes: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

function sheetReader(tables: Tables, limits: FileLimits, lines: string[]) {
  const inline = textReader(limits);
  let line = '';
  let row = 0;
  let column = 0;
  let cell: Cell | null = null;
  let inValue = false;
  const place = (reference: string | undefined) => {
    const at = reference === undefined ? column + 1 : readColumn(reference);
    if (at <= column || at > LAST_COLUMN) throw damaged(new Error('a cell out of place'));
    // Of a row that is too long already no more is needed to say so.
    if (line.length <= limits.maxRow) line += ','.repeat(at - Math.max(1, column));
    column = at;
  };
  return {
    open(name: string, { r, t = 'n', s }: Readonly<Record<string, string>>) {
      if (name === 'row') {
        const next = r === undefined ? row + 1 : Number(r);
        if (!(next > row && next <= LAST_ROW)) throw damaged(new Error('a row out of place'));
        lines.push('\n'.repeat(next - row - 1));
        row = next;
        line = '';
        column = 0;
      } else if (name === 'c') {
        place(r);
        cell = { type: t, style: s, value: '' };
        inline.begin();
      } else if (name === 'v') inValue = true;
      inline.open(name);
    },
    text(text: string) {
      if (cell && inValue) cell.value += text.slice(0, limits.maxCell + 1 - cell.value.length);
      else if (cell) inline.add(text);
    },
    close(name: string) {
      inline.close(name);
      if (name === 'v') inValue = false;
      else if (name === 'c' && cell) {
        if (line.length <= limits.maxRow) line += toCell(readCell(cell, inline.end, tables));
        cell = null;
      } else if (name === 'row') lines.push(`${line}\n`);
    },
  };
}

interface Cell {
  type: string;
  style: string | undefined;
  value: string;
}

/** `AB12` → 28. */
function readColumn(reference: string): number {
  const [, letters = ''] = /^([A-Z]{1,3})\d{1,7}$/.exec(reference) ?? [];
  return [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0);
}

function readCell({ type, style, value }: Cell, inline: () => string, tables: Tables): string {
  if (type === 'inlineStr') return inline();
  if (value === '' || type === 'e') return '';
  if (type === 's') return tables.strings[Number(value)] ?? '';
  if (type === 'str') return unescapeCharacters(value).trim();
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type === 'd') return toDate(Date.parse(value));
  const number = Number(value);
  if (Number.isNaN(number)) return '';
  return style !== undefined && tables.dateStyles[Number(style)]
    ? toDate(fromSerial(number, tables))
    : String(number);
}

/** The day before 1900 that Excel counts from, as if that had been a leap year, to 1970; from 1904 four years less. */
const fromSerial = (days: number, { from1904 }: Tables): number =>
  Math.floor((days - 25_569 + (from1904 ? 1_462 : 0)) * 86_400_000);

function toDate(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** As RFC 4180 has it. */
const toCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
