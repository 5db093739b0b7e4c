import { MAX_ROW, MAX_VALUES } from './rows.ts';
import type { Cells } from './table.ts';
import type { XmlReader } from './xml.ts';

/** Readers of a workbook's parts. */

/** What a workbook says of its cells beside the sheet. */
interface Book {
  strings: readonly string[];
  dateStyles: readonly boolean[];
  /** Days are counted from 1904. */
  from1904: boolean;
}

/** So many texts or styles take no list that is allotted in too large a piece. */
export const MAX_LISTED = 1_000_000;

/** Gathers what an element holds in its `t` and `v`, but no more than a row may have. */
export function textReader(element: 'si' | 'c', take: (text: string) => void) {
  let text = '';
  let isText = false;
  return {
    open(name: string) {
      if (name === element) text = '';
      isText = name === 't' || name === 'v';
    },
    text(found: string) {
      if (isText && text.length <= MAX_ROW) text += found;
    },
    close(name: string) {
      isText = false;
      if (name === element) take(unescapeCharacters(text).trim());
    },
  };
}

/** `_x000D_`: characters that XML does not take. */
const unescapeCharacters = (text: string): string =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** For each style of a cell whether it shows a date: by the formats that every workbook has, or one of its own. */
export function stylesReader(styles: boolean[]): XmlReader {
  const dates = new Set(['14', '15', '16', '17', '18', '19', '20', '21', '22']);
  let inCells = false;
  return {
    open(name, { numFmtId = '', formatCode = '' }) {
      if (dates.size + styles.length > MAX_LISTED) return;
      if (name === 'numFmt' && isDateFormat(formatCode.slice(0, 300))) dates.add(numFmtId);
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) styles.push(dates.has(numFmtId));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  };
}

/** `yyyy\-mm\-dd`, `[$-409]d-mmm-yy;@`: parts of dates, but for what is shown as it stands, and no digits of a number. */
function isDateFormat(code: string): boolean {
  const bare = code.replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '');
  return /[dmyhs]/i.test(bare) && !/[#0?]/.test(bare);
}

/** Rows of a sheet; they have the numbers that they have in Excel. */
export function sheetReader(rows: Cells[], book: Book): XmlReader {
  let row: Cells = { cells: [], line: 0, isCut: false };
  let length = 0;
  let column = 0;
  let cell: Attributes = {};
  const texts = textReader('c', (text) => {
    const value = readCell(cell, text, book);
    if (value === '') return;
    length += value.length;
    // Of a row that is too long already no more is needed to say so.
    row.isCut ||= length > MAX_ROW || column > MAX_VALUES;
    if (row.isCut) return;
    while (row.cells.length < column) row.cells.push('');
    row.cells[column - 1] = value;
  });
  return {
    open(name, attributes) {
      if (name === 'row') {
        const given = /^\d{1,7}$/.test(attributes.r ?? '') ? Number(attributes.r) : row.line + 1;
        row = { cells: [], line: given, isCut: false };
        length = 0;
        column = 0;
      } else if (name === 'c') {
        cell = attributes;
        column = cell.r === undefined ? column + 1 : readColumn(cell.r);
      }
      texts.open(name);
    },
    text: texts.text,
    close(name) {
      texts.close(name);
      if (name === 'row') rows.push(row);
    },
  };
}

type Attributes = Readonly<Record<string, string>>;

/** `AB12` → 28. */
const readColumn = (reference: string): number =>
  [...reference.slice(0, 3).replace(/\d.*/, '')].reduce(
    (sum, letter) => 26 * sum + Number.parseInt(letter, 36) - 9,
    0,
  );

/** From the day before 1900 that Excel counts from, as if that had been a leap year, to 1970; from 1904 four years less. */
const EPOCH = 25_569;
const LAST_DAY = 2_958_465;

function readCell({ t = 'n', s }: Attributes, text: string, book: Book): string {
  if (t === 's') return book.strings[Number(text)] ?? '';
  if (t === 'b') return text === '1' ? 'true' : 'false';
  if (t === 'e') return '';
  if (t !== 'n' || text === '') return text;
  const number = Number(text);
  if (!book.dateStyles[Number(s)] || !(number >= 0 && number <= LAST_DAY)) return String(number);
  const days = number - EPOCH + (book.from1904 ? 1_462 : 0);
  return new Date(Math.floor(days * 86_400_000)).toISOString().slice(0, 10);
}
