import { entryFor, SEARCHED_FIELDS, searchColumn } from '../../../contract/record/record.ts';
import type { Enriched } from '../../../domain/listing/listing-change.ts';
import { marketLevel } from '../../../domain/market/market-sample.ts';
import { cabKind } from '../../../domain/vocabulary/body.ts';

/** What stands in `listing_search` of a listing, beside identity, status and time. */

const FIELD_COLUMNS = SEARCHED_FIELDS.map((name) => ({
  name,
  column: searchColumn(name),
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
  ['market_level', 'int'],
];

const columns = TYPES.map(([column]) => column);
/** Select list, column definitions and assignments of the columns. */
export const SEARCH_ROW = {
  columns: columns.join(', '),
  definitions: TYPES.map(([column, type]) => `${column} ${type}`).join(', '),
  assignments: columns.map((column) => `${column} = excluded.${column}`).join(', '),
};

/** Assignments of an update of `listing_search` that pollers are to see. */
export const CHANGED_NOW = 'updated_at = now(), changed_xid = pg_current_xact_id()';
/** The same where an insert met a row: a distributed table takes no functions there, but the values of the insert. */
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
    cab_kind: cabKind(doc.body_type, doc.cab),
    market_level: isInMarket ? marketLevel(doc.vin) : null,
  };
}
