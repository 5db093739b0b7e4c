import { checkRange, conflicting, invalid } from '../http/context.ts';
import { Unavailable } from '../outside/faults.ts';
import type { Geocoder } from '../outside/outbound.ts';
import { LISTING_STATUSES } from '../truck/fields.ts';
import { readDegrees, readZip, splitAddress } from '../truck/place/place.ts';
import { KIND_NAMES, LISTED_NAMES, RANGED_NAMES } from '../truck/record/record.ts';
import { cleanLine } from '../truck/text/text.ts';
import { readValues } from './filter-values.ts';
import type { QueryFilters, SearchFilters } from './request.ts';
import { SEARCH_LIMITS, type SearchInput } from './schemas.ts';
import { readSyncPoint } from './sync-point.ts';
import { toKindTerm } from './words/listing-terms.ts';
import type { Place } from './words/place-words.ts';
import { type ReadQuery, readQuery } from './words/read-query.ts';
import { matchMakes, matchModels, type Name } from './words/search-words.ts';

/** What a search understood by the names of the account: makes and models as asked for, and the words of `q`. */
export interface Reading {
  make: string[] | null;
  model: string[] | null;
  query: ReadQuery;
}

/** With the distance in the words of `q`. */
export type Query = SearchInput & { place?: Place };

/** @param asTyped filters that are not read out of `q`: their words stay words */
export function readByNames(query: Query, names: readonly Name[], asTyped: readonly string[] = []): Reading {
  const make = query.make ? distinct(query.make.flatMap((text) => matchMakes(cleanLine(text), names))) : null;
  const models = query.model?.flatMap((text) => matchModels(cleanLine(text), make, names));
  // What is asked for is not read out of `q` as well; years and ranges come as one of several parameters.
  const conditions = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [name.replace(/_m(?:in|ax)$/, '')],
  );
  const inReach = make ? names.filter((name) => make.includes(name.make)) : names;
  return {
    make,
    model: models ? distinct(models) : null,
    query: addPlace(
      readQuery(query.place?.q ?? query.q ?? '', inReach, new Set([...conditions, ...asTyped])),
      query.place,
    ),
  };
}

/** A query with the distance that was taken out of it, as one more part. */
function addPlace(read: ReadQuery, place: Query['place']): ReadQuery {
  if (!place) return read;
  const filters = { near: [`${place.city}, ${place.state}`], radius: [place.miles] };
  const typedText = `near ${filters.near} within ${place.miles} miles`;
  return {
    ...read,
    text: `${read.text} ${typedText}`,
    parts: [...read.parts, [typedText, filters]],
    filters: { ...read.filters, ...filters },
  };
}

const distinct = <Value>(values: readonly Value[]) => [...new Set(values)];

/** The filters of a query in canonical values, as ingest stores them. Throws INVALID_PARAMS naming the parameter. */
export async function searchFilters(
  query: Query,
  { make, model, query: read }: Reading,
  geocoder: Geocoder,
  newest: string,
): Promise<SearchFilters> {
  const { terms, filters, without } = read;
  const conditions = { ...readLists(query), ...(make && { make }), ...(model && { model }), ...filters };
  const lists = pickLists(conditions);
  const words = [...terms, ...kindTerms(conditions)];
  const since = query.updated_since;
  const syncPoint = since === undefined ? null : readSyncPoint(since);
  return {
    ...lists,
    ...rangeFilters(query, filters),
    status: lists.status ?? (since === undefined ? ['available'] : LISTING_STATUSES),
    quality_min: query.quality_min,
    has_images: query.has_images,
    has_price: query.has_price,
    updated_since: syncPoint && { ...syncPoint, newest },
    near: query.place ?? (await resolvePlace(query, geocoder)),
    words: words.length === 0 ? null : words,
    without: without
      ? { lists: pickLists(without.filters), words: [...without.terms, ...kindTerms(without.filters)] }
      : null,
  };
}

/** The canonical values of the parameters that are sent. */
const readLists = (query: SearchInput) =>
  Object.fromEntries(
    [...LISTED_NAMES, ...KIND_NAMES].flatMap((name) =>
      query[name] ? [[name, readValues(name, query[name])]] : [],
    ),
  );

/** Keeps the filters that are a column of the listing. */
const pickLists = (filters: QueryFilters) =>
  Object.fromEntries(LISTED_NAMES.flatMap((name) => (filters[name] ? [[name, filters[name]]] : [])));

/** The kinds that are asked for stand among the words of a listing under marks of their own. */
const kindTerms = (filters: QueryFilters) =>
  KIND_NAMES.flatMap((name) => (filters[name] ? [toKindTerm(name, filters[name])] : []));

function rangeFilters(query: SearchInput, read: QueryFilters) {
  const ends = RANGED_NAMES.flatMap((name) => {
    const [min, max] = [`${name}_min`, `${name}_max`] as const;
    checkRange(name, query[min], query[max]);
    return [min, max].map((end) => [end, query[end] ?? read[end]?.[0]]);
  });
  return Object.fromEntries(ends);
}

const NEAR =
  'must be a known ZIP or postal code, a city with its state or province (San Antonio, TX), or latitude,longitude in degrees';

async function resolvePlace({ near, radius }: SearchInput, geocoder: Geocoder) {
  if (near === undefined) {
    if (radius !== undefined) throw conflicting('radius', 'needs near');
    return null;
  }
  const miles = radius ?? SEARCH_LIMITS.defaultRadius;
  const [first, second, ...more] = near.split(',');
  const [latitude, longitude] = [readDegrees(first, 90), readDegrees(second, 180)];
  if (latitude !== null && longitude !== null && more.length === 0) return { latitude, longitude, miles };
  const zip = readZip(near);
  const address = zip === null ? splitAddress(cleanLine(near)) : { city: null, state: null, zip };
  const [location] = await geocoder.locate([address]);
  if (location === 'later') throw new Unavailable('the geocoder does not answer');
  if (!location) throw invalid('near', NEAR, { received: near });
  return { latitude: location.latitude, longitude: location.longitude, miles };
}
