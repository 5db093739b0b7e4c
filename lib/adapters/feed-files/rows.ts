import type { FeedRowFaultCode } from '../../ports/feeds/feed-faults.ts';
import type { FeedRow } from '../../ports/feeds/feed-files.ts';

/** A row with the place right after it. */
export interface Placed {
  row: FeedRow;
  at: number;
  line: number;
  /** How much the row holds: UTF-16 units of text, and values. */
  length: number;
  values: number;
}

/** Turns text that comes in pieces into rows. How it comes in pieces changes nothing. Throws `FeedFault`. */
export interface RowParser {
  /** The rows that are complete now; `last`: no text follows. To be gone through before the next call. */
  push(text: string, last: boolean): Iterable<Placed>;
}

export function faulty(code: FeedRowFaultCode, what: string): NonNullable<FeedRow['fault']> {
  return { code, message: what };
}

export function tooManyValues(maxValues: number): NonNullable<FeedRow['fault']> {
  return faulty('ROW_TOO_LARGE', `The row has more than ${maxValues} values.`);
}

/** Counts the line feeds in a stretch of text. */
export function lineFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
