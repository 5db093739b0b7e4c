import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { LISTING_STATUSES } from '../../lib/truck/fields.ts';
import { bytea, now, quoteList, time } from './columns.ts';

export const listings = pgTable(
  'listings',
  {
    account_id: text().notNull(),
    /** SHA-256 of VIN + source_provider_id (contract section 1). */
    dedup_hash: bytea().notNull(),
    vin: text().notNull(),
    source_provider_id: text().notNull(),
    status: text({ enum: LISTING_STATUSES }).notNull(),
    /** Counts writes; guards against lost updates. 0 is a place held by a transaction that has not written yet. */
    version: integer().notNull(),
    /** Hash of the normalised input and the rules version; null after any other writer. */
    input_hash: bytea(),
    /** The wire document without what other writers change; json, not jsonb, because its text is passed through. */
    doc: json().notNull(),
    /** Of the record table that `doc` was made by (lib/inventory/queries/record-version.ts). */
    record_version: text().notNull().default(''),
    /** Image URLs in order; what became of them is in `image_sources`. */
    images: json().$type<string[]>().notNull().default([]),
    price: integer(),
    dealer: text(),
    quality: json().notNull(),
    observed_at: time().notNull(),
    /** The feed that wrote what stands here; null: the API. When that feed loses the truck, another that has it takes over. */
    feed_id: text(),
    /** That feed does not have it any more: any sighting replaces what is stored, however old the sighting is. */
    outdated: boolean().notNull().default(false),
    first_seen_at: time().notNull(),
    updated_at: time().notNull(),
    sold_at: time(),
    delisted_at: time(),
  },
  (t) => [
    primaryKey({ name: 'listings_pkey', columns: [t.account_id, t.dedup_hash] }),
    index('listings_vin').on(t.account_id, t.vin),
    // Housekeeping looks for documents of older versions, in all accounts.
    index('listings_record_version').on(t.record_version),
    check('listings_status', sql`${t.status} in (${quoteList(LISTING_STATUSES)})`),
  ],
);

export const EVENT_KINDS = ['created', 'changed', 'sold', 'delisted', 'vanished', 'relisted'] as const;

/** Append-only history of a listing. */
export const listingEvents = pgTable(
  'listing_events',
  {
    account_id: text().notNull(),
    dedup_hash: bytea().notNull(),
    /** The listing's version that this event made. */
    version: integer().notNull(),
    kind: text({ enum: EVENT_KINDS }).notNull(),
    at: time().notNull(),
    old_price: integer(),
    new_price: integer(),
    /** The run of a feed that made the change; null: the API. */
    run_no: bigint({ mode: 'number' }),
  },
  (t) => [
    index('listing_events_run').on(t.account_id, t.run_no, t.dedup_hash).where(sql`${t.run_no} is not null`),
    primaryKey({ name: 'listing_events_pkey', columns: [t.account_id, t.dedup_hash, t.version, t.kind] }),
    check('listing_events_kind', sql`${t.kind} in (${quoteList(EVENT_KINDS)})`),
  ],
);

/** Records that are not listed now, and why: one row per truck and source. */
export const issues = pgTable(
  'issues',
  {
    account_id: text().notNull(),
    /** `api`, `upload`, or the id of a feed. */
    source: text().notNull(),
    /** Which truck: its dedup hash, or a hash of what a record without a whole VIN says. */
    subject: bytea().notNull(),
    /** Of a feed: the run that rejected it last. */
    run_no: bigint({ mode: 'number' }),
    /** Normalised, of any length. */
    vin: text(),
    stock_number: text(),
    /** The VIN has 17 characters. */
    has_whole_vin: boolean().notNull(),
    /** As the record names it. */
    dealer: text(),
    code: text().notNull(),
    field: text(),
    received: json(),
    fix: text().notNull(),
    times: integer().notNull().default(1),
    first_seen_at: time().notNull().default(now),
    last_seen_at: time().notNull().default(now),
    /** When a person said that it is not to be listed; null again once the record is rejected for something else. */
    left_out_at: time(),
  },
  (t) => [
    primaryKey({ name: 'issues_pkey', columns: [t.account_id, t.source, t.subject] }),
    index('issues_stock').on(t.account_id, t.stock_number).where(sql`not ${t.has_whole_vin}`),
    index('issues_vin').on(t.account_id, t.vin),
    index('issues_last_seen').on(t.last_seen_at),
    index('issues_by_last_seen').on(t.account_id, t.last_seen_at.desc().nullsFirst(), t.source, t.subject),
  ],
);
