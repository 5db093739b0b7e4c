import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { LISTING_STATUSES } from '../../lib/truck/fields.ts';
import { bytea, now, quoteList, time } from './columns.ts';

export const listings = pgTable(
  'listings',
  {
    accountId: text('account_id').notNull(),
    /** SHA-256 of VIN + source_provider_id (contract section 1). */
    dedupHash: bytea('dedup_hash').notNull(),
    vin: text('vin').notNull(),
    sourceProviderId: text('source_provider_id').notNull(),
    status: text('status', { enum: LISTING_STATUSES }).notNull(),
    /** Counts writes; guards against lost updates. 0 is a place held by a transaction that has not written yet. */
    version: integer('version').notNull(),
    /** Hash of the normalised input and the rules version; null after any other writer. */
    inputHash: bytea('input_hash'),
    /** The wire document without what other writers change; json, not jsonb, because its text is passed through. */
    doc: json('doc').notNull(),
    /** Of the record table that `doc` was made by (lib/inventory/queries/record-version.ts). */
    recordVersion: text('record_version').notNull().default(''),
    /** Image URLs in order; what became of them is in `image_sources`. */
    images: json('images').$type<string[]>().notNull().default([]),
    price: integer('price'),
    dealer: text('dealer'),
    quality: json('quality').notNull(),
    observedAt: time('observed_at').notNull(),
    /** The feed that wrote what stands here; null: the API. When that feed loses the truck, another that has it takes over. */
    feedId: text('feed_id'),
    /** That feed does not have it any more: any sighting replaces what is stored, however old the sighting is. */
    outdated: boolean('outdated').notNull().default(false),
    firstSeenAt: time('first_seen_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    soldAt: time('sold_at'),
    delistedAt: time('delisted_at'),
  },
  (t) => [
    primaryKey({ name: 'listings_pkey', columns: [t.accountId, t.dedupHash] }),
    index('listings_vin').on(t.accountId, t.vin),
    // Housekeeping looks for documents of older versions, in all accounts.
    index('listings_record_version').on(t.recordVersion),
    check('listings_status', sql`${t.status} in (${quoteList(LISTING_STATUSES)})`),
  ],
);

export const EVENT_KINDS = ['created', 'changed', 'sold', 'delisted', 'vanished', 'relisted'] as const;

/** Append-only history of a listing. */
export const listingEvents = pgTable(
  'listing_events',
  {
    accountId: text('account_id').notNull(),
    dedupHash: bytea('dedup_hash').notNull(),
    /** The listing's version that this event made. */
    version: integer('version').notNull(),
    kind: text('kind', { enum: EVENT_KINDS }).notNull(),
    at: time('at').notNull(),
    oldPrice: integer('old_price'),
    newPrice: integer('new_price'),
    /** The run of a feed that made the change; null: the API. */
    runNo: bigint('run_no', { mode: 'number' }),
  },
  (t) => [
    index('listing_events_run').on(t.accountId, t.runNo, t.dedupHash).where(sql`${t.runNo} is not null`),
    primaryKey({ name: 'listing_events_pkey', columns: [t.accountId, t.dedupHash, t.version, t.kind] }),
    check('listing_events_kind', sql`${t.kind} in (${quoteList(EVENT_KINDS)})`),
  ],
);

/** Records that are not listed now, and why: one row per truck and source. */
export const issues = pgTable(
  'issues',
  {
    accountId: text('account_id').notNull(),
    /** `api`, `upload`, or the id of a feed. */
    source: text('source').notNull(),
    /** Which truck: its dedup hash, or a hash of what a record without a whole VIN says. */
    subject: bytea('subject').notNull(),
    /** Of a feed: the run that rejected it last. */
    runNo: bigint('run_no', { mode: 'number' }),
    /** Normalised, of any length. */
    vin: text('vin'),
    stockNumber: text('stock_number'),
    /** The VIN has 17 characters. */
    hasWholeVin: boolean('has_whole_vin').notNull(),
    /** As the record names it. */
    dealer: text('dealer'),
    code: text('code').notNull(),
    field: text('field'),
    received: json('received'),
    fix: text('fix').notNull(),
    times: integer('times').notNull().default(1),
    firstSeenAt: time('first_seen_at').notNull().default(now),
    lastSeenAt: time('last_seen_at').notNull().default(now),
    /** When a person said that it is not to be listed; null again once the record is rejected for something else. */
    leftOutAt: time('left_out_at'),
  },
  (t) => [
    primaryKey({ name: 'issues_pkey', columns: [t.accountId, t.source, t.subject] }),
    index('issues_stock').on(t.accountId, t.stockNumber).where(sql`not ${t.hasWholeVin}`),
    index('issues_vin').on(t.accountId, t.vin),
    index('issues_last_seen').on(t.lastSeenAt),
    index('issues_by_last_seen').on(t.accountId, t.lastSeenAt.desc().nullsFirst(), t.source, t.subject),
  ],
);
