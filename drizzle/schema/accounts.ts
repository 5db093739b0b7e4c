import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { KEY_KINDS, type Scope, TIERS } from '../../lib/accounts/access.ts';
import { now, quoteList, time } from './columns.ts';

export const accounts = pgTable(
  'accounts',
  {
    id: text().notNull(),
    name: text().notNull(),
    tier: text({ enum: TIERS }).notNull(),
    limit_multiplier: integer().notNull().default(1),
    min_feed_cadence_minutes: integer().notNull().default(60),
    suspended: boolean().notNull().default(false),
    /** False: what it lists is nobody's market data. */
    in_market: boolean().notNull().default(true),
    /** For trying things out: keys begin ctis_sk_test_, never in the market, no mail. */
    test: boolean().notNull().default(false),
    /** Of releases before the table `jobs`. */
    feeds_served_at: time(),
    /** The operator suspends it, whether or not its owners also had it erased. */
    operator_suspended: boolean().notNull().default(false),
    /** An owner asked for its erasure, which begins then; until then it is suspended, and any owner undoes it. */
    erase_at: time(),
    /** When its erasure began: it is suspended for good, and its rows and objects are removed in slices. */
    erasing_at: time(),
    created_at: time().notNull().default(now),
    updated_at: time().notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'accounts_pkey', columns: [t.id] }),
    check('accounts_tier', sql`${t.tier} in (${quoteList(TIERS)})`),
    check('accounts_multiplier', sql`${t.limit_multiplier} between 1 and 100`),
    // Every market answer asks who does not count.
    index('accounts_out_of_market').on(t.id).where(sql`${t.suspended} or not ${t.in_market}`),
  ],
);

/** A row an account, which stands beside all its others where a cluster spreads them. */
export const ownHomes = pgTable('own_homes', { account_id: text().notNull() }, (t) => [
  primaryKey({ name: 'own_homes_pkey', columns: [t.account_id] }),
  foreignKey({
    name: 'own_homes_account_id_fkey',
    columns: [t.account_id],
    foreignColumns: [accounts.id],
  }).onDelete('cascade'),
]);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().notNull(),
    account_id: text().notNull(),
    kind: text({ enum: KEY_KINDS }).notNull(),
    prefix: text().notNull(),
    /** SHA-256 of the key in hex; a secret key itself is never stored. */
    hash: text().notNull(),
    /** A publishable key itself, which stands in public pages anyway. */
    widget_key: text(),
    allowed_origins: jsonb().$type<string[]>().notNull(),
    name: text(),
    /** Null: all. */
    scopes: jsonb().$type<Scope[]>(),
    /** The only dealer that the key reaches; null: all. */
    dealer: text(),
    expires_at: time(),
    created_at: time().notNull().default(now),
    /** The person who made it, or `operator`. */
    created_by: text().notNull().default('operator'),
    last_used_at: time(),
    /** The page's origin of its last use, of publishable keys. */
    last_origin: text(),
    revoked_at: time(),
  },
  (t) => [
    primaryKey({ name: 'api_keys_pkey', columns: [t.id] }),
    unique('api_keys_hash').on(t.hash),
    index('api_keys_account').on(t.account_id, t.created_at),
    index('api_keys_origins').using('gin', t.allowed_origins).where(sql`${t.revoked_at} is null`),
    foreignKey({ name: 'api_keys_account_fk', columns: [t.account_id], foreignColumns: [accounts.id] }),
    check('api_keys_kind', sql`${t.kind} in (${quoteList(KEY_KINDS)})`),
    check('api_keys_widget_key', sql`${t.widget_key} is null or ${t.kind} = 'publishable'`),
  ],
);

/** Calls of a key by day (UTC), added up in each process and written from time to time. */
export const keyUsage = pgTable(
  'key_usage',
  {
    account_id: text().notNull(),
    key_id: text().notNull(),
    day: date().notNull(),
    requests: integer().notNull(),
  },
  (t) => [primaryKey({ name: 'key_usage_pkey', columns: [t.account_id, t.day, t.key_id] })],
);

export const audit = pgTable(
  'audit',
  {
    id: integer().generatedAlwaysAsIdentity({ name: 'audit_id_seq' }).notNull(),
    at: time().notNull().default(now),
    action: text().notNull(),
    target: text().notNull(),
    request_id: text().notNull(),
    detail: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Whose activity it is part of; null: nobody's but the operator's. */
    account_id: text(),
    /** The person, the key, or `operator`. */
    actor: text().notNull().default('operator'),
  },
  (t) => [
    primaryKey({ name: 'audit_pkey', columns: [t.id] }),
    index('audit_target').on(t.target, t.at),
    index('audit_account').on(t.account_id, t.id),
  ],
);

/** Answers kept for 24 hours under a caller's Idempotency-Key. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    account_id: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    status: integer(),
    body: text(),
    created_at: time().notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'idempotency_keys_pkey', columns: [t.account_id, t.key] }),
    index('idempotency_keys_created').on(t.created_at),
  ],
);
