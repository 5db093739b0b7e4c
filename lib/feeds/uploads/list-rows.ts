import { cut } from '../../domain/text/text.ts';
import type { RecordSource } from '../../ports/issues/issues.ts';
import type { FeedReject } from '../feed.ts';
import type { IngestedRow } from '../row-results.ts';
import { describeFix } from './describe-fix.ts';
import type { RejectedRows } from './rejected-rows.ts';

/** What became of the rows of a file so far. */
export interface Uploaded {
  /** Of the file. */
  rows: number;
  created: number;
  merged: number;
  unchanged: number;
  rejected: number;
  /** Sold or delisted by the file, and not on the list. */
  unlisted: number;
  /** Rows that were not come to, or that the time did not suffice for. */
  unsent: number;
  isDone: boolean;
  /** The first ones; people find a truck of theirs by its stock number, and mend all of a row's faults at once. */
  rejects: (FeedReject & { stock_number: string | null; further: Pick<FeedReject, 'field' | 'fix'>[] })[];
  /** The first ones, of trucks that are listed all the same. */
  warnings: { line: number; vin: string; message: string }[];
}

export function noRowsListed(rows: number): Uploaded {
  const counts = { created: 0, merged: 0, unchanged: 0, rejected: 0, unlisted: 0 };
  return { rows, ...counts, unsent: rows, isDone: false, rejects: [], warnings: [] };
}

export const UPLOAD_SOURCE: RecordSource = { id: 'upload', runNo: null, keepsIssues: true };
/** Rejects and warnings that are listed one by one. */
const MAX_SHOWN = 100;

/** Adds what became of a row. */
export function noteRow(
  uploaded: Uploaded,
  rejectedRows: RejectedRows,
  { row, record, result }: IngestedRow,
): void {
  const { line } = row;
  if (result.kind === 'accepted') {
    uploaded[result.outcome] += 1;
    const shown = result.warnings.slice(0, MAX_SHOWN - uploaded.warnings.length);
    uploaded.warnings.push(...shown.map(({ message }) => ({ line, vin: result.vin, message })));
  } else if (result.kind === 'not_found') uploaded.unlisted += 1;
  else {
    const { reject, further } = result;
    uploaded.rejected += 1;
    rejectedRows.add(row, [reject, ...further].map(({ field, fix }) => describeFix(field, fix)).join(' '));
    const stock = record?.stock_number;
    const isShown = typeof stock === 'string' || typeof stock === 'number';
    if (uploaded.rejects.length < MAX_SHOWN)
      uploaded.rejects.push({ ...reject, stock_number: isShown ? cut(String(stock), 60) : null, further });
  }
}
