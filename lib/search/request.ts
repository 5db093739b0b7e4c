import type { Coordinates } from '../outside/outbound.ts';
import type { ListingStatus } from '../truck/fields.ts';
import { type KindName, type ListedName, type ListedValue, RANGED_NAMES } from '../truck/record/record.ts';
import type { Sort } from './schemas.ts';
import type { SyncPoint } from './sync-point.ts';
import type { Term } from './words/search-words.ts';

/** By list: the field equals one of these canonical values. */
export type ListFilters = {
  [Name in ListedName]?:
    | readonly (Name extends 'status' ? ListingStatus : ListedValue<Name>)[]
    | null
    | undefined;
};
/** What has a range, whose ends belong to it. */
export const RANGES = [...RANGED_NAMES, 'quality'] as const;
export type RangeFilters = {
  [End in `${(typeof RANGES)[number]}_${'min' | 'max'}`]?: number | null | undefined;
};

/** What the words of a query can name, by the names of the search's parameters. */
export type QueryFilters = {
  [Name in ListedName | KindName | keyof RangeFilters | 'near' | 'radius']?:
    | readonly (string | number)[]
    | undefined;
};

/** What listings have to be like; what is not there, or null, is open. */
export interface SearchFilters extends Omit<ListFilters, 'status'>, RangeFilters {
  status: readonly ListingStatus[];
  has_images?: boolean | null | undefined;
  has_price?: boolean | null | undefined;
  /** Without what its VIN says is no truck, and each VIN once. */
  for_visitors?: boolean | null;
  /** Changed at that time or later, or by a transaction before `newest` that was not over then. */
  updated_since?: (SyncPoint & { newest: string }) | null;
  /** Within `miles` of a place. */
  near?: (Coordinates & { miles: number }) | null | undefined;
  /** All of these; of each any alternative, which is words that all have to occur. */
  words?: readonly Term[] | null;
  /** None of these values, and none of these words. */
  without?: { lists: ListFilters; words: readonly Term[] } | null;
}

/** Where a page of a search starts: after the listing with this key of the order, as text, and this dedup hash. */
export interface SearchPosition {
  key: string;
  dedupHash: string;
}

export interface SearchRequest {
  filters: SearchFilters;
  sort: Sort;
  after: SearchPosition | null;
  limit: number;
  /** Counts facets as well. */
  facets?: boolean;
  /** Reads the page's listings without their images. */
  withoutImages?: boolean;
}
