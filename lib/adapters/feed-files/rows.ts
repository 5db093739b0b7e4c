import type { FeedRow, FeedRowFaultCode } from '../../ports/feed-files.ts';

/** A row with the place right after it. */
export interface Placed {
  row: FeedRow;
  at: number;
  line: number;
}

/** Turns text that comes in pieces into rows. How it comes in pieces changes nothing. Throws `FeedFault`. */
export interface RowParser {
  /** The rows that are complete now; `last`: no text follows. */
  push(text: string, last: boolean): Placed[];
}

export function faulty(code: FeedRowFaultCode, what: string): NonNullable<FeedRow['fault']> {
  return { code, message: what };
}

/** How many line feeds stand in a stretch of text. */
export function lineFeeds(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
