import type { SearchPosition, SearchRequest } from '../request.ts';
import { type Bind, distanceTo } from './search-conditions.ts';

/** An order of listings: by a key of the search row, then by dedup hash in the same direction. */
export interface Order {
  /** Expression over a row `s` of `listing_search`, never null. */
  key: string;
  type: 'timestamptz' | 'int' | 'float8';
  direction: 'asc' | 'desc';
}

const COLUMNS = {
  price: 's.price',
  year: 's.model_year',
  mileage: 's.mileage',
  quality: 's.quality',
} as const;

export function toOrder({ sort, filters: { near } }: SearchRequest, bind: Bind): Order {
  if (sort === 'newest') return { key: 's.updated_at', type: 'timestamptz', direction: 'desc' };
  if (sort === 'distance') {
    if (!near) throw new Error('a search by distance needs a place');
    return { key: distanceTo(near, bind), type: 'float8', direction: 'asc' };
  }
  const column = COLUMNS[sort.replace('-', '') as keyof typeof COLUMNS];
  // What is missing comes last in either direction.
  return sort.startsWith('-')
    ? { key: `coalesce(${column}, -1)`, type: 'int', direction: 'desc' }
    : { key: `coalesce(${column}, 2147483647)`, type: 'int', direction: 'asc' };
}

/** The condition on the rows behind a position. */
export function isAfter(
  { type, direction }: Order,
  key: string,
  position: SearchPosition | null,
  bind: Bind,
): string {
  if (position === null) return 'true';
  const than = direction === 'asc' ? '>' : '<';
  return `(${key}, dedup_hash) ${than} (${bind(position.key)}::${type}, decode(${bind(position.dedupHash)}, 'hex'))`;
}

/** A time as text that casts back to the same value. */
export const timeText = (time: string) =>
  `to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
