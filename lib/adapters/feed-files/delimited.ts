import { removeFormulaGuard } from '../../domain/text/formula-guard.ts';
import { unwrapCell } from '../../domain/text/text.ts';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FeedRow } from '../../ports/feeds/feed-files.ts';
import type { FileLimits } from './limits.ts';
import { faulty, lineFeeds, type Placed, type RowParser, tooManyValues } from './rows.ts';

/** Where a parser of values separated by a character starts. */
export interface DelimitedStart {
  delimiter: string;
  columns: readonly string[];
  at: number;
  line: number;
}

/**
 * Rows of CSV and its kin (RFC 4180), as dealers' systems write it: a quote inside an
 * unquoted value is text; a quoted value that goes on after its closing quote is text from its first quote on; an
 * opening quote whose partner is rows away was no opening quote. Blank rows are passed over.
 */
export function delimitedRows(start: DelimitedStart, limits: FileLimits): RowParser {
  const { columns } = start;
  // A copy of an object that has all members already costs a fraction of adding them one by one.
  const blank = Object.fromEntries(columns.map((column) => [column, '']));
  const reader = recordReader(start, limits);
  return {
    *push(text, last): Generator<Placed> {
      for (const record of reader.push(text, last)) {
        const { cells, at, nextLine: line } = record;
        if (cells.every((cell) => cell === '' || cell.trim() === '')) continue;
        const length = cells.reduce((sum, cell) => sum + cell.length, 0);
        // Only the values that are there: short rows under many columns would grow a hundredfold.
        const fields = cells.length < columns.length ? {} : { ...blank };
        const row = toRow(record, columns, fields, limits);
        yield { row, at, line, length, values: Math.min(cells.length, columns.length) };
      }
    },
  };
}

export interface Cells {
  cells: string[];
  line: number;
  /** Longer than a row may be: `cells` are those before that. */
  oversize: boolean;
  /** Right after it. */
  at: number;
  nextLine: number;
}

function toRow(
  { cells, line, oversize }: Cells,
  columns: readonly string[],
  fields: Record<string, string>,
  limits: FileLimits,
): FeedRow {
  let tooLong: string | null = null;
  const shared = Math.min(cells.length, columns.length);
  for (let index = 0; index < shared; index++) {
    const cell = unwrapCell(cells[index] ?? '');
    const column = columns[index] ?? '';
    if (cell.length <= limits.maxCell) fields[column] = removeFormulaGuard(cell);
    else tooLong ??= column;
  }
  if (oversize || tooLong !== null) {
    const what =
      tooLong === null ? 'The row is too long.' : `The value of ${tooLong.slice(0, 80)} is too long.`;
    return { line, fields, fault: faulty('ROW_TOO_LARGE', what) };
  }
  if (cells.length > limits.maxValues) return { line, fields, fault: tooManyValues(limits.maxValues) };
  for (let index = columns.length; index < cells.length; index++) {
    if (cells[index]?.trim() === '') continue;
    const what = `The row has ${cells.length} values under ${columns.length} columns.`;
    return { line, fields, surplus: cells.slice(columns.length), fault: faulty('ROW_RAGGED', what) };
  }
  return { line, fields, fault: null };
}

/**
 * Splits text into records of cells. `columns.length` helps to tell a stray quote from a long text; 0: not known yet.
 * Lines end in LF or CRLF.
 */
export function recordReader(
  start: DelimitedStart,
  limits: FileLimits,
): { push(text: string, last: boolean): Cells[] } {
  return new RecordReader(start, limits);
}

class RecordReader {
  readonly #start: DelimitedStart;
  readonly #limits: FileLimits;
  #text = '';
  /** Where `text` starts in the file. */
  #base: number;
  #line: number;
  #last = false;
  /** Where the line ends that is being read; behind what is read: not known yet. */
  #newline = -1;
  /** A record that is too long to be kept is passed over, character by character. */
  #skipping: Skipping | null = null;

  constructor(start: DelimitedStart, limits: FileLimits) {
    this.#start = start;
    this.#limits = limits;
    this.#base = start.at;
    this.#line = start.line;
  }

  push(more: string, last: boolean): Cells[] {
    this.#text = this.#text === '' ? more : this.#text + more;
    this.#newline = -1;
    this.#last = last;
    const records: Cells[] = [];
    let from = 0;
    /** The next quote from here on, for all records before it; -1: none. */
    let quote = this.#text.indexOf('"');
    while (from < this.#text.length) {
      if (quote !== -1 && quote < from) quote = this.#text.indexOf('"', from);
      const record = this.#next(from, quote);
      if (record === null) break;
      this.#line = record.nextLine;
      from = record.at - this.#base;
      records.push(record);
    }
    // What was passed over is gone, whether its end has come or not.
    if (this.#skipping) from = this.#text.length;
    if (this.#skipping && last) records.push(this.#passedOver(this.#skipping, this.#text.length));
    this.#base += from;
    this.#text = this.#text.slice(from);
    return records;
  }

  /** The record that starts here; null when its end has not come yet. */
  #next(from: number, quote: number): Cells | null {
    if (this.#skipping) return this.#passOver(this.#skipping, from);
    const end = this.#lineEnd(from);
    const cells: string[] = [];
    let to: number | null = null;
    if (quote !== -1 && quote < end) to = this.#readCells(from, cells);
    else if (end < this.#text.length || this.#last) to = this.#readPlain(from, end, cells);
    if (to !== null) return this.#record(cells, to, this.#line + lineFeeds(this.#text, from, to));
    if (this.#text.length - from <= this.#limits.maxRow) return null;
    this.#newline = -1;
    this.#skipping = { cells, line: this.#line, quoted: false, opens: true };
    return this.#passOver(this.#skipping, from);
  }

  #record(cells: string[], to: number, nextLine: number): Cells {
    return { cells, line: this.#line, oversize: false, at: this.#base + to, nextLine };
  }

  /** Looked for once a line: a look for every cell of it would take the square of its length. */
  #lineEnd(at: number): number {
    if (this.#newline < at) {
      const found = this.#text.indexOf('\n', at);
      this.#newline = found === -1 ? this.#text.length : found;
    }
    return this.#newline;
  }

  /** Fills `cells`; returns where the next record starts, null when this one is too long. */
  #readPlain(from: number, end: number, cells: string[]): number | null {
    const isTooLong = end - from > this.#limits.maxRow;
    const to = isTooLong ? from + this.#limits.maxRow : end;
    const whole =
      this.#text.charCodeAt(to - 1) === CR && to > from
        ? this.#text.slice(from, to - 1)
        : this.#text.slice(from, to);
    for (const cell of whole.split(this.#start.delimiter, this.#limits.maxValues + 1)) cells.push(cell);
    if (!isTooLong) return Math.min(this.#text.length, end + 1);
    // It may be cut in the middle.
    cells.pop();
    return null;
  }

  /** The same with quotes; null also when the end of the record has not come yet. */
  #readCells(from: number, cells: string[]): number | null {
    for (let at = from; ; ) {
      const cell = this.#text[at] === '"' ? this.#quotedCell(at) : this.#bareCell(at, at, '');
      if (cell === null || cell.end - from > this.#limits.maxRow) return null;
      if (cells.length <= this.#limits.maxValues) cells.push(cell.value);
      if (this.#text[cell.end] !== this.#start.delimiter) return Math.min(this.#text.length, cell.end + 1);
      at = cell.end + 1;
      if (at === this.#text.length && !this.#last) return null;
    }
  }

  /** Up to the next delimiter or line end; `before` stands in front of what starts at `from`. */
  #bareCell(from: number, start: number, before: string): Cell | null {
    const lineEnd = this.#lineEnd(start);
    // Only in this line: the next delimiter may be a whole file away.
    const comma = this.#text.slice(start, lineEnd).indexOf(this.#start.delimiter);
    const end = comma === -1 ? lineEnd : start + comma;
    if (end === this.#text.length && !this.#last) return null;
    const to = this.#text.charCodeAt(end - 1) === CR && end > from && end === lineEnd ? end - 1 : end;
    return { value: before + this.#text.slice(from, to), end };
  }

  #quotedCell(start: number): Cell | null {
    let escaped = false;
    for (let from = start + 1; ; ) {
      const close = this.#text.indexOf('"', from);
      if (close === -1) return this.#unclosed(start);
      if (this.#text[close + 1] === '"') {
        escaped = true;
        from = close + 2;
        continue;
      }
      const end = this.#text[close + 1] === '\r' ? close + 2 : close + 1;
      if (end >= this.#text.length && !this.#last) return null;
      const inner = this.#text.slice(start + 1, close);
      const value = escaped ? inner.replaceAll('""', '"') : inner;
      const after = this.#text[end];
      if (
        end >= this.#text.length ||
        after === '\n' ||
        (after === this.#start.delimiter && end === close + 1)
      )
        return { value, end };
      const stray = value.includes('\n') && this.#isStray(start);
      if (stray === null) return null;
      if (stray) return this.#bareCell(start, start, '');
      return this.#bareCell(close, close, `"${value}`);
    }
  }

  /** The closing quote has not come yet, or never does. */
  #unclosed(start: number): Cell | null {
    if (!this.#last && this.#text.length - start <= this.#limits.maxRow) return null;
    if (this.#isStray(start)) return this.#bareCell(start, start, '');
    if (this.#last && this.#text.length - start <= this.#limits.maxRow) throw neverClosed(this.#line);
    return null;
  }

  /**
   * Rows of the usual number of values follow: the quote belongs to the text, and its line ends the record. Null: too
   * little has come to tell. What is looked at does not depend on how much has.
   */
  #isStray(start: number): boolean | null {
    if (this.#start.columns.length < 3) return false;
    const most = start + this.#limits.maxRow;
    const whole = this.#last || this.#text.length > most;
    let from = this.#text.indexOf('\n', start) + 1;
    for (let lines = 0; lines < 5 && from > 0 && from < most; lines++) {
      const end = this.#text.indexOf('\n', from);
      if (end === -1 && !whole) return null;
      const to = Math.min(end === -1 ? this.#text.length : end, most);
      if (this.#text.slice(from, to).split(this.#start.delimiter).length === this.#start.columns.length)
        return true;
      from = end + 1;
    }
    return false;
  }

  #passOver(state: Skipping, from: number): Cells | null {
    for (let at = from; at < this.#text.length; at++) {
      const char = this.#text[at] ?? '';
      if (char === '\n') this.#line += 1;
      if (char === '"' && (state.quoted || state.opens)) {
        state.quoted = !state.quoted;
        // A second one right behind belongs to the text.
        state.opens = !state.quoted;
      } else state.opens = char === this.#start.delimiter;
      if (!state.quoted && char === '\n') return this.#passedOver(state, at + 1);
    }
    return null;
  }

  #passedOver(state: Skipping, to: number): Cells {
    if (state.quoted) throw neverClosed(state.line);
    this.#skipping = null;
    return {
      cells: state.cells,
      line: state.line,
      oversize: true,
      at: this.#base + to,
      nextLine: this.#line,
    };
  }
}

interface Skipping {
  cells: string[];
  line: number;
  /** Inside a quoted value. */
  quoted: boolean;
  /** A quote right here opens one. */
  opens: boolean;
}

const CR = 13;

function neverClosed(line: number): FeedFault {
  return new FeedFault(
    'file_truncated',
    `Line ${line}: a quoted value begins and the file ends before it does.`,
  );
}

interface Cell {
  value: string;
  /** Where the delimiter or line end after it stands. */
  end: number;
}
