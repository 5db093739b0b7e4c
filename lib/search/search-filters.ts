import { checkRange, conflicting, invalid } from '../http/context.ts';
import { Unavailable } from '../outside/faults.ts';
import type { Geocoder } from '../outside/outbound.ts';
import { LISTING_STATUSES } from '../truck/fields.ts';
import { readDegrees, readZip, splitAddress } from '../truck/place/place.ts';
import {
  entryFor,
  KIND_NAMES,
  LISTED_NAMES,
  type ListedAlias,
  RANGED_NAMES,
  type RangedName,
} from '../truck/record/record.ts';
import { cleanLine } from '../truck/text/text.ts';
import { readValues } from './filter-values.ts';
import type { ListFilters, SearchFilters } from './request.ts';
import { SEARCH_LIMITS, type SearchInput } from './schemas.ts';
import { readSyncPoint } from './sync-point.ts';
import { TERM_FILTERS, type TermFilter, toFilterTerm, UNKNOWN_CONDITION } from './words/listing-terms.ts';
import type { QueryFilters } from './words/query-filters.ts';
import { type ReadQuery, readQuery, type Without } from './words/read-query.ts';
import { matchMakes, matchModels, type Name } from './words/search-words.ts';

/** What a search understood by the names of the account: makes and models as asked for, and the words of `q`. */
export interface Reading {
  make: string[] | null;
  model: string[] | null;
  query: ReadQuery;
}

/** What a search without makes, models and words understands. */
const NOTHING_READ: Reading = { make: null, model: null, query: { filters: {}, words: [], terms: [] } };

export async function readByNames(
  query: SearchInput,
  loadNames: () => Promise<readonly Name[]>,
): Promise<Reading> {
  const { q, make, model, body_type = query.body, fuel_type = query.fuel } = query;
  if (q === undefined && make === undefined && model === undefined) return NOTHING_READ;
  const names = await loadNames();
  const makes = make ? distinct(make.flatMap((value) => matchMakes(cleanLine(value), names))) : null;
  const models = model?.flatMap((value) => matchModels(cleanLine(value), makes, names)) ?? null;
  const asked = {
    ...query,
    body_type,
    fuel_type,
    make: makes,
    model: models,
    // A range that is asked for is not read out of `q` as well; years come as either.
    year: query.year ?? query.year_min ?? query.year_max,
    price: query.price_min ?? query.price_max,
    mileage: query.mileage_min ?? query.mileage_max,
  };
  const read = q === undefined ? NOTHING_READ.query : readQuery(q, names, asked);
  return { make: makes, model: models && distinct(models), query: read };
}

/** The filters of a query in canonical values, as ingest stores them. Throws INVALID_PARAMS naming the parameter. */
export async function searchFilters(
  query: SearchInput,
  reading: Reading,
  geocoder: Geocoder,
): Promise<SearchFilters> {
  const { make, model } = reading;
  const { terms, filters, without } = reading.query;
  const { status, condition, ...lists } = { ...listFilters(query), make, model, ...pickLists(filters) };
  // A listing without a condition has none in its column, only among its words.
  const isByWord = condition?.includes(UNKNOWN_CONDITION) ?? false;
  const marked = markedTerms({ ...filters, condition: isByWord ? condition : null });
  const words = [...terms, ...marked, ...kindTerms(query)];
  const since = query.updated_since;
  return {
    ...lists,
    ...rangeFilters(query, filters),
    status: status ?? (since === undefined ? ['available'] : LISTING_STATUSES),
    condition: isByWord ? null : (condition ?? null),
    has_images: query.has_images,
    has_price: query.has_price,
    updated_since: since === undefined ? null : readSyncPoint(since),
    near: await resolvePlace(query, geocoder),
    words: words.length === 0 ? null : words,
    without: without === undefined ? null : toWithout(without),
  };
}

/** What a query names of the parameters that take lists. */
const pickLists = (filters: QueryFilters): ListFilters =>
  Object.fromEntries(
    Object.entries(filters).filter(([name, values]) => values && LISTED_NAMES.some((each) => each === name)),
  );

/** Conditions are among the words, also where a listing has none. */
function toWithout({ filters, terms }: Without): NonNullable<SearchFilters['without']> {
  const { condition: _, ...lists } = pickLists(filters);
  return { lists, words: [...terms, ...markedTerms(filters)] };
}

/** What stands among the words of a listing under a mark of its own. */
const markedTerms = (filters: { [Name in TermFilter]?: readonly string[] | null | undefined }) =>
  TERM_FILTERS.flatMap((name) => (filters[name] ? [toFilterTerm(name, filters[name])] : []));

/** The marked words of kinds that are asked for by parameters. */
const kindTerms = (query: SearchInput) =>
  KIND_NAMES.flatMap((name) =>
    query[name] ? [toFilterTerm(name, readValues(name, query[name]).map(String))] : [],
  );

function listFilters(query: SearchInput): ListFilters {
  const lists = LISTED_NAMES.map((name) => {
    const alias = entryFor(name).search?.values?.alias as ListedAlias | undefined;
    const aliased = alias && query[alias];
    if (query[name] !== undefined && aliased !== undefined)
      throw conflicting(alias ?? name, `is the same as ${name}: send one of them`);
    const texts = query[name] ?? aliased;
    return [name, texts ? readValues(name, texts) : null];
  });
  // One list per name of the table, of the values that its reader gives.
  return Object.fromEntries(lists);
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

type Ends = { readonly [End in `${RangedName}_${'min' | 'max'}`]?: readonly number[] | undefined };

/** Those of the parameters, else those that `q` names. */
function rangeFilters(query: SearchInput, read: Ends) {
  const ranges = RANGED_NAMES.map((name) => {
    const [min, max] = [`${name}_min`, `${name}_max`] as const;
    checkRange(name, query[min], query[max]);
    return [`${name}_range`, toRange(query[min], query[max]) ?? toRange(read[min]?.[0], read[max]?.[0])];
  });
  return {
    ...(Object.fromEntries(ranges) as Pick<SearchFilters, `${RangedName}_range`>),
    quality_range: toRange(query.quality_min, undefined),
  };
}

const toRange = (min: number | undefined, max: number | undefined) =>
  min === undefined && max === undefined ? null : { min: min ?? null, max: max ?? null };

const NEAR =
  'must be a known ZIP or postal code, a city with its state or province (San Antonio, TX), or latitude,longitude in degrees';

async function resolvePlace(query: SearchInput, geocoder: Geocoder): Promise<SearchFilters['near']> {
  if (query.near === undefined) {
    if (query.radius !== undefined) throw conflicting('radius', 'needs near');
    return null;
  }
  const miles = query.radius ?? SEARCH_LIMITS.defaultRadius;
  const [first, second, ...more] = query.near.split(',');
  const [latitude, longitude] = [readDegrees(first, 90), readDegrees(second, 180)];
  if (latitude !== null && longitude !== null && more.length === 0) return { latitude, longitude, miles };
  const zip = readZip(query.near);
  const address = zip === null ? splitAddress(cleanLine(query.near)) : { city: null, state: null, zip };
  const [found] = await geocoder.locate([address]);
  if (found === 'later') throw new Unavailable('the geocoder does not answer');
  if (!found) throw invalid('near', NEAR, { received: query.near });
  return { latitude: found.latitude, longitude: found.longitude, miles };
}
