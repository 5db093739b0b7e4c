import type { Sort } from '../../../contract/search.ts';
import type { SearchPosition, SearchRequest } from '../../../ports/search.ts';
import { type Bind, type Conditions, distanceTo } from './search-conditions.ts';

/** An order of listings: by a key of the search row, its absence last, then by dedup hash in the same direction. */
export interface Order {
  /** Expression over a row `s` of `listing_search`. */
  key: string;
  type: 'timestamptz' | 'int' | 'float8';
  nullable: boolean;
  direction: 'asc' | 'desc';
  /** Filters whose columns are in the index of the order: what they leave out costs no look at the table. */
  indexed: readonly (keyof Conditions)[];
}

const AGE = ['year', 'year_range', 'condition'] as const;

const KEYS = {
  newest: { key: 's.updated_at', type: 'timestamptz', nullable: false, indexed: [] },
  price: {
    key: 's.price',
    type: 'int',
    nullable: true,
    indexed: [...AGE, 'price_range', 'class', 'has_images'],
  },
  year: { key: 's.model_year', type: 'int', nullable: false, indexed: [...AGE, 'price_range'] },
  mileage: { key: 's.mileage', type: 'int', nullable: true, indexed: [...AGE, 'mileage_range'] },
  quality: { key: 's.quality', type: 'int', nullable: false, indexed: ['quality_range'] },
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

export function toOrder({ sort, filters: { near } }: SearchRequest, bind: Bind): Order {
  if (sort === 'distance') {
    if (near === null) throw new Error('a search by distance needs a place');
    return { key: distanceTo(near, bind), type: 'float8', nullable: false, direction: 'asc', indexed: [] };
  }
  const [name, direction] = ORDERS[sort];
  return { ...KEYS[name], direction };
}

/** True when the index of its order leads to the page: not by distance, nor behind all that have what the order goes by. */
export const isWalked = ({ sort, after }: SearchRequest) => sort !== 'distance' && after?.key !== null;

/** ORDER BY of rows with `key` and `hash` expressions. */
export const orderBy = ({ direction, nullable }: Order, key: string, hash: string) =>
  `${nullable ? `${key} is null, ` : ''}${key} ${direction}, ${hash} ${direction}`;

/** Conditions on the rows that come after a position: those that have a key, and those that have none. */
export interface After {
  keyed(key: string, hash: string): string;
  keyless(hash: string): string;
}

export function toAfter({ direction, type }: Order, position: SearchPosition | null, bind: Bind): After {
  if (position === null) return { keyed: () => 'true', keyless: () => 'true' };
  const than = direction === 'asc' ? '>' : '<';
  const at = `decode(${bind(position.dedupHash)}, 'hex')`;
  if (position.key === null) return { keyed: () => 'false', keyless: (hash) => `${hash} ${than} ${at}` };
  const after = `(${bind(position.key)}::${type}, ${at})`;
  return { keyed: (key, hash) => `(${key}, ${hash}) ${than} ${after}`, keyless: () => 'true' };
}

/** A key as text that casts back to the same value. */
export const keyText = ({ type }: Pick<Order, 'type'>, key: string) =>
  type === 'timestamptz'
    ? `to_char(${key} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : `${key}::text`;
