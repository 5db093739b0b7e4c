import { isObject } from '../../truck/is-object.ts';
import { MAX_ROW, MAX_VALUES } from './rows.ts';
import type { Cells } from './table.ts';
import type { XmlElement } from './xml.ts';

/** What a workbook says of its cells beside the sheet. */
export interface Book {
  strings: readonly string[];
  dateStyles: readonly boolean[];
  /** Days are counted from 1904. */
  from1904: boolean;
}

/** The text of a cell or of a shared text: its `t`, or those of its runs. */
export function readText(value: unknown): string {
  if (Array.isArray(value)) return value.map(readText).join('');
  if (isObject(value)) return readText(value.text ?? value.t ?? value.r ?? value.is);
  // `_x000D_`: characters that XML does not take.
  return String(value ?? '').replace(/_x([0-9a-f]{4})_/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** `yyyy\-mm\-dd`, `[$-409]d-mmm-yy;@`: parts of dates, but for what is shown as it stands, and no digits of a number. */
export function isDateFormat(format: unknown) {
  const bare = String(format)
    .slice(0, 300)
    .replace(/"[^"]*"?|\[[^\]]*\]?|[\\_*]./g, '');
  return /[dmyhs]/i.test(bare) && !/[#0?]/.test(bare);
}

/** A row of a sheet; it has the number that it has in Excel, or follows the row before. */
export function toCells({ fields, isCut }: XmlElement, before: number, book: Book) {
  const row: Cells = { cells: [], line: before + 1, isCut };
  if (/^\d{1,7}$/.test(String(fields.r))) row.line = Number(fields.r);
  let [column, length] = [0, 0];
  for (const cell of [fields.c ?? []].flat()) {
    const { r, ...content }: Record<string, unknown> = isObject(cell) ? cell : {};
    column = r === undefined ? column + 1 : readColumn(String(r));
    const value = readCell(content, book).trim();
    length += value.length;
    row.isCut ||= length > MAX_ROW || column > MAX_VALUES;
    if (row.isCut) break;
    if (value === '') continue;
    while (row.cells.length < column) row.cells.push('');
    row.cells[column - 1] = value;
  }
  return row;
}

/** `AB12` → 28. */
const readColumn = (reference: string) =>
  [...reference.slice(0, 3).replace(/\d/g, '')].reduce(
    (sum, letter) => 26 * sum + Number.parseInt(letter, 36) - 9,
    0,
  );

/** From the day before 1900 that Excel counts from, as if that had been a leap year, to 1970; from 1904 four years less. */
const EPOCH = 25_569;
const LAST_DAY = 2_958_465;

function readCell({ t = 'n', s, v, is }: Record<string, unknown>, book: Book): string {
  const text = readText(t === 'inlineStr' ? is : v);
  if (t === 's') return book.strings[Number(text)] ?? '';
  if (t === 'b') return text === '1' ? 'true' : 'false';
  if (t === 'e') return '';
  if (t !== 'n' || text === '') return text;
  const number = Number(text);
  if (!book.dateStyles[Number(s)] || !(number >= 0 && number <= LAST_DAY)) return String(number);
  const days = number - EPOCH + (book.from1904 ? 1_462 : 0);
  return new Date(Math.floor(days * 86_400_000)).toISOString().slice(0, 10);
}
