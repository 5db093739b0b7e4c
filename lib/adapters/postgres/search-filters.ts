import type { Range, SearchFilters } from '../../ports.ts';

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

const RANGES = { years: 'model_year', price: 'price', mileage: 'mileage', quality: 'quality' } as const;

const EARTH_RADIUS_MILES = 3_958.76;
/** More cells than this are no shorter way than a look at the coordinates. */
const MAX_CELLS = 120;

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
  for (const [name, column] of Object.entries(LISTS) as [keyof typeof LISTS, string][]) {
    const values = filters[name];
    if (values !== null) add(column, oneOf(`s.${column}`, values, 'text', bind));
  }
  if (filters.year !== null) add('model_year', oneOf('s.model_year', filters.year, 'int', bind));
  for (const [name, column] of Object.entries(RANGES) as [keyof typeof RANGES, string][])
    add(column, ...within(`s.${column}`, filters[name], bind));
  if (filters.has_images !== null) add('has_images', `s.has_images = ${bind(filters.has_images)}::boolean`);
  if (filters.updated_since !== null)
    add('updated_at', `s.updated_at >= ${bind(filters.updated_since)}::timestamptz`);
  if (filters.near !== null) add('latitude', ...around(filters.near, bind));
  return conditions;
}

/** One value is compared, so that an index can also give the order of what comes after it. */
function oneOf(column: string, values: readonly unknown[], type: string, bind: Bind): string {
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
  const angle = near.miles / EARTH_RADIUS_MILES;
  const [south, north] = [near.latitude - degrees(angle), near.latitude + degrees(angle)];
  const width = Math.sin(angle) / Math.cos(radians(near.latitude));
  const reach = north >= 90 || south <= -90 || width >= 1 ? 360 : degrees(Math.asin(width));
  const [west, east] = [near.longitude - reach, near.longitude + reach];
  const conditions = [
    `s.latitude between ${bind(south - 1e-6)}::float8 and ${bind(north + 1e-6)}::float8`,
    `${distanceTo(near, bind)} <= ${bind(near.miles)}::float8`,
  ];
  if (west >= -180 && east <= 180) {
    conditions.push(`s.longitude between ${bind(west - 1e-6)}::float8 and ${bind(east + 1e-6)}::float8`);
    const cells = cellsOf(south - 1e-6, north + 1e-6, west - 1e-6, east + 1e-6);
    if (cells !== null)
      conditions.push(`(floor(s.latitude) * 360 + floor(s.longitude))::int = any(${bind(cells)}::int[])`);
  }
  return conditions;
}

function cellsOf(south: number, north: number, west: number, east: number): number[] | null {
  const [bottom, top, left, right] = [south, north, west, east].map(Math.floor) as [
    number,
    number,
    number,
    number,
  ];
  if ((top - bottom + 1) * (right - left + 1) > MAX_CELLS) return null;
  const cells: number[] = [];
  for (let row = bottom; row <= top; row++)
    for (let column = left; column <= right; column++) cells.push(row * 360 + column);
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
