import type { Sort } from '../../../contract/search.ts';
import type { SearchFilters, SearchPosition, SearchRequest } from '../../../ports/search.ts';
import { type Bind, distanceTo } from './search-filters.ts';

/** An order of listings: by a key of the search row, its absence last, then by dedup hash in the same direction. */
export interface Order {
  /** Expression over a row `s` of `listing_search`. */
  key: string;
  type: 'timestamptz' | 'int' | 'float8';
  nullable: boolean;
  /**
   * The column whose values its index keeps apart, so that a walk goes along each; null for one walk along all.
   * `model_year`: the key itself, walked value by value.
   */
  parts: 'lot' | 'grade' | 'model_year' | null;
  /** False when no index has the order. */
  indexed: boolean;
  direction: 'asc' | 'desc';
}

const KEYS = {
  newest: { key: 's.updated_at', type: 'timestamptz', nullable: false, parts: null },
  price: { key: 's.price', type: 'int', nullable: true, parts: 'lot' },
  year: { key: 's.model_year', type: 'int', nullable: false, parts: 'grade' },
  mileage: { key: 's.mileage', type: 'int', nullable: true, parts: 'lot' },
  quality: { key: 's.quality', type: 'int', nullable: false, parts: null },
} as const;

const ORDERS: Record<Exclude<Sort, 'distance'>, [keyof typeof KEYS, Order['direction']]> = {
  newest: ['newest', 'desc'],
  price: ['price', 'asc'],
  '-price': ['price', 'desc'],
  year: ['year', 'asc'],
  '-year': ['year', 'desc'],
  mileage: ['mileage', 'asc'],
  '-mileage': ['mileage', 'desc'],
  quality: ['quality', 'asc'],
  '-quality': ['quality', 'desc'],
  // Every hit has all the words; what is left to tell them apart is how well they are described.
  relevance: ['quality', 'desc'],
};

export function orderOf({ sort, filters }: SearchRequest, bind: Bind): Order {
  if (sort === 'distance') {
    if (filters.near === null) throw new Error('a search by distance needs a place');
    return {
      key: distanceTo(filters.near, bind),
      type: 'float8',
      nullable: false,
      parts: null,
      indexed: false,
      direction: 'asc',
    };
  }
  const [name, direction] = ORDERS[sort];
  if (name === 'year' && isOneModel(filters))
    return { ...KEYS.year, parts: 'model_year', indexed: false, direction };
  return { ...KEYS[name], indexed: true, direction };
}

/** Whether all that is asked for beside years is one model of one make: `listing_search_model` has them year by year. */
function isOneModel({ status: _, make, model, year: __, year_range: ___, ...rest }: SearchFilters): boolean {
  return make?.length === 1 && model?.length === 1 && Object.values(rest).every((filter) => filter === null);
}

/** ORDER BY of rows with `key` and `hash` expressions. */
export const orderBy = ({ direction, nullable }: Order, key: string, hash: string) =>
  `${nullable ? `${key} is null, ` : ''}${key} ${direction}, ${hash} ${direction}`;

/** Conditions on what comes after a position; `present` of null: nothing that has a key does. */
export interface After {
  /** For rows that have a key. */
  present: ((key: string, hash: string) => string) | null;
  /** For rows that have none. */
  absent(hash: string): string;
}

export function afterPosition(order: Order, position: SearchPosition | null, bind: Bind): After {
  if (position === null) return { present: () => 'true', absent: () => 'true' };
  const than = order.direction === 'asc' ? '>' : '<';
  const at = `decode(${bind(position.dedupHash)}, 'hex')`;
  if (position.key === null) return { present: null, absent: (hash) => `${hash} ${than} ${at}` };
  const key = `${bind(position.key)}::${order.type}`;
  return {
    present: (column, hash) => `(${column}, ${hash}) ${than} (${key}, ${at})`,
    absent: () => 'true',
  };
}

/**
 * The condition that a row is not beyond `bound` (key, hash), the last of a page's worth of known hits; when that is
 * null, everything is within it.
 */
export function withinBound({ key, type, direction }: Order, hash: string, bound: string): string {
  const [than, farthest] = direction === 'asc' ? (['<=', 'high'] as const) : (['>=', 'low'] as const);
  const end = (column: string, otherwise: string) =>
    `coalesce((select ${column} from ${bound}), ${otherwise})`;
  return `(${key}, ${hash}) ${than} (${end('key', `${FARTHEST[type][farthest]}::${type}`)}, ${end('hash', FARTHEST.hash[farthest])})`;
}

const FARTHEST = {
  timestamptz: { low: `'-infinity'`, high: `'infinity'` },
  float8: { low: `'-infinity'`, high: `'infinity'` },
  int: { low: `'-2147483648'`, high: `'2147483647'` },
  // Hashes have 32 bytes.
  hash: { low: `'\\x'::bytea`, high: `decode(repeat('ff', 33), 'hex')` },
} as const;

/** A key as text that casts back to the same value. */
export const keyText = ({ type }: Order, key: string) =>
  type === 'timestamptz'
    ? `to_char(${key} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : `${key}::text`;
