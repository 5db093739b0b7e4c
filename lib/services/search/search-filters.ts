import { LISTING_STATUSES } from '../../contract/fields.ts';
import { SEARCH_LIMITS, type SearchInput } from '../../contract/search.ts';
import { readDegrees, readState, readZip } from '../../domain/place/place.ts';
import {
  isCanonicalMake,
  makesMeant,
  modelsMeant,
  type ReadQuery,
  readQuery,
} from '../../domain/search/search-words.ts';
import { cleanLine } from '../../domain/text/text.ts';
import { canonicalBody } from '../../domain/vocabulary/body.ts';
import { canonicalFuel, readCondition } from '../../domain/vocabulary/resolve.ts';
import { readWeightClass, truckClass } from '../../domain/vocabulary/weight-class.ts';
import type { Geocoder } from '../../ports/outbound.ts';
import type { Range, SearchFilters } from '../../ports/search.ts';
import { invalid } from '../context.ts';

type Names = readonly { make: string; model: string }[];

export interface FilterNeeds {
  geocoder: Geocoder;
  /** The account's makes and models; asked only when the query cannot be read without them. */
  names(): Promise<Names>;
}

/** The filters of a query in canonical values, as ingest stores them. Throws INVALID_PARAMS naming the parameter. */
export async function searchFilters(query: SearchInput, needs: FilterNeeds): Promise<SearchFilters> {
  const { q, make, model } = query;
  const asked = q !== undefined || model !== undefined || make?.some((value) => !isCanonicalMake(value));
  const [near, names] = await Promise.all([placeOf(query, needs.geocoder), asked ? needs.names() : []]);
  const makes = make ? distinct(make.flatMap((value) => makesMeant(cleanLine(value), names))) : null;
  const models = model
    ? distinct(model.flatMap((value) => modelsMeant(cleanLine(value), makes, names)))
    : null;
  const years = query.year ? each('year', query.year, readYear, 'model years of four digits') : null;
  const bodies = eitherOf(query, 'body_type', 'body')?.map(canonicalBody) ?? null;
  const rest = { make: makes, model: models, year: years, body: bodies };
  const read = q === undefined ? NOTHING_READ : readQuery(q, names, rest);
  return {
    status: query.status
      ? each('status', query.status, readStatus, LISTING_STATUSES.join(', '))
      : ['available'],
    make: read.make === null ? makes : [read.make],
    model: read.model ?? models,
    year: read.year === null ? years : [read.year],
    class: query.class ? each('class', query.class, readClass, 'weight classes from 3 to 8') : null,
    body_type: read.body ?? bodies,
    condition: query.condition ? each('condition', query.condition, readCondition, 'new, used') : null,
    fuel_type: eitherOf(query, 'fuel_type', 'fuel')?.map(canonicalFuel) ?? null,
    state: query.state ? each('state', query.state, readState, 'US states or Canadian provinces') : null,
    dealer: query.dealer ? distinct(query.dealer.map((slug) => slug.toLowerCase())) : null,
    years: rangeOf('year_min', query.year_min, query.year_max),
    price: rangeOf('price_min', query.price_min, query.price_max),
    mileage: rangeOf('mileage_min', query.mileage_min, query.mileage_max),
    quality: rangeOf('quality_min', query.quality_min, undefined),
    has_images: query.has_images ?? null,
    updated_since: query.updated_since === undefined ? null : new Date(query.updated_since).toISOString(),
    near,
    words: read.terms.length === 0 ? null : read.terms,
  };
}

const NOTHING_READ: ReadQuery = { make: null, model: null, year: null, body: null, terms: [] };

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

function each<Value>(
  field: string,
  texts: readonly string[],
  read: (text: string) => Value | null,
  expected: string,
): Value[] {
  return distinct(
    texts.map((text) => {
      const value = read(text);
      if (value === null) throw invalid(field, `"${text}" is none of: ${expected}`);
      return value;
    }),
  );
}

const readStatus = (text: string) => LISTING_STATUSES.find((status) => status === text.toLowerCase()) ?? null;
const readYear = (text: string) => (/^(?:19|20|21)\d{2}$/.test(text) ? Number(text) : null);

function readClass(text: string): string | null {
  const weightClass = readWeightClass(text);
  return weightClass === null ? null : truckClass(weightClass);
}

function eitherOf(
  query: SearchInput,
  name: 'body_type' | 'fuel_type',
  alias: 'body' | 'fuel',
): string[] | null {
  if (query[name] !== undefined && query[alias] !== undefined)
    throw invalid(alias, `is the same as ${name}: send one of them`);
  return (query[name] ?? query[alias])?.map(cleanLine) ?? null;
}

function rangeOf(field: string, min: number | undefined, max: number | undefined): Range | null {
  if (min === undefined && max === undefined) return null;
  if (min !== undefined && max !== undefined && min > max)
    throw invalid(field, `must not be more than ${field.replace('_min', '_max')}`);
  return { min: min ?? null, max: max ?? null };
}

async function placeOf(query: SearchInput, geocoder: Geocoder): Promise<SearchFilters['near']> {
  if (query.near === undefined) {
    if (query.radius !== undefined) throw invalid('radius', 'needs near');
    return null;
  }
  const miles = query.radius ?? SEARCH_LIMITS.defaultRadius;
  const expected = 'must be a known US ZIP code, or latitude,longitude in degrees';
  if (query.near.includes(',')) {
    const [latitude, longitude, ...more] = query.near.split(',');
    const place = { latitude: readDegrees(latitude, 90), longitude: readDegrees(longitude, 180) };
    if (place.latitude === null || place.longitude === null || more.length > 0)
      throw invalid('near', expected);
    return { latitude: place.latitude, longitude: place.longitude, miles };
  }
  const zip = readZip(query.near);
  const [found] = zip === null ? [] : await geocoder.locate([{ city: null, state: null, zip }]);
  if (!found || found === 'later') throw invalid('near', expected);
  return { latitude: found.latitude, longitude: found.longitude, miles };
}
