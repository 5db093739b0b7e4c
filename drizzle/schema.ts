import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  customType,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core';
import { LISTING_STATUSES } from '../lib/contract/fields.ts';
import { KEY_KINDS, TIERS } from '../lib/ports.ts';

/**
 * The one schema. Tenant tables (`TENANT_TABLES`) lead every primary, unique and foreign key with account_id, ready
 * for hash partitions; the identity tables before them say who an account is. The hot tenant tables carry no
 * foreign keys: 1,500 look-ups a batch would buy nothing that their single writer does not already guarantee.
 */

const bytea = customType<{ data: string }>({ dataType: () => 'bytea' });
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
const time = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });
const now = sql`now()`;
const oneOf = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '));

// Identity

export const accounts = pgTable(
  'accounts',
  {
    id: text('id').notNull(),
    name: text('name').notNull(),
    tier: text('tier', { enum: TIERS }).notNull(),
    limitMultiplier: integer('limit_multiplier').notNull().default(1),
    minFeedCadenceMinutes: integer('min_feed_cadence_minutes').notNull().default(60),
    suspended: boolean('suspended').notNull().default(false),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'accounts_pkey', columns: [t.id] }),
    check('accounts_tier', sql`${t.tier} in (${oneOf(TIERS)})`),
    check('accounts_multiplier', sql`${t.limitMultiplier} between 1 and 100`),
  ],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').notNull(),
    accountId: text('account_id').notNull(),
    kind: text('kind', { enum: KEY_KINDS }).notNull(),
    prefix: text('prefix').notNull(),
    /** SHA-256 of the key in hex; the key itself is never stored. */
    hash: text('hash').notNull(),
    allowedOrigins: jsonb('allowed_origins').$type<string[]>().notNull(),
    createdAt: time('created_at').notNull().default(now),
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
  },
  (t) => [
    primaryKey({ name: 'api_keys_pkey', columns: [t.id] }),
    unique('api_keys_hash').on(t.hash),
    index('api_keys_account').on(t.accountId, t.createdAt),
    foreignKey({ name: 'api_keys_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
    check('api_keys_kind', sql`${t.kind} in (${oneOf(KEY_KINDS)})`),
  ],
);

/** Dealer slugs are unique across accounts: the first to take one holds it. */
export const dealerSlugs = pgTable(
  'dealer_slugs',
  { slug: text('slug').notNull(), accountId: text('account_id').notNull() },
  (t) => [primaryKey({ name: 'dealer_slugs_pkey', columns: [t.slug] })],
);

export const audit = pgTable(
  'audit',
  {
    id: integer('id').generatedAlwaysAsIdentity({ name: 'audit_id_seq' }).notNull(),
    at: time('at').notNull().default(now),
    action: text('action').notNull(),
    target: text('target').notNull(),
    requestId: text('request_id').notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [primaryKey({ name: 'audit_pkey', columns: [t.id] }), index('audit_target').on(t.target, t.at)],
);

export const leases = pgTable(
  'leases',
  {
    job: text('job').notNull(),
    fence: integer('fence').notNull(),
    expiresAt: time('expires_at').notNull(),
    finishedAt: time('finished_at'),
    result: jsonb('result').$type<Record<string, unknown>>(),
  },
  (t) => [primaryKey({ name: 'leases_pkey', columns: [t.job] })],
);

// Tenant tables

export const dealers = pgTable(
  'dealers',
  {
    accountId: text('account_id').notNull(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    phone: text('phone'),
    email: text('email'),
    website: text('website'),
    address: text('address'),
    city: text('city'),
    state: text('state'),
    zip: text('zip'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'dealers_pkey', columns: [t.accountId, t.slug] }),
    foreignKey({ name: 'dealers_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
  ],
);

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
    price: integer('price'),
    dealer: text('dealer'),
    quality: json('quality').notNull(),
    observedAt: time('observed_at').notNull(),
    firstSeenAt: time('first_seen_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    soldAt: time('sold_at'),
    delistedAt: time('delisted_at'),
  },
  (t) => [
    primaryKey({ name: 'listings_pkey', columns: [t.accountId, t.dedupHash] }),
    index('listings_vin').on(t.accountId, t.vin),
    check('listings_status', sql`${t.status} in (${oneOf(LISTING_STATUSES)})`),
  ],
);

/** One narrow row per listing, for search and for market data; derived, always equal to a recount. */
export const listingSearch = pgTable(
  'listing_search',
  {
    accountId: text('account_id').notNull(),
    dedupHash: bytea('dedup_hash').notNull(),
    vin: text('vin').notNull(),
    status: text('status', { enum: LISTING_STATUSES }).notNull(),
    make: text('make').notNull(),
    model: text('model'),
    modelYear: integer('model_year').notNull(),
    truckClass: text('truck_class'),
    bodyType: text('body_type'),
    condition: text('condition'),
    fuelType: text('fuel_type'),
    price: integer('price'),
    mileage: integer('mileage'),
    dealer: text('dealer'),
    state: text('state'),
    latitude: doublePrecision('latitude'),
    longitude: doublePrecision('longitude'),
    quality: integer('quality').notNull(),
    hasImages: boolean('has_images').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** The text behind `words`; the vector is made again only when it changes. */
    wordsSource: text('words_source').notNull(),
    words: tsvector('words'),
  },
  (t) => [
    primaryKey({ name: 'listing_search_pkey', columns: [t.accountId, t.dedupHash] }),
    index('listing_search_make').on(t.accountId, t.make, t.model).where(sql`${t.status} = 'available'`),
    index('listing_search_words').using('gin', t.words),
  ],
);

export const EVENT_KINDS = ['created', 'changed', 'sold', 'delisted', 'relisted'] as const;

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
  },
  (t) => [
    primaryKey({ name: 'listing_events_pkey', columns: [t.accountId, t.dedupHash, t.version, t.kind] }),
    check('listing_events_kind', sql`${t.kind} in (${oneOf(EVENT_KINDS)})`),
  ],
);

/** Answers kept for 24 hours under a caller's Idempotency-Key. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    accountId: text('account_id').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status'),
    body: text('body'),
    createdAt: time('created_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [t.accountId, t.key] }),
    index('idempotency_keys_created').on(t.createdAt),
  ],
);

/** Tables whose every statement names the account. */
export const TENANT_TABLES = [
  'dealers',
  'listings',
  'listing_search',
  'listing_events',
  'idempotency_keys',
] as const;
