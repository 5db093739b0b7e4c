import { FeedFault } from '../feed-faults.ts';
import type { FeedFormat } from '../schemas/feed-files.ts';
import type { DecodedText } from './decode.ts';
import { type Line, readLines } from './lines.ts';
import { MAX_ROW, MAX_VALUES, type ReadRows } from './rows.ts';
import { type Cells, type Header, knownIn, ROWS_LOOKED_AT, readHeader, tableRows } from './table.ts';

const TABLES = [
  ['csv', ','],
  ['csv', ';'],
  ['tsv', '\t'],
  ['pipe', '|'],
] as const;

/** A table of text: the separator is the one under which most columns of the header are known, else there are most. */
export function readCsv({ head, pieces }: DecodedText, wanted: FeedFormat | null): ReadRows {
  const declared = /^sep=(.)\r?\n/i.exec(head)?.[1];
  // Old Macs ended lines in CR alone.
  const ending = head.includes('\n') || !head.includes('\r') ? '\n' : '\r';
  const lines = head
    .split(ending, ROWS_LOOKED_AT)
    .map((text, index) => ({ text, no: index + 1 }))
    .slice(declared ? 1 : 0);
  const [best] = TABLES.filter(
    ([format, delimiter]) => format === (wanted ?? format) && delimiter === (declared ?? delimiter),
  )
    .map(([format, delimiter]) => {
      const header = readHeader(lines.flatMap(recordReader(delimiter, 0).read));
      return { format, delimiter, header };
    })
    .sort((one, other) => score(other.header) - score(one.header));
  if (!best || (wanted === null && score(best.header) < 2))
    throw new FeedFault('format_unknown', 'The file is neither a table with a header, nor JSON, nor XML.');
  const { format, delimiter, header } = best;
  async function* records() {
    const reader = recordReader(delimiter, header.columns.length);
    for await (const some of readLines(pieces, ending)) yield some.flatMap(reader.read);
    reader.end();
  }
  return { format, delimiter, columns: header.columns, rows: tableRows(records(), header) };
}

const score = ({ columns }: Header) => knownIn(columns) * 10 + columns.length;

/**
 * Makes records of lines, as dealers' systems write CSV and its kin (RFC 4180): a quote inside an unquoted value is text,
 * and so is one whose partner ends no value, or is a whole row away. `width`: values of a row, 0 when it is not known yet.
 */
export function recordReader(delimiter: string, width: number) {
  /** A record that ends in a quoted value, which no line has closed; `asText` and `lines` are what it is if none does. */
  let open: { text: string; asText: Cells; lines: Line[] } | null = null;

  function read(line: Line): Cells[] {
    if (open === null) return begin(line.text, line.no);
    const { asText, lines } = open;
    open.text += `\n${line.text}`;
    lines.push(line);
    const close = closingQuote(line.text, 0);
    if (close !== -1 && endsValue(line.text, close + 1, delimiter)) return begin(open.text, asText.line);
    if (close === -1 && !isRow(line.text) && open.text.length <= MAX_ROW) return [];
    open = null;
    return [asText, ...lines.flatMap(read)];
  }

  function begin(text: string, line: number): Cells[] {
    const { cells, isOpen } = splitCells(text.replace(/\r$/, ''), delimiter);
    const record = { cells, line, isCut: text.length > MAX_ROW };
    open = isOpen && !record.isCut ? { text, asText: record, lines: [] } : null;
    return open ? [] : [record];
  }

  const isRow = (text: string) => width > 3 && text.split(delimiter, width + 1).length === width;

  function end(): void {
    if (open !== null)
      throw new FeedFault(
        'file_truncated',
        `Line ${open.asText.line}: a quoted value begins and the file ends before it does.`,
      );
  }

  return { read, end };
}

/** `isOpen`: the last value begins with a quote that nothing closes. */
function splitCells(text: string, delimiter: string): { cells: string[]; isOpen: boolean } {
  if (!text.includes('"')) return { cells: text.split(delimiter, MAX_VALUES + 1), isOpen: false };
  const cells: string[] = [];
  for (let at = 0; at <= text.length && cells.length <= MAX_VALUES; ) {
    const close = text[at] === '"' ? closingQuote(text, at + 1) : at;
    if (close === -1)
      return { cells: [...cells, ...text.slice(at).split(delimiter, MAX_VALUES)], isOpen: true };
    const isQuoted = close > at && endsValue(text, close + 1, delimiter);
    const found = isQuoted ? close + 1 : text.indexOf(delimiter, at);
    const end = found === -1 ? text.length : found;
    cells.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : text.slice(at, end));
    at = end + 1;
  }
  return { cells, isOpen: false };
}

/** Two quotes are one of the text; -1: none closes it. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return -1;
}

const endsValue = (text: string, at: number, delimiter: string) =>
  text[at] === delimiter || /^\r?$/.test(text.slice(at, at + 2));
