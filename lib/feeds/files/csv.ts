import { FeedFault } from '../feed-faults.ts';
import type { FeedFormat } from '../schemas/feed-files.ts';
import type { DecodedText } from './decode.ts';
import { type Line, readLines } from './lines.ts';
import { MAX_ROW, MAX_VALUES, type ReadRows } from './rows.ts';
import { type Cells, countKnown, ROWS_LOOKED_AT, readHeader, tableRows } from './table.ts';

const TABLES = [
  ['csv', ','],
  ['csv', ';'],
  ['tsv', '\t'],
  ['pipe', '|'],
] as const;

/** A table of text: the separator is the one under which most columns of the header are known, else there are most. */
export function readCsv({ head, pieces }: DecodedText, givenFormat: FeedFormat | null): ReadRows {
  const lines = head.split('\n', ROWS_LOOKED_AT).map((text, index) => ({ text, no: index + 1 }));
  const [best] = TABLES.filter(([format]) => format === (givenFormat ?? format))
    .map(([format, delimiter]) => {
      const header = readHeader(lines.flatMap(recordReader(delimiter, 0).read));
      const score = countKnown(header.columns) * 10 + header.columns.length;
      return { format, delimiter, header, score };
    })
    .sort((one, other) => other.score - one.score);
  if (!best || (givenFormat === null && best.score < 2))
    throw new FeedFault('format_unknown', 'The file is neither a table with a header, nor JSON, nor XML.');
  const { format, delimiter, header } = best;
  async function* records() {
    const reader = recordReader(delimiter, header.columns.length);
    for await (const some of readLines(pieces)) yield some.flatMap(reader.read);
    reader.end();
  }
  return { format, delimiter, columns: header.columns, rows: tableRows(records(), header) };
}

/**
 * Makes records of lines, as dealers' systems write CSV and its kin (RFC 4180): a quote inside an unquoted value is text,
 * and so is one whose partner ends no value, or is a whole row away. `width`: values of a row, 0 when it is not known yet.
 */
export function recordReader(delimiter: string, width: number) {
  /** A record whose last value no line has closed: the rest of its line from the quote on, and the lines after it. */
  let open: { record: Cells; rest: string; lines: Line[] } | null = null;
  let length = 0;

  function read(line: Line): Cells[] {
    if (open === null) {
      length = line.text.length;
      return readOn(line.text, { cells: [], line: line.no, isCut: false });
    }
    const { record, rest, lines } = open;
    lines.push(line);
    length += line.text.length;
    const close = closingQuote(line.text, 0);
    if (close !== -1 && endsValue(line.text, close + 1, delimiter))
      return readOn([rest, ...lines.map(({ text }) => text)].join('\n'), record);
    if (close === -1 && !isRow(line.text) && length <= MAX_ROW) return [];
    record.cells.push(...rest.split(delimiter, MAX_VALUES));
    open = null;
    return [record, ...lines.flatMap(read)];
  }

  function readOn(text: string, record: Cells) {
    const { cells, rest } = splitCells(text, delimiter);
    record.cells.push(...cells);
    record.isCut = length > MAX_ROW;
    open = rest !== null && !record.isCut ? { record, rest, lines: [] } : null;
    return open ? [] : [record];
  }

  const isRow = (text: string) => width > 3 && text.split(delimiter, width + 1).length === width;

  function end() {
    if (open !== null)
      throw new FeedFault(
        'file_truncated',
        `Line ${open.record.line}: a quoted value begins and the file ends before it does.`,
      );
  }

  return { read, end };
}

/** `rest`: the last value, which begins with a quote that nothing closes. */
function splitCells(line: string, delimiter: string) {
  const text = line.replace(/\r$/, '');
  if (!text.includes('"')) return { cells: text.split(delimiter, MAX_VALUES + 1), rest: null };
  const cells: string[] = [];
  for (let at = 0; at <= text.length && cells.length <= MAX_VALUES; ) {
    const close = text[at] === '"' ? closingQuote(text, at + 1) : at;
    if (close === -1) return { cells, rest: line.slice(at) };
    const isQuoted = close > at && endsValue(text, close + 1, delimiter);
    const endAt = isQuoted ? close + 1 : text.indexOf(delimiter, at);
    const end = endAt === -1 ? text.length : endAt;
    cells.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, end));
    at = end + 1;
  }
  return { cells, rest: null };
}

/** Two quotes are one of the text; -1: none closes it. */
function closingQuote(text: string, from: number) {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return -1;
}

const endsValue = (text: string, at: number, delimiter: string) =>
  text[at] === delimiter || /^\r?$/.test(text.slice(at, at + 2));
