import { RANGES, type SearchFilters } from '../../../lib/search/request.ts';
import type { Sort } from '../../../lib/search/schemas.ts';
import {
  entryFor,
  FACET_NAMES,
  LISTED_NAMES,
  type ListedName,
  type RangedName,
  SEARCHED_FIELDS,
} from '../../../lib/truck/record/record.ts';
import { queryRows } from '../service/database.ts';

/** A search by looking at every listing in memory: what the real one is compared with. */

/** What the record table calls searchable, and what the store says of a listing beside it. */
export interface Stored
  extends Record<Exclude<ListedName, RangedName>, unknown>,
    Record<RangedName, number | null> {
  hash: string;
  make: string;
  model: string | null;
  latitude: number | null;
  longitude: number | null;
  quality: number;
  has_images: boolean;
  /** With microseconds, in UTC: sorts as text. */
  updated_at: string;
}

/** Filters that every available listing matches. */
export const NO_FILTERS: SearchFilters = { status: ['available'] };

/** The account's listings, from the documents, not from the search table. */
export function storedListings(accountId: string): Promise<Stored[]> {
  const fields = SEARCHED_FIELDS.map((name) =>
    entryFor(name).kind === 'integer' ? `(doc->>'${name}')::int as ${name}` : `doc->>'${name}' as ${name}`,
  );
  return queryRows<Stored>(
    `select encode(dedup_hash, 'hex') as hash, status, ${fields.join(', ')}, dealer,
      doc->'location'->>'state' as state,
      (doc->'location'->>'latitude')::float8 as latitude, (doc->'location'->>'longitude')::float8 as longitude,
      (quality->>'score')::int as quality, json_array_length(images) > 0 as has_images,
      to_char(updated_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as updated_at
    from listings where account_id = $1 and version > 0`,
    [accountId],
  );
}

/** Those that match, in order. Words are not judged here. */
export function naiveSearch(listings: readonly Stored[], filters: SearchFilters, sort: Sort): Stored[] {
  const matching = listings.filter((listing) => matches(listing, filters));
  const direction = sort === 'newest' || sort.startsWith('-') ? -1 : 1;
  return matching.toSorted((one, other) => {
    const [a, b] = [sortKeyFor(one, filters, sort), sortKeyFor(other, filters, sort)];
    if ((a === null) !== (b === null)) return a === null ? 1 : -1;
    return direction * (compare(a, b) || compare(one.hash, other.hash));
  });
}

type Key = string | number | null;

function compare(a: Key, b: Key): number {
  if (a === b || a === null || b === null) return 0;
  return a < b ? -1 : 1;
}

function sortKeyFor(listing: Stored, { near }: SearchFilters, sort: Sort): Key {
  if (sort === 'distance') return near ? milesTo(listing, near) : null;
  if (sort === 'newest') return listing.updated_at;
  return listing[sort.replace('-', '') as 'price' | 'year' | 'mileage'];
}

function matches(listing: Stored, filters: SearchFilters): boolean {
  const { has_images, has_price, updated_since, near } = filters;
  return (
    LISTED_NAMES.every((name) => {
      const values: readonly unknown[] | null | undefined = filters[name];
      const value = name === 'condition' ? (listing[name] ?? 'unknown') : listing[name];
      return values == null || values.includes(value);
    }) &&
    RANGES.every((name) => within(listing[name], filters[`${name}_min`], filters[`${name}_max`])) &&
    (has_images == null || listing.has_images === has_images) &&
    (has_price == null || (listing.price !== null) === has_price) &&
    (updated_since == null || Date.parse(listing.updated_at) >= Date.parse(updated_since.at)) &&
    (near == null || (milesTo(listing, near) ?? Number.POSITIVE_INFINITY) <= near.miles)
  );
}

const within = (value: number | null, min?: number | null, max?: number | null): boolean =>
  (min == null || (value !== null && value >= min)) && (max == null || (value !== null && value <= max));

/** By the spherical law of cosines, not by the service's formula. */
export function milesTo(
  { latitude, longitude }: Stored,
  near: { latitude: number; longitude: number },
): number | null {
  if (latitude === null || longitude === null) return null;
  const [a, b, direction] = [latitude, near.latitude, longitude - near.longitude].map(
    (degrees) => (degrees * Math.PI) / 180,
  ) as [number, number, number];
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(direction);
  return 3_958.76 * Math.acos(Math.min(1, Math.max(-1, cosine)));
}

/** Facets of some listings as the port answers them, prices by lower bound, sorted. */
export function naiveFacets(listings: readonly Stored[], bands: readonly number[]): Facet[] {
  const values = listings.flatMap((listing) =>
    FACET_NAMES.map((facet) => {
      const { price, [facet]: value } = listing;
      return [
        facet,
        facet === 'price' && price !== null ? bands.filter((from) => from <= price).length : value,
      ];
    }),
  );
  const pairs = values.filter(([, value]) => value !== null);
  const groups = Map.groupBy(pairs, ([facet, value]) => JSON.stringify([facet, String(value)]));
  return sortedFacets(
    [...groups].map(([key, all]): Facet => [...(JSON.parse(key) as [string, string]), all.length]),
  );
}

type Facet = readonly [facet: string, value: string, count: number];

export const sortedFacets = (facets: readonly Facet[]): Facet[] =>
  facets.toSorted((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1));
