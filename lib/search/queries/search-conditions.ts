import {
  entryFor,
  LISTED_NAMES,
  type ListedName,
  type RangedName,
  searchColumnFor,
} from '../../truck/record/record.ts';
import { RANGES, type SearchFilters } from '../request.ts';
import { NOT_A_TRUCK, UNKNOWN_CONDITION } from '../words/listing-terms.ts';
import type { SearchWord, Term } from '../words/search-words.ts';

/** The parameters of one statement: `bind` returns the placeholder of a value. */
export type Bind = (value: unknown) => string;

const TAG_LENGTH = 8;
const EARTH_RADIUS_MILES = 3_958.76;

/** What the filters but the words ask of a row `s` of `listing_search`. */
export function searchConditions(accountId: string, filters: SearchFilters, bind: Bind): string[] {
  const { has_images, has_price, for_visitors, updated_since, near, without } = filters;
  return [
    ...LISTED_NAMES.flatMap((name) => {
      const values = filters[name];
      return values ? [`${toColumn(name)} = any(${bind(values)}::${columnType(name)}[])`] : [];
    }),
    ...RANGES.flatMap((name) => {
      const [min, max] = [filters[`${name}_min`], filters[`${name}_max`]];
      const column = name === 'quality' ? 's.quality' : toColumn(name);
      return [
        ...(min == null ? [] : [`${column} >= ${bind(min)}::int`]),
        ...(max == null ? [] : [`${column} <= ${bind(max)}::int`]),
      ];
    }),
    ...(for_visitors ? [isTruck(bind), IS_FRESHEST_OF_VIN] : []),
    ...(has_images == null ? [] : [`s.has_images = ${bind(has_images)}::boolean`]),
    ...(has_price == null ? [] : [`(s.price is not null) = ${bind(has_price)}::boolean`]),
    ...(updated_since ? [isChangedSince(updated_since, bind)] : []),
    ...(near ? isNear(near, bind) : []),
    ...(without ? isWithout(accountId, without, bind) : []),
  ];
}

/** What has no such value at all is without it. */
function isWithout(accountId: string, { lists, words }: NonNullable<SearchFilters['without']>, bind: Bind) {
  const isNone = LISTED_NAMES.flatMap((name) => {
    const values = lists[name];
    return values ? [`coalesce(${toColumn(name)} <> all(${bind(values)}::${columnType(name)}[]), true)`] : [];
  });
  if (words.length === 0) return isNone;
  return [...isNone, hasNotWords(`${bind(toTsquery(accountId, [words.flat()]))}::tsquery`)];
}

/** Dealers rarely say of a used truck that it is used: `unknown` is a condition to search by. */
const toColumn = (name: ListedName | RangedName) =>
  name === 'condition' ? `coalesce(s.condition, '${UNKNOWN_CONDITION}')` : `s.${searchColumnFor(name)}`;

const columnType = (name: ListedName) => (entryFor(name).kind === 'integer' ? 'int' : 'text');

/**
 * By the transaction, whose commit may come long after its time. By the time too: a database that was restored from a
 * dump counts its transactions anew, and what stands there of older ones is above all of its own.
 */
function isChangedSince(point: NonNullable<SearchFilters['updated_since']>, bind: Bind) {
  const { at, transaction, newest } = point;
  const byTime = `s.updated_at >= ${bind(at)}::timestamptz`;
  if (transaction === null) return byTime;
  return `(${byTime} or s.changed_xid >= ${bind(transaction)}::xid8 and s.changed_xid < ${bind(newest)}::xid8)`;
}

const isTruck = (bind: Bind) =>
  hasNotWords(`(quote_literal(right($1, ${TAG_LENGTH}) || ${bind(NOT_A_TRUCK)}))::tsquery`);

const hasNotWords = (query: string) => `s.dedup_hash not in (select w.dedup_hash from listing_words w
      where w.account_id = $1 and w.words @@ ${query})`;

/** Of the dealer's listings of a VIN with this status: as GET by VIN chooses (by-vin.ts). */
const IS_FRESHEST_OF_VIN = `not exists (select 1 from listings o
      where o.account_id = $1 and o.vin = s.vin and o.dedup_hash <> s.dedup_hash and o.version > 0
        and o.status = s.status and o.dealer = s.dealer
        and exists (select 1 from listings l where l.account_id = $1 and l.dedup_hash = s.dedup_hash
          and (o.observed_at > l.observed_at or o.observed_at = l.observed_at and o.dedup_hash < l.dedup_hash)))`;

type Near = NonNullable<SearchFilters['near']>;

/** Great-circle distance in miles by the haversine formula. */
export function distanceTo(near: Near, bind: Bind): string {
  const [lat, lon] = [`${bind(near.latitude)}::float8`, `${bind(near.longitude)}::float8`];
  return `(${2 * EARTH_RADIUS_MILES} * asin(least(1, sqrt(power(sin(radians(s.latitude - ${lat}) / 2), 2)
    + cos(radians(${lat})) * cos(radians(s.latitude)) * power(sin(radians(s.longitude - ${lon}) / 2), 2)))))`;
}

/** The latitude tells most of what is too far away, and costs less than the distance. */
function isNear(near: Near, bind: Bind) {
  const degrees = (near.miles / EARTH_RADIUS_MILES) * (180 / Math.PI) + 1e-6;
  return [
    `abs(s.latitude - ${bind(near.latitude)}::float8) <= ${bind(degrees)}::float8`,
    `${distanceTo(near, bind)} <= ${bind(near.miles)}::float8`,
  ];
}

/** The words of a listing as its index has them: each behind the end of the account's id. SQL expressions. */
export const wordVector = (accountId: string, words: string): string =>
  `array_to_tsvector(array(select right(${accountId}, ${TAG_LENGTH}) || word from unnest(string_to_array(${words}, ' ')) word))`;

/**
 * The rows that have the words: by the index of words, or of each row by itself, for rows that are read in another order
 * anyway.
 */
export function hasWords(
  how: 'by index' | 'by row',
  accountId: string,
  { words }: SearchFilters,
  bind: Bind,
) {
  if (!words) return [];
  const query = `${bind(toTsquery(accountId, words))}::tsquery`;
  return how === 'by index'
    ? [
        `s.dedup_hash in (select w.dedup_hash from listing_words w
      where w.account_id = $1 and w.words @@ ${query})`,
      ]
    : [
        `(select w.words @@ ${query} from listing_words w
      where w.account_id = $1 and w.dedup_hash = s.dedup_hash)`,
      ];
}

/** As text: terms joined by and, their alternatives by or. */
function toTsquery(accountId: string, terms: readonly Term[]) {
  const tag = accountId.slice(-TAG_LENGTH);
  const toLexeme = ({ text, prefix }: SearchWord) => `'${tag}${text.toLowerCase()}'${prefix ? ':*' : ''}`;
  return terms
    .map((term) => `(${term.map((words) => `(${words.map(toLexeme).join(' & ')})`).join(' | ')})`)
    .join(' & ');
}
