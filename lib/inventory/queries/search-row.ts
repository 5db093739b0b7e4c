import { MAX_LEVEL } from '../../market/figures/market-sample.ts';
import type { Enriched } from '../../truck/listing/listing-change.ts';
import { entryFor, SEARCHED_FIELDS, searchColumnFor } from '../../truck/record/record.ts';
import { readCabKind } from '../../truck/vocabulary/body.ts';

/** What stands in `listing_search` of a listing, beside identity, status and time. */

const FIELD_COLUMNS = SEARCHED_FIELDS.map((name) => ({
  name,
  column: searchColumnFor(name),
  type: entryFor(name).kind === 'integer' ? 'int' : 'text',
}));
const TYPES: readonly (readonly [column: string, type: string])[] = [
  ...FIELD_COLUMNS.map(({ column, type }) => [column, type] as const),
  ['dealer', 'text'],
  ['state', 'text'],
  ['latitude', 'float8'],
  ['longitude', 'float8'],
  ['quality', 'int'],
  ['has_images', 'boolean'],
  ['cab_kind', 'text'],
];

/** Each bound has one more leading zero than the next: how many of them a hash has passed says where it begins. */
const BOUNDS = Array.from(
  { length: MAX_LEVEL },
  (_, bit) => `'\\x${(1 << bit).toString(16).padStart(4, '0')}'`,
);
/**
 * By a secret that no seller knows: who could find VINs of a high level would choose what stands for the market. Read by
 * itself, since a cluster sends what is joined with a table of all workers to all of them.
 */
const MARKET_SECRET = `market_secret as materialized (select value from secrets where name = 'market_level')`;
const MARKET_LEVEL = `case when in_market then ${MAX_LEVEL} - width_bucket(
  sha256((select value from market_secret) || convert_to(vin, 'UTF8')), array[${BOUNDS.join(', ')}]::bytea[]) end`;

const columns = [...TYPES.map(([column]) => column), 'market_level'];
/**
 * Columns, what they are made of where `vin` is known and `secret` a common table expression, the last of these by itself,
 * definitions of that, and assignments.
 */
export const SEARCH_ROW = {
  columns: columns.join(', '),
  secret: MARKET_SECRET,
  level: MARKET_LEVEL,
  values: [...TYPES.map(([column]) => column), MARKET_LEVEL].join(', '),
  definitions: [...TYPES, ['in_market', 'boolean']].map(([column, type]) => `${column} ${type}`).join(', '),
  assignments: columns.map((column) => `${column} = excluded.${column}`).join(', '),
};

/** Assignments of an update of `listing_search` that pollers are to see. */
export const CHANGED_NOW = 'updated_at = now(), changed_xid = pg_current_xact_id()';
/** The same where an insert met a row: a cluster takes no functions there, but the values of the insert. */
export const CHANGED_BY_INSERT = 'updated_at = excluded.updated_at, changed_xid = excluded.changed_xid';

export function toSearchRow({
  doc,
  liveImages,
  isInMarket,
}: Pick<Enriched, 'doc' | 'liveImages' | 'isInMarket'>) {
  return {
    ...Object.fromEntries(FIELD_COLUMNS.map(({ name, column }) => [column, doc[name]])),
    dealer: doc.dealer,
    state: doc.location?.state ?? null,
    latitude: doc.location?.latitude ?? null,
    longitude: doc.location?.longitude ?? null,
    quality: doc.quality.score,
    has_images: liveImages > 0,
    cab_kind: readCabKind(doc.body_type, doc.cab),
    in_market: isInMarket,
  };
}
