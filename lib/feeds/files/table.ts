import { columnField } from '../../domain/columns/feed-columns.ts';
import { KNOWN_LAYOUTS } from '../../domain/columns/feed-layouts.ts';
import { removeFormulaGuard } from '../../domain/text/formula-guard.ts';
import { unwrapCell } from '../../domain/text/text.ts';
import { hasVinCharacters } from '../../domain/vin/vin.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedRow } from '../feed-file.ts';
import type { FileLimits } from './limits.ts';
import type { Cells } from './records.ts';
import { faulty, tooLongValue, tooManyValues } from './rows.ts';

/** Rows of a table, named by its header. Blank rows are passed over. */

export interface Header {
  columns: string[];
  /** Its line; 0 when the rows begin with the first. */
  line: number;
  /** Cells that name a column as dealers do. */
  known: number;
}

const MAX_TITLES = 8;
const knownIn = (cells: readonly string[]) => cells.filter((cell) => columnField(cell) !== null).length;
const isBlank = ({ cells }: Cells) => cells.every((cell) => cell === '' || cell.trim() === '');

/** By the first records of a file. Lines above a header name no column: they say who exported the file, and when. */
export function readHeader(records: readonly Cells[]): Header {
  const filled = records.filter((each) => !isBlank(each));
  const first = filled[0]?.cells ?? [];
  const headless = layoutWithout(first);
  if (headless) return { columns: headless, line: 0, known: 0 };
  const titled =
    knownIn(first) > 0 ? -1 : filled.slice(0, MAX_TITLES + 1).findIndex(({ cells }) => knownIn(cells) >= 3);
  const { cells, line } = filled[Math.max(titled, 0)] ?? { cells: [], line: 0 };
  return { columns: uniqueNames(cells), line, known: knownIn(cells) };
}

const isVin = (text: string) => hasVinCharacters(text) && /\d/.test(text) && /\D/.test(text);

/** A first row that holds a VIN is no header: columns of a known layout of as many values, or numbered ones. */
function layoutWithout(first: readonly string[]): string[] | null {
  const vin = first.findIndex((cell) => isVin(cell.trim().toUpperCase()));
  if (vin === -1) return null;
  const layout = Object.values(KNOWN_LAYOUTS).find(
    ({ headless, columns }) => headless && columns.length === first.length && columns[vin] === 'vin',
  );
  return layout ? [...layout.columns] : first.map((_, index) => `column_${index + 1}`);
}

/** Each name once, none blank, none that a JavaScript object means something by. */
function uniqueNames(header: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const taken = new Set<string>();
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

export function tableRows(
  records: AsyncIterable<Cells[]>,
  { columns, line }: Header,
  limits: FileLimits,
): AsyncIterable<FeedRow[]> {
  if (columns.length > limits.maxColumns)
    throw new FeedFault('too_many_columns', `The header has more than ${limits.maxColumns} columns.`);
  // A copy of an object that has all members already costs a fraction of adding them one by one.
  const blank = Object.fromEntries(columns.map((column) => [column, '']));
  async function* rows() {
    for await (const some of records)
      yield some
        .filter((record) => record.line > line && !isBlank(record))
        .map((record) => toRow(record, columns, blank, limits));
  }
  return rows();
}

function toRow(
  { cells, line, isCut }: Cells,
  columns: readonly string[],
  blank: Readonly<Record<string, string>>,
  limits: FileLimits,
): FeedRow {
  // Only the values that are there: short rows under many columns would grow a hundredfold.
  const fields: Record<string, string> = cells.length < columns.length ? {} : { ...blank };
  let fault: FeedRow['fault'] = isCut ? faulty('ROW_TOO_LARGE', 'The row is too long.') : null;
  columns.slice(0, cells.length).forEach((column, index) => {
    const cell = unwrapCell(cells[index] ?? '');
    if (cell.length <= limits.maxCell) fields[column] = removeFormulaGuard(cell);
    else fault ??= tooLongValue(column);
  });
  if (cells.length > limits.maxValues) fault ??= tooManyValues(limits.maxValues);
  const surplus = cells.slice(columns.length);
  if (fault !== null || surplus.every((cell) => cell.trim() === '')) return { line, fields, fault };
  const what = `The row has ${cells.length} values under ${columns.length} columns.`;
  return { line, fields, surplus, fault: faulty('ROW_RAGGED', what) };
}
