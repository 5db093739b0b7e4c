import { entryFor, LISTED_NAMES, RANGED_NAMES, searchColumn } from '../../../contract/record/record.ts';
import {
  bitsOf,
  cellAt,
  cellLine,
  LAST_LOT_YEARS,
  LOT_CONDITIONS,
  lotMake,
  lotYears,
  PRICE_STEP,
  TRAITS,
  type TraitName,
  traitCode,
} from '../../../domain/search/search-traits.ts';
import type { Range, SearchFilters } from '../../../ports/search.ts';

/** The parameters of one statement: `bind` answers the placeholder of a value. */
export type Bind = (value: unknown) => string;

const LISTS = {
  make: 'make',
  model: 'model',
  class: 'truck_class',
  body_type: 'body_type',
  condition: 'condition',
  fuel_type: 'fuel_type',
  state: 'state',
  dealer: 'dealer',
} as const;

const keysOf = <Key extends string>(of: Readonly<Record<Key, unknown>>) => Object.keys(of) as Key[];

const EARTH_RADIUS_MILES = 3_958.76;
/** More cells than this are no shorter way than a look at the coordinates. */
const MAX_CELLS = 480;

/** A condition on a row `s` of `listing_search`. */
export interface Condition {
  column: string;
  text: string;
}

/** What a row has to be like, status and words apart. */
export function conditionsOf(filters: SearchFilters, bind: Bind): Condition[] {
  const conditions: Condition[] = [];
  const add = (column: string, ...texts: string[]) =>
    conditions.push(...texts.map((text) => ({ column: `s.${column}`, text })));
  for (const name of LISTED_NAMES) {
    const [values, column] = [filters[name], searchColumn(name)];
    const type = entryFor(name).kind === 'integer' ? 'int' : 'text';
    if (values !== null && name !== 'status') add(column, oneOf(`s.${column}`, values, type, bind));
  }
  for (const name of [...RANGED_NAMES, 'quality'] as const) {
    const column = name === 'quality' ? name : searchColumn(name);
    add(column, ...within(`s.${column}`, filters[`${name}_range`], bind));
  }
  if (filters.has_images !== null) add('has_images', `s.has_images = ${bind(filters.has_images)}::boolean`);
  if (filters.updated_since !== null)
    add('updated_at', `s.updated_at >= ${bind(filters.updated_since)}::timestamptz`);
  if (filters.near !== null) add('latitude', ...around(filters.near, bind));
  return conditions;
}

/**
 * What traits and cell of a row say to the same filters (lib/domain/search/search-traits.ts): false only for rows that cannot
 * match. Nothing of the column `key`, which is judged by itself; what most rows fail comes first.
 */
export function traitConditionsOf(filters: SearchFilters, key: string, bind: Bind): string[] {
  const texts: string[] = [];
  const one: { mask: bigint; values: string[] } = { mask: 0n, values: [] };
  const among = (name: TraitName, values: readonly unknown[] | null, type: string) => {
    if (values === null) return;
    const { shift, most } = bitsOf(name);
    const codes = values.map((value) => traitCode(name, `${bind(value)}::${type}`));
    if (codes.length === 1) {
      one.mask |= BigInt(most) << BigInt(shift);
      one.values.push(`(${codes[0]}::bigint << ${shift})`);
    } else texts.push(`(s.traits >> ${shift} & ${most})::int = any(array[${codes.join(', ')}]::int[])`);
  };
  const { make, ...others } = LISTS;
  for (const name of keysOf(others)) among(name, filters[name], 'text');
  among('year', filters.year, 'int');
  if (filters.has_images !== null) among('has_images', [filters.has_images], 'boolean');
  for (const [name, range] of [
    ['year', filters.year_range],
    ['price', filters.price_range],
    ['mileage', filters.mileage_range],
    ['quality', filters.quality_range],
  ] as const) {
    const { shift, most } = bitsOf(name);
    if (`s.${TRAITS[name].column}` !== key)
      texts.push(...traitRange(name, range, `(s.traits >> ${shift} & ${most})`, bind));
  }
  if (filters.make !== null) {
    const makes = filters.make.map((value) => lotMake(bind(value)));
    texts.unshift(`s.lot >> 8 = ${makes.length === 1 ? makes[0] : `any(array[${makes.join(', ')}])`}`);
  }
  if (one.values.length > 0) texts.unshift(`s.traits & ${one.mask} = (${one.values.join(' | ')})`);
  const cells = filters.near === null ? null : boxOf(filters.near).cells;
  if (cells !== null) texts.push(`s.cell = any(${bind(cells)}::int[])`);
  return texts;
}

/** That a trait's number, without its last `dropped` bits, may be of a value within a range. */
export function traitRange(
  name: TraitName,
  range: Range | null,
  code: string,
  bind: Bind,
  dropped = 0,
): string[] {
  if (range === null) return [];
  const { min, max } = range;
  const end = (value: number) => `${traitCode(name, `${bind(value)}::int`)} >> ${dropped}`;
  return [
    // 0 is no value.
    ...(min !== null || dropped === 0 ? [`${code} >= ${min === null ? 1 : end(min)}`] : []),
    ...(max === null ? [] : [`${code} <= ${end(max)}`]),
  ];
}

/** The years and conditions of the lots that can hold a match, as `lotYears` and LOT_CONDITIONS number them. */
export function lotsOf({ year_range: years, year, condition }: SearchFilters) {
  const known = (...ends: (number | null | undefined)[]) => ends.flatMap((end) => (end == null ? [] : [end]));
  const lows = known(years?.min, year && Math.min(...year));
  const highs = known(years?.max, year && Math.max(...year));
  const named: readonly string[] = LOT_CONDITIONS;
  const numbers = condition?.map((name) => named.indexOf(name));
  return {
    first: lows.length === 0 ? 0 : lotYears(Math.max(...lows)),
    last: highs.length === 0 ? LAST_LOT_YEARS : lotYears(Math.min(...highs)),
    conditions: numbers?.map((at) => (at < 0 ? 3 : at)) ?? [0, 1, 2, 3],
  };
}

/** The price as the indexes step it: says no more than the price itself, in their words. */
export function priceSteps({ price_range: price }: SearchFilters, bind: Bind): string[] {
  if (price === null) return [];
  const step = `s.price / ${PRICE_STEP}`;
  return [
    ...(price.min === null ? [] : [`${step} >= ${bind(price.min)}::int / ${PRICE_STEP}`]),
    ...(price.max === null ? [] : [`${step} <= ${bind(price.max)}::int / ${PRICE_STEP}`]),
  ];
}

/** One value is compared, so that an index can also give the order of what comes after it. */
export function oneOf(column: string, values: readonly unknown[], type: string, bind: Bind): string {
  return values.length === 1
    ? `${column} = ${bind(values[0])}::${type}`
    : `${column} = any(${bind(values)}::${type}[])`;
}

function within(column: string, range: Range | null, bind: Bind): string[] {
  if (range === null) return [];
  const { min, max } = range;
  return [
    ...(min === null ? [] : [`${column} >= ${bind(min)}::int`]),
    ...(max === null ? [] : [`${column} <= ${bind(max)}::int`]),
  ];
}

type Near = NonNullable<SearchFilters['near']>;

/** Great-circle distance in miles by the haversine formula. */
export function distanceTo(near: Near, bind: Bind): string {
  const [lat, lon] = [`${bind(near.latitude)}::float8`, `${bind(near.longitude)}::float8`];
  return `(${2 * EARTH_RADIUS_MILES} * asin(least(1, sqrt(power(sin(radians(s.latitude - ${lat}) / 2), 2)
    + cos(radians(${lat})) * cos(radians(s.latitude)) * power(sin(radians(s.longitude - ${lon}) / 2), 2)))))`;
}

/** The box that holds the circle first, by its cells where they are few: that is what an index can answer. */
function around(near: Near, bind: Bind): string[] {
  const { south, north, west, east, cells } = boxOf(near);
  return [
    `s.latitude between ${bind(south)}::float8 and ${bind(north)}::float8`,
    `${distanceTo(near, bind)} <= ${bind(near.miles)}::float8`,
    ...(west < -180 || east > 180
      ? []
      : [`s.longitude between ${bind(west)}::float8 and ${bind(east)}::float8`]),
    ...(cells === null ? [] : [`s.cell = any(${bind(cells)}::int[])`]),
  ];
}

/** The box in degrees that holds a circle; its cells, null when they are many or the box goes around the globe. */
function boxOf(near: Near) {
  const angle = near.miles / EARTH_RADIUS_MILES;
  const [south, north] = [near.latitude - degrees(angle), near.latitude + degrees(angle)];
  const width = Math.sin(angle) / Math.cos(radians(near.latitude));
  const reach = north >= 90 || south <= -90 || width >= 1 ? 360 : degrees(Math.asin(width));
  const box = {
    ...{ south: south - 1e-6, north: north + 1e-6 },
    ...{ west: near.longitude - reach - 1e-6, east: near.longitude + reach + 1e-6 },
  };
  const round = box.west < -180 || box.east > 180;
  return { ...box, cells: round ? null : cellsOf(box.south, box.north, box.west, box.east) };
}

function cellsOf(south: number, north: number, west: number, east: number): number[] | null {
  const [bottom, top, left, right] = [south, north, west, east].map(cellLine) as [
    number,
    number,
    number,
    number,
  ];
  if ((top - bottom + 1) * (right - left + 1) > MAX_CELLS) return null;
  const cells: number[] = [];
  for (let row = bottom; row <= top; row++)
    for (let column = left; column <= right; column++) cells.push(cellAt(row, column));
  return cells;
}

const degrees = (angle: number) => (angle * 180) / Math.PI;
const radians = (angle: number) => (angle * Math.PI) / 180;

/** The words as Postgres' tsquery text: terms joined by and, their alternatives by or. */
export function tsqueryOf(terms: NonNullable<SearchFilters['words']>): string {
  return terms
    .map((term) => `(${term.map((words) => `(${words.map(lexeme).join(' & ')})`).join(' | ')})`)
    .join(' & ');
}

/** Quoted, so that the text parser splits it as it split the listing's words; quotes themselves never get here. */
const lexeme = ({ text, prefix }: { text: string; prefix: boolean }) =>
  `'${text.replace(/['\\\u0000]/g, ' ')}'${prefix ? ':*' : ''}`;
