import { isNested, isObject } from '../../truck/is-object.ts';
import type { FeedFileHead, FeedRow } from '../feed-file.ts';

/** What a reader makes of a file; rows come some at a time. Reading throws `FeedFault`. */
export interface ReadRows extends Pick<FeedFileHead, 'format'>, Partial<Pick<FeedFileHead, 'delimiter'>> {
  /** As the header names them; absent where rows name their values themselves. */
  columns?: readonly string[];
  rows: AsyncIterable<FeedRow[]>;
}

/** In UTF-16 units of decoded text. */
export const MAX_ROW = 4 * 1024 * 1024;
/** Cells, members, elements or attributes of a row. */
export const MAX_VALUES = 2_000;
export const MAX_COLUMNS = 1_000;
/** No row is read deeper than this, and nothing around the rows. */
export const MAX_DEPTH = 32;

export const TOO_LARGE = { code: 'ROW_TOO_LARGE', message: 'The row is too large.' } as const;
const UNREADABLE = {
  code: 'ROW_UNREADABLE',
  message: `It is no object of at most ${MAX_DEPTH} levels.`,
} as const;

/** Of a row that is too much only short values are kept, which may tell the truck: one that is in the file is not gone. */
export function faultyRow(
  line: number,
  values: Readonly<Record<string, unknown>>,
  fault: FeedRow['fault'],
): FeedRow {
  const short = Object.entries(values).filter(
    ([, value]) => typeof value !== 'object' && String(value).length <= 1_000,
  );
  return { line, fields: Object.fromEntries(short.slice(0, MAX_VALUES)), fault };
}

/** A row whose values have names of their own. */
export function toRow(value: unknown, line: number): FeedRow {
  if (!isObject(value)) return { line, fields: null, fault: UNREADABLE };
  Reflect.deleteProperty(value, '__proto__');
  const fault = findFault(value);
  return fault ? faultyRow(line, value, fault) : { line, fields: value, fault };
}

function findFault(row: object): FeedRow['fault'] {
  let [values, length] = [0, 0];
  const isTooDeep = (value: unknown, depth: number): boolean => {
    values += 1;
    if (typeof value === 'string') length += value.length;
    if (!isNested(value)) return false;
    if (isObject(value)) for (const name of Object.keys(value)) length += name.length;
    return depth > MAX_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1));
  };
  if (isTooDeep(row, 1)) return UNREADABLE;
  return values > MAX_VALUES || length > MAX_ROW ? TOO_LARGE : null;
}
