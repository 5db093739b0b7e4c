import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';
import { MARKET_MODEL } from '../../lib/market/figures/market-sample.ts';
import { LISTING_STATUSES } from '../../lib/truck/fields.ts';
import {
  entryFor,
  SEARCHED_FIELDS,
  type SearchedColumn,
  searchColumnFor,
} from '../../lib/truck/record/record.ts';
import { bytea, time, tsvector, xid8 } from './columns.ts';

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

const camelCase = (column: string) =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The columns of the fields that the record table calls searchable. */
function searchedColumns() {
  const columns = SEARCHED_FIELDS.map((name) => {
    const { kind, required } = entryFor(name);
    const column = searchColumnFor(name);
    const built = kind === 'integer' ? integer(column) : text(column);
    return [camelCase(column), required ? built.notNull() : built];
  });
  return Object.fromEntries(columns) as Record<CamelCase<SearchedColumn>, ReturnType<typeof text>>;
}

/** One narrow row per listing, for search and for market data; derived, always equal to a recount. */
export const listingSearch = pgTable(
  'listing_search',
  {
    account_id: text().notNull(),
    dedup_hash: bytea().notNull(),
    vin: text().notNull(),
    status: text({ enum: LISTING_STATUSES }).notNull(),
    ...searchedColumns(),
    dealer: text(),
    state: text(),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    quality: integer().notNull(),
    has_images: boolean().notNull(),
    /** `sleeper`, `crew` and the like. */
    cab_kind: text(),
    /** Which samples of the market have it (lib/market/figures/market-sample.ts); null: none. */
    market_level: integer(),
    updated_at: time().notNull(),
    /** The transaction of the last change: unlike times, those that may still commit are known. */
    changed_xid: xid8().notNull().default(sql`pg_current_xact_id()`),
  },
  // Every index begins with the account, so that no search reads another's rows; the market's alone crosses accounts.
  (t) => [
    primaryKey({ name: 'listing_search_pkey', columns: [t.account_id, t.dedup_hash] }),
    index('listing_search_newest').on(t.account_id, t.updated_at, t.dedup_hash),
    index('listing_search_changed').on(t.account_id, t.changed_xid),
    index('listing_search_make').on(t.account_id, t.make, t.model),
    // With the status, so that what an account has stored is counted without the table.
    index('listing_search_dealer').on(t.account_id, t.dealer, t.status),
    // Complete for market data: only statements that name a level can use it, and those of a search never do.
    index('listing_search_market')
      .on(
        t.status,
        t.market_level,
        t.make,
        sql.raw(`(${MARKET_MODEL})`),
        t.modelYear,
        t.truckClass,
        t.bodyType,
        t.cab_kind,
        t.state,
        t.condition,
        t.fuelType,
        t.price,
        t.mileage,
        t.account_id,
        t.vin,
        t.updated_at,
        t.dedup_hash,
        t.model,
      )
      .where(sql`${t.market_level} is not null`),
  ],
);

/** The words of a listing; apart from `listing_search`, so that a new price does not touch the text index. */
export const listingWords = pgTable(
  'listing_words',
  {
    account_id: text().notNull(),
    dedup_hash: bytea().notNull(),
    /** The words of the listing, separated by blanks; the vector is made again only when they change. */
    words_source: text().notNull(),
    /** The same words, each with the end of the account's id before it: the index then knows the account. */
    words: tsvector().notNull(),
  },
  (t) => [
    primaryKey({ name: 'listing_words_pkey', columns: [t.account_id, t.dedup_hash] }),
    index('listing_words_words').using('gin', t.account_id, t.words),
  ],
);

/** Nothing reads or writes the two tables below; they stay until no instance of an older version runs any more. */
export const facetCells = pgTable(
  'facet_cells',
  {
    account_id: text().notNull(),
    status: text().notNull(),
    make: text().notNull(),
    model: text().notNull(),
    facet: text().notNull(),
    value: text().notNull(),
    n: integer().notNull(),
  },
  (t) => [
    primaryKey({
      name: 'facet_cells_pkey',
      columns: [t.account_id, t.status, t.model, t.make, t.facet, t.value],
    }),
  ],
);
const facet = (name: string) => text(name).notNull().default('');
export const facetDeltas = pgTable(
  'facet_deltas',
  {
    account_id: text().notNull(),
    id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity({ name: 'facet_deltas_id_seq' }).notNull(),
    n: integer().notNull(),
    year: facet('year'),
    make: facet('make'),
    model: facet('model'),
    truckClass: facet('truck_class'),
    bodyType: facet('body_type'),
    condition: facet('condition'),
    price: facet('price'),
    fuelType: facet('fuel_type'),
    state: facet('state'),
    status: facet('status'),
    dealer: facet('dealer'),
  },
  (t) => [primaryKey({ name: 'facet_deltas_pkey', columns: [t.account_id, t.id] })],
);
