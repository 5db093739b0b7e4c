import { FeedFault } from '../feed-faults.ts';
import type { DecodedText } from './bytes/decode.ts';
import type { FileLimits } from './limits.ts';
import { type Line, readLines } from './lines.ts';
import { type Cells, recordReader } from './records.ts';
import type { ReadRows } from './rows.ts';
import { type Header, readHeader, tableRows } from './table.ts';

const DELIMITERS = [
  ['csv', ','],
  ['csv', ';'],
  ['tsv', '\t'],
  ['pipe', '|'],
] as const;
type TableFormat = (typeof DELIMITERS)[number][0];

const SEPARATOR_LINE = /^sep=(.)\r?\n/i;
const LINES_LOOKED_AT = 60;

/** A table of text: the separator is the one under which most columns of the header are known, else there are most. */
export function readTextTable(
  { head, pieces }: Pick<DecodedText, 'head' | 'pieces'>,
  wanted: TableFormat | null,
  limits: FileLimits,
): ReadRows {
  const declared = SEPARATOR_LINE.exec(head)?.[1];
  // Old Macs ended lines in CR alone.
  const ending = head.includes('\n') || !head.includes('\r') ? '\n' : '\r';
  const isDeclaration = ({ no }: Line) => no === 1 && declared !== undefined;
  const lines = head
    .split(ending, LINES_LOOKED_AT)
    .map((text, index) => ({ text, no: index + 1, isCut: false, isUnended: false }))
    .filter((line) => !isDeclaration(line));
  const [best] = DELIMITERS.filter(
    ([format, delimiter]) => format === (wanted ?? format) && delimiter === (declared ?? delimiter),
  )
    .map(([format, delimiter]) => {
      const reader = recordReader(delimiter, 0, limits);
      return { format, delimiter, header: readHeader(lines.flatMap(reader.read)) };
    })
    .sort((one, other) => score(other.header) - score(one.header));
  if (!best || (best.header.columns.length < 2 && best.header.known === 0 && wanted === null))
    throw new FeedFault('format_unknown', 'The file is neither a table with a header, nor JSON, nor XML.');
  const { format, delimiter, header } = best;
  async function* records(): AsyncGenerator<Cells[]> {
    const reader = recordReader(delimiter, header.columns.length, limits);
    for await (const some of readLines(pieces, limits.maxRow, ending))
      yield some.filter((line) => !isDeclaration(line)).flatMap(reader.read);
    yield reader.end();
  }
  return { format, delimiter, columns: header.columns, rows: tableRows(records(), header, limits) };
}

const score = ({ known, columns }: Header) => (columns.length < 2 ? 0 : known * 10 + columns.length);
