import { FeedFault } from '../feed-faults.ts';
import type { FileLimits } from './limits.ts';
import type { Line } from './lines.ts';

/** A row of a table before its values have names. */
export interface Cells {
  cells: string[];
  /** Where it starts. */
  line: number;
  /** Longer than a row may be: `cells` are those before that. */
  isCut: boolean;
}

/** A quoted value that the lines read so far have not closed. */
interface OpenValue {
  record: Cells;
  /** From its quote to the end of that line. */
  text: string;
  /** Those after it. */
  lines: Line[];
  length: number;
}

/**
 * Makes records of lines, as dealers' systems write CSV and its kin (RFC 4180): a quote inside an unquoted value is text;
 * a quoted value that goes on after its closing quote is text from its first quote on; an opening quote whose partner is
 * rows away was no opening quote. `width`: values of a row, 0 when it is not known yet.
 */
export function recordReader(delimiter: string, width: number, { maxRow, maxValues }: FileLimits) {
  let open: OpenValue | null = null;

  /** Reads on from the beginning of a value; none when the line ends inside of a quoted one. */
  function readCells(record: Cells, line: Line, from: number): Cells[] {
    const text = line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text;
    for (let at = from; record.cells.length <= maxValues; ) {
      const close = text[at] === '"' ? closingQuote(text, at + 1) : at;
      if (close === -1 && !line.isCut) {
        open = { record, text: line.text.slice(at), lines: [], length: 0 };
        return [];
      }
      const isQuoted = close > at && endsValue(text, close + 1);
      const end = isQuoted ? close + 1 : valueEnd(text, at);
      record.cells.push(isQuoted ? unquoted(text.slice(at, end)) : text.slice(at, end));
      if (end === text.length) break;
      at = end + 1;
    }
    if (!line.isCut) return [record];
    record.cells.pop();
    return [{ ...record, isCut: true }];
  }

  const endsValue = (text: string, at: number) => at === text.length || text[at] === delimiter;

  function valueEnd(text: string, at: number): number {
    const found = text.indexOf(delimiter, at);
    return found === -1 ? text.length : found;
  }

  /** Records that end with this line: none inside of a quoted value. */
  function read(line: Line): Cells[] {
    if (open === null) {
      const record = { cells: [], line: line.no, isCut: false };
      if (line.text.includes('"') || line.isCut) return readCells(record, line, 0);
      const text = line.text.endsWith('\r') ? line.text.slice(0, -1) : line.text;
      return [{ ...record, cells: text.split(delimiter, maxValues + 1) }];
    }
    const close = closingQuote(line.text, 0);
    const isClosed = close !== -1 && endsValue(line.text.replace(/\r$/, ''), close + 1);
    if (isClosed && !coversRows(open)) {
      const { record, text, lines } = open;
      open = null;
      record.cells.push(
        unquoted([text, ...lines.map((each) => each.text), line.text.slice(0, close + 1)].join('\n')),
      );
      const isLast = /^\r?$/.test(line.text.slice(close + 1));
      return isLast ? [record] : readCells(record, line, close + 2);
    }
    open.lines.push(line);
    open.length += line.text.length;
    return close !== -1 || open.length > maxRow ? asText(open) : [];
  }

  /** A line inside of the value is a row by itself. */
  function coversRows({ lines }: OpenValue): boolean {
    return width > 3 && lines.some(({ text }) => text.split(delimiter, width + 1).length === width);
  }

  /** The quote opened nothing: its line ends the record, and those after it are read again, which open no value for long. */
  function asText({ record, text, lines }: OpenValue): Cells[] {
    open = null;
    record.cells.push(...text.replace(/\r$/, '').split(delimiter, maxValues));
    return [record, ...lines.flatMap(read)];
  }

  /** The same when no line follows. */
  function end(): Cells[] {
    if (open === null) return [];
    if (!coversRows(open))
      throw new FeedFault(
        'file_truncated',
        `Line ${open.record.line}: a quoted value begins and the file ends before it does.`,
      );
    return [...asText(open), ...end()];
  }

  return { read, end };
}

/** Two quotes are one of the text; -1: none closes it. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return -1;
}

const unquoted = (text: string) => text.slice(1, -1).replaceAll('""', '"');
