import type { Coordinates } from '../outside/outbound.ts';
import type { ListingStatus } from '../truck/fields.ts';
import type { ListedName, ListedValue, RangedName } from '../truck/record/record.ts';
import type { Facet, Sort } from './schemas.ts';
import type { SyncPoint } from './sync-point.ts';
import type { Term } from './words/search-words.ts';

/** Search and the counts it is answered with. */

/** By list: the field equals one of these canonical values. */
type ListFilters = { [Name in ListedName]: readonly ListedValue<Name>[] | null };
/** By range, as `price_range`; both ends belong to it. */
type RangeFilters = { [Name in RangedName | 'quality' as `${Name}_range`]: Range | null };

/** What listings have to be like: every member that is not null. */
export interface SearchFilters extends ListFilters, RangeFilters {
  status: readonly ListingStatus[];
  has_images: boolean | null;
  has_price: boolean | null;
  /** Without what its VIN says is no truck, and each VIN once. */
  for_visitors: true | null;
  /** Changed at that time or later, or by a transaction that was not over then. */
  updated_since: SyncPoint | null;
  /** Within `miles` of a place. */
  near: (Coordinates & { miles: number }) | null;
  /** All of these; of each any alternative, which is words that all have to occur. */
  words: readonly Term[] | null;
  /** None of these values, and none of these words. */
  without: { lists: Partial<ListFilters>; words: readonly Term[] } | null;
}

export interface Range {
  min: number | null;
  max: number | null;
}

/** Where a page of a search starts: after the listing with this key of the order and this dedup hash. */
export interface SearchPosition {
  /** As text. */
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

export interface SearchResult {
  /** JSON array text of the page's listings, as `byVin` answers one, without price history and sources. */
  listings: string;
  /** The last listing of the page when more follow. */
  next: SearchPosition | null;
  /** As `synced_until` on the wire: everything that this search could not see is found by it. */
  syncedUntil: string;
  /** Not exact: there are more than that. */
  count: { value: number; exact: boolean };
  /** Values with how many of the listings counted have them; a price is the number of its band (contract/price-bands.ts). */
  facets: readonly (readonly [facet: Facet, value: string, count: number])[];
}

/** Search of one account's listings; sees every write that has ended. */
export interface Search {
  of(accountId: string): {
    /** Makes and models of the account's listings, up to a bound; model '' where a make has none that is known. */
    names(): Promise<{ make: string; model: string }[]>;
    /** How many of the account's listings have each of the words, up to a bound. */
    countWords(terms: readonly Term[]): Promise<number[]>;
    find(request: SearchRequest): Promise<SearchResult>;
  };
}
