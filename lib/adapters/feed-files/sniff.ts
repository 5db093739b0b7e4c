import { columnField } from '../../domain/feed/feed-columns.ts';
import { KNOWN_LAYOUTS } from '../../domain/feed/feed-layouts.ts';
import { hasVinCharacters } from '../../domain/vin/vin.ts';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import { type Cells, recordReader } from './delimited.ts';
import type { FileLimits } from './limits.ts';

/** What the beginning of a text tells of its format. */
export type Sniffed =
  | { format: 'csv' | 'tsv' | 'pipe'; delimiter: string; columns: string[]; at: number; line: number }
  | { format: 'json' | 'ndjson' | 'xml' };

/** `whole`: nothing follows. Throws `FeedFault` for what is no data file. */
export function sniff(
  head: string,
  whole: boolean,
  wanted: Sniffed['format'] | null,
  limits: FileLimits,
): Sniffed {
  const start = head.trimStart();
  const isTable = wanted === 'csv' || wanted === 'tsv' || wanted === 'pipe';
  if (start === '' && whole) return wanted && !isTable ? { format: wanted } : emptyTable(wanted ?? 'csv');
  refusePages(start);
  if (wanted && !isTable) return { format: wanted };
  if (!isTable && start.startsWith('<')) return { format: 'xml' };
  if (!isTable && (start.startsWith('[') || start.startsWith('{'))) return { format: jsonKind(start, whole) };
  refuseBinaries(start);
  return table(head, whole, wanted, limits);
}

function emptyTable(format: Sniffed['format']): Sniffed {
  const table = format === 'tsv' || format === 'pipe' ? format : 'csv';
  return { format: table, delimiter: DELIMITERS[table][0], columns: [], at: 0, line: 1 };
}

const PAGE = /^<(?:!doctype\s{1,20}html|html|head|body)\b/i;

function refusePages(start: string): void {
  if (PAGE.test(start.slice(prologLength(start)))) throw new FeedFault('web_page', 'The file is a web page.');
}

/** Characters of the XML declaration, comments and blanks before the first tag. */
function prologLength(start: string): number {
  let at = 0;
  for (;;) {
    const closing = start.startsWith('<?xml', at) ? '?>' : start.startsWith('<!--', at) ? '-->' : null;
    if (closing === null) return at;
    const end = start.indexOf(closing, at + 4);
    if (end === -1) return at;
    at = end + closing.length;
    while (at < start.length && start.charCodeAt(at) <= 32) at += 1;
  }
}

function refuseBinaries(start: string): void {
  const sample = start.slice(0, 2_000);
  const strange = sample.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f]/g)?.length ?? 0;
  if (sample.startsWith('%PDF') || strange > sample.length / 50)
    throw new FeedFault('format_unknown', 'The file is not text.');
}

/** Several objects, a line each: NDJSON; also one alone that is a truck, not word of an error. */
function jsonKind(start: string, whole: boolean): 'json' | 'ndjson' {
  if (start.startsWith('[')) return 'json';
  const end = start.indexOf('\n');
  if (end === -1 && !whole) return 'json';
  const first = end === -1 ? start : start.slice(0, end);
  const rest = end === -1 ? '' : start.slice(end).trimStart();
  try {
    const value: object = JSON.parse(first);
    const alone = rest === '' && Object.keys(value).some((name) => columnField(name) === 'vin');
    return rest.startsWith('{') || alone ? 'ndjson' : 'json';
  } catch {
    return 'json';
  }
}

const DELIMITERS = { csv: [',', ';'], tsv: ['\t'], pipe: ['|'] } as const;
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;
const ROWS_LOOKED_AT = 30;

interface Trial {
  format: 'csv' | 'tsv' | 'pipe';
  delimiter: string;
  header: string[];
  at: number;
  line: number;
  score: number;
}

function table(head: string, whole: boolean, wanted: Sniffed['format'] | null, limits: FileLimits): Sniffed {
  const declared = SEPARATOR_LINE.exec(head);
  const skipped = declared?.[0].length ?? 0;
  const formats = (['csv', 'tsv', 'pipe'] as const).filter((format) => wanted === null || format === wanted);
  const trials = formats.flatMap((format) =>
    DELIMITERS[format].flatMap((delimiter) => attempt(head, skipped, whole, format, delimiter, limits) ?? []),
  );
  const [best] = trials
    .filter(({ delimiter }) => !declared || declared[1] === delimiter)
    .sort((one, other) => other.score - one.score);
  if (!best || (best.header.length < 2 && wanted === null && columnField(best.header[0] ?? '') === null))
    throw new FeedFault('format_unknown', 'The file is neither a table with a header, nor JSON, nor XML.');
  const { format, delimiter } = best;
  const { maxColumns } = limits;
  if (best.header.length > maxColumns)
    throw new FeedFault('too_many_columns', `The header has more than ${maxColumns} columns.`);
  const layout = headless(best.header);
  if (layout) return { format, delimiter, columns: layout, at: skipped, line: declared ? 2 : 1 };
  return { format, delimiter, columns: uniqueNames(best.header), at: best.at, line: best.line };
}

function attempt(
  head: string,
  skipped: number,
  whole: boolean,
  format: Trial['format'],
  delimiter: string,
  limits: FileLimits,
): Trial | null {
  const reader = recordReader({ delimiter, columns: [], at: skipped, line: skipped > 0 ? 2 : 1 }, limits);
  const records = reader.push(head.slice(skipped), false);
  if (whole) records.push(...remaining(reader));
  const filled = records
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .slice(0, ROWS_LOOKED_AT + 1);
  const [header, ...rows] = filled.slice(countTitles(filled));
  if (!header) return null;
  const alike = rows.filter(({ cells }) => cells.length === header.cells.length).length;
  const known = knownIn(header);
  const score =
    header.cells.length < 2 ? 0 : known * 10 + header.cells.length + (alike * 20) / (rows.length || 1);
  return { format, delimiter, header: header.cells, at: header.at, line: header.nextLine, score };
}

const MAX_TITLES = 8;
const knownIn = ({ cells }: Cells) => cells.filter((cell) => columnField(cell) !== null).length;

/** Lines above the header that name no column: who exported the file, and when. */
function countTitles(rows: readonly Cells[]): number {
  const [first] = rows;
  if (!first || knownIn(first) > 0 || headless(first.cells) !== null) return 0;
  const at = rows
    .slice(0, MAX_TITLES + 1)
    .findIndex((row) => knownIn(row) >= 3 && row.cells.length > first.cells.filter(Boolean).length);
  return Math.max(at, 0);
}

function remaining(reader: ReturnType<typeof recordReader>): Cells[] {
  try {
    return reader.push('', true);
  } catch (error) {
    // A value that never ends is reported when the rows are read.
    if (error instanceof FeedFault) return [];
    throw error;
  }
}

const isVin = (text: string) => hasVinCharacters(text) && /\d/.test(text) && /\D/.test(text);

/** A first row that holds a VIN is no header: columns of a known layout of as many values, or numbered ones. */
function headless(first: readonly string[]): string[] | null {
  const vin = first.findIndex((cell) => isVin(cell.trim().toUpperCase()));
  if (vin === -1) return null;
  const layout = Object.values(KNOWN_LAYOUTS).find(
    ({ headless: without, columns }) => without && columns.length === first.length && columns[vin] === 'vin',
  );
  return layout ? [...layout.columns] : first.map((_, index) => `column_${index + 1}`);
}

/** Each name once, none blank, none that a JavaScript object means something by. */
function uniqueNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return header.map((cell, index) => {
    const bare = cell.trim().slice(0, 200);
    const name = bare === '' || bare === '__proto__' ? `column_${index + 1}` : bare;
    let count = counts.get(name) ?? 1;
    let unique = name;
    while (taken.has(unique)) unique = `${name}_${++count}`;
    counts.set(name, count);
    taken.add(unique);
    return unique;
  });
}
