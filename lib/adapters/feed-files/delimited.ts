import { FeedFault, type FeedRow } from '../../ports/feeds/feed-files.ts';
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
 * opening quote whose partner is rows away was no opening quote. Blank rows are passed over. Equal to csv-parse with
 * `relax_quotes` and `relax_column_count` where that reads a file at all (tests), at a multiple of its speed, and
 * positions are its own.
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
    const cell = cells[index] ?? '';
    const column = columns[index] ?? '';
    if (cell.length <= limits.maxCell) fields[column] = cell;
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
    return { line, fields, fault: faulty('ROW_RAGGED', what) };
  }
  return { line, fields, fault: null };
}

/**
 * Splits text into records of cells. `columns.length` helps to tell a stray quote from a long text; 0: not known yet.
 * Lines end in LF or CRLF.
 */
export function recordReader(
  { delimiter, columns, at: startAt, line: startLine }: DelimitedStart,
  { maxRow, maxValues }: FileLimits,
): { push(text: string, last: boolean): Cells[] } {
  let text = '';
  /** Where `text` starts in the file. */
  let base = startAt;
  let line = startLine;
  let last = false;
  /** Where the line ends that is being read; behind what is read: not known yet. */
  let newline = -1;
  /** A record that is too long to be kept is passed over, character by character. */
  let skipping: Skipping | null = null;

  return {
    push(more, isLast) {
      text = text === '' ? more : text + more;
      newline = -1;
      last = isLast;
      const records: Cells[] = [];
      let from = 0;
      /** The next quote from here on, for all records before it; -1: none. */
      let quote = text.indexOf('"');
      while (from < text.length) {
        if (quote !== -1 && quote < from) quote = text.indexOf('"', from);
        const record = next(from, quote);
        if (record === null) break;
        line = record.nextLine;
        from = record.at - base;
        records.push(record);
      }
      // What was passed over is gone, whether its end has come or not.
      if (skipping) from = text.length;
      if (skipping && last) records.push(passedOver(skipping, text.length));
      base += from;
      text = text.slice(from);
      return records;
    },
  };

  /** The record that starts here; null when its end has not come yet. */
  function next(from: number, quote: number): Cells | null {
    if (skipping) return passOver(skipping, from);
    const end = lineEnd(from);
    const cells: string[] = [];
    let to: number | null = null;
    if (quote !== -1 && quote < end) to = readCells(from, cells);
    else if (end < text.length || last) to = readPlain(from, end, cells);
    if (to !== null) return record(cells, to, line + lineFeeds(text, from, to));
    if (text.length - from <= maxRow) return null;
    newline = -1;
    skipping = { cells, line, quoted: false, opens: true };
    return passOver(skipping, from);
  }

  function record(cells: string[], to: number, nextLine: number): Cells {
    return { cells, line, oversize: false, at: base + to, nextLine };
  }

  /** Looked for once a line: a look for every cell of it would take the square of its length. */
  function lineEnd(at: number): number {
    if (newline < at) {
      const found = text.indexOf('\n', at);
      newline = found === -1 ? text.length : found;
    }
    return newline;
  }

  /** Fills `cells`; returns where the next record starts, null when this one is too long. */
  function readPlain(from: number, end: number, cells: string[]): number | null {
    const isTooLong = end - from > maxRow;
    const to = isTooLong ? from + maxRow : end;
    const whole =
      text.charCodeAt(to - 1) === CR && to > from ? text.slice(from, to - 1) : text.slice(from, to);
    for (const cell of whole.split(delimiter, maxValues + 1)) cells.push(cell);
    if (!isTooLong) return Math.min(text.length, end + 1);
    // It may be cut in the middle.
    cells.pop();
    return null;
  }

  /** The same with quotes; null also when the end of the record has not come yet. */
  function readCells(from: number, cells: string[]): number | null {
    for (let at = from; ; ) {
      const cell = text[at] === '"' ? quotedCell(at) : bareCell(at, at, '');
      if (cell === null || cell.end - from > maxRow) return null;
      if (cells.length <= maxValues) cells.push(cell.value);
      if (text[cell.end] !== delimiter) return Math.min(text.length, cell.end + 1);
      at = cell.end + 1;
      if (at === text.length && !last) return null;
    }
  }

  /** Up to the next delimiter or line end; `before` stands in front of what starts at `from`. */
  function bareCell(from: number, start: number, before: string): Cell | null {
    const line = lineEnd(start);
    // Only in this line: the next delimiter may be a whole file away.
    const comma = text.slice(start, line).indexOf(delimiter);
    const end = comma === -1 ? line : start + comma;
    if (end === text.length && !last) return null;
    const to = text.charCodeAt(end - 1) === CR && end > from && end === line ? end - 1 : end;
    return { value: before + text.slice(from, to), end };
  }

  function quotedCell(start: number): Cell | null {
    let escaped = false;
    for (let from = start + 1; ; ) {
      const close = text.indexOf('"', from);
      if (close === -1) return unclosed(start);
      if (text[close + 1] === '"') {
        escaped = true;
        from = close + 2;
        continue;
      }
      const end = text[close + 1] === '\r' ? close + 2 : close + 1;
      if (end >= text.length && !last) return null;
      const inner = text.slice(start + 1, close);
      const value = escaped ? inner.replaceAll('""', '"') : inner;
      const after = text[end];
      if (end >= text.length || after === '\n' || (after === delimiter && end === close + 1))
        return { value, end };
      const stray = value.includes('\n') && isStray(start);
      if (stray === null) return null;
      if (stray) return bareCell(start, start, '');
      return bareCell(close, close, `"${value}`);
    }
  }

  /** The closing quote has not come yet, or never does. */
  function unclosed(start: number): Cell | null {
    if (!last && text.length - start <= maxRow) return null;
    if (isStray(start)) return bareCell(start, start, '');
    if (last && text.length - start <= maxRow) throw neverClosed(line);
    return null;
  }

  /**
   * Rows of the usual number of values follow: the quote belongs to the text, and its line ends the record. Null: too
   * little has come to tell. What is looked at does not depend on how much has.
   */
  function isStray(start: number): boolean | null {
    if (columns.length < 3) return false;
    const most = start + maxRow;
    const whole = last || text.length > most;
    let from = text.indexOf('\n', start) + 1;
    for (let lines = 0; lines < 5 && from > 0 && from < most; lines++) {
      const end = text.indexOf('\n', from);
      if (end === -1 && !whole) return null;
      const to = Math.min(end === -1 ? text.length : end, most);
      if (text.slice(from, to).split(delimiter).length === columns.length) return true;
      from = end + 1;
    }
    return false;
  }

  function passOver(state: Skipping, from: number): Cells | null {
    for (let at = from; at < text.length; at++) {
      const char = text[at] ?? '';
      if (char === '\n') line += 1;
      if (char === '"' && (state.quoted || state.opens)) {
        state.quoted = !state.quoted;
        // A second one right behind belongs to the text.
        state.opens = !state.quoted;
      } else state.opens = char === delimiter;
      if (!state.quoted && char === '\n') return passedOver(state, at + 1);
    }
    return null;
  }

  function passedOver(state: Skipping, to: number): Cells {
    if (state.quoted) throw neverClosed(state.line);
    skipping = null;
    return { cells: state.cells, line: state.line, oversize: true, at: base + to, nextLine: line };
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
