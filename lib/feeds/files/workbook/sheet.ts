import type { FileLimits } from '../limits.ts';
import type { Cells } from '../records.ts';
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

/** Rows of a sheet; they have the numbers that they have in Excel. */
export async function* sheetRecords(
  bytes: AsyncIterable<Uint8Array>,
  tables: Tables,
  limits: FileLimits,
): AsyncGenerator<Cells[]> {
  const rows: Cells[] = [];
  for await (const _ of readPart(bytes, sheetReader(tables, limits, rows), limits)) yield rows.splice(0);
}

function sheetReader(tables: Tables, limits: FileLimits, rows: Cells[]) {
  const inline = textReader(limits);
  let row: Cells = { cells: [], line: 0, isCut: false };
  let length = 0;
  let column = 0;
  let cell: Cell | null = null;
  let inValue = false;
  const place = (reference: string | undefined) => {
    const at = reference === undefined ? column + 1 : readColumn(reference);
    if (at <= column || at > LAST_COLUMN) throw damaged(new Error('a cell out of place'));
    column = at;
  };
  /** Of a row that is too long already no more is needed to say so. */
  const add = (text: string) => {
    if (row.isCut || column > limits.maxValues + 1) return;
    length += text.length;
    row.isCut = length > limits.maxRow;
    while (row.cells.length < column - 1) row.cells.push('');
    if (!row.isCut) row.cells.push(text);
  };
  return {
    open(name: string, { r, t = 'n', s }: Readonly<Record<string, string>>) {
      if (name === 'row') {
        const line = r === undefined ? row.line + 1 : Number(r);
        if (!(line > row.line && line <= LAST_ROW)) throw damaged(new Error('a row out of place'));
        row = { cells: [], line, isCut: false };
        length = 0;
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
        add(readCell(cell, inline.end, tables));
        cell = null;
      } else if (name === 'row') rows.push(row);
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
