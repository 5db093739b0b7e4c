import type { SearchPosition, SearchRequest } from '../request.ts';
import type { Sort } from '../schemas.ts';
import { type Bind, distanceTo } from './search-conditions.ts';

/** An order of listings: by a key of the search row, then by dedup hash in the same direction. */
export interface Order {
  /** Expression over a row `s` of `listing_search`, never null. */
  key: string;
  type: 'timestamptz' | 'int' | 'float8';
  direction: 'asc' | 'desc';
}

const order = (key: string, direction: Order['direction'], type: Order['type'] = 'int'): Order => ({
  key,
  type,
  direction,
});
/** What is missing comes last in either direction. */
const lowest = (column: string) => order(`coalesce(${column}, 2147483647)`, 'asc');
const highest = (column: string) => order(`coalesce(${column}, -1)`, 'desc');

const ORDERS: Record<Exclude<Sort, 'distance'>, Order> = {
  newest: order('s.updated_at', 'desc', 'timestamptz'),
  price: lowest('s.price'),
  '-price': highest('s.price'),
  year: lowest('s.model_year'),
  '-year': highest('s.model_year'),
  mileage: lowest('s.mileage'),
  '-mileage': highest('s.mileage'),
  quality: lowest('s.quality'),
  '-quality': highest('s.quality'),
  // Every hit has all the words; what is left to tell them apart is how well they are described.
  relevance: highest('s.quality'),
};

export function toOrder({ sort, filters: { near } }: SearchRequest, bind: Bind): Order {
  if (sort !== 'distance') return ORDERS[sort];
  if (!near) throw new Error('a search by distance needs a place');
  return order(distanceTo(near, bind), 'asc', 'float8');
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
