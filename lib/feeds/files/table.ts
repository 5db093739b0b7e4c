import { removeFormulaGuard } from '../../truck/text/formula-guard.ts';
import { unwrapCell } from '../../truck/text/text.ts';
import { hasVinCharacters } from '../../truck/vin/vin.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedRow } from '../feed-file.ts';
import { columnField } from '../mapping/columns.ts';
import { faultyRow, MAX_COLUMNS, MAX_VALUES, TOO_LARGE } from './rows.ts';

/** Rows of a table, named by its header. Blank rows are passed over. */

/** A row before its values have names. */
export interface Cells {
  cells: string[];
  /** Where it starts. */
  line: number;
  /** Longer than a row may be: `cells` are those before that. */
  isCut: boolean;
}

interface Header {
  columns: string[];
  /** Rows come after it. */
  line: number;
}

export const ROWS_LOOKED_AT = 60;

/** Cells that name a column as dealers do. */
export const countKnown = (cells: readonly string[]) =>
  cells.filter((cell) => columnField(cell) !== null).length;
const isBlank = (cells: readonly string[]) => cells.every((cell) => cell === '' || cell.trim() === '');

/**
 * By the first records of a file. Lines above a header name no column: they say who exported the file, and when. A first row
 * that holds a VIN is no header: its columns are numbered.
 */
export function readHeader(records: readonly Cells[]): Header {
  const filled = records.slice(0, ROWS_LOOKED_AT).filter(({ cells }) => !isBlank(cells));
  const first = filled[0] ?? { cells: [], line: 0 };
  if (first.cells.some((cell) => hasVinCharacters(cell.trim().toUpperCase()) && /\d/.test(cell)))
    return { columns: first.cells.map((_, index) => `column_${index + 1}`), line: first.line - 1 };
  const { cells, line } = filled.find(({ cells }, at) => countKnown(cells) >= (at === 0 ? 1 : 3)) ?? first;
  return { columns: uniqueNames(cells), line };
}

/** None is blank, or what a JavaScript object means something by. */
function uniqueNames(header: readonly string[]) {
  const counts = new Map<string, number>();
  return header.map((cell, index) => {
    const bare = cell.trim().slice(0, 200);
    const name = bare === '' || bare === '__proto__' ? `column_${index + 1}` : bare;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

export async function* tableRows(
  records: AsyncIterable<Cells[]>,
  { columns, line }: Header,
): AsyncGenerator<FeedRow[]> {
  if (columns.length > MAX_COLUMNS)
    throw new FeedFault('too_many_columns', `The header has more than ${MAX_COLUMNS} columns.`);
  for await (const some of records)
    yield some
      .filter((record) => record.line > line && !isBlank(record.cells))
      .map((record) => toRow(record, columns));
}

function toRow({ cells, line, isCut }: Cells, columns: readonly string[]): FeedRow {
  const fields: Record<string, string> = {};
  columns.slice(0, cells.length).forEach((column, index) => {
    fields[column] = removeFormulaGuard(unwrapCell(cells[index] ?? ''));
  });
  if (isCut || cells.length > MAX_VALUES) return faultyRow(line, fields, TOO_LARGE);
  const surplus = cells.slice(columns.length);
  if (isBlank(surplus)) return { line, fields, fault: null };
  const message = `The row has ${cells.length} values under ${columns.length} columns.`;
  return { line, fields, fault: { code: 'ROW_RAGGED', message } };
}
