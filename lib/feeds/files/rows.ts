import type { FeedRowFaultCode } from '../feed-faults.ts';
import type { FeedFileHead, FeedRow } from '../feed-file.ts';

/** What a reader makes of a file; rows come some at a time. Reading throws `FeedFault`. */
export interface ReadRows extends Pick<FeedFileHead, 'format' | 'delimiter' | 'columns'> {
  rows: AsyncIterable<FeedRow[]>;
}

export function faulty(code: FeedRowFaultCode, what: string): NonNullable<FeedRow['fault']> {
  return { code, message: what };
}

export function tooManyValues(maxValues: number): NonNullable<FeedRow['fault']> {
  return faulty('ROW_TOO_LARGE', `The row has more than ${maxValues} values.`);
}

export function tooLongValue(name: string): NonNullable<FeedRow['fault']> {
  return faulty('ROW_TOO_LARGE', `The value of ${name.slice(0, 80)} is too long.`);
}
