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
    id: text('id').notNull(),
    name: text('name').notNull(),
    tier: text('tier', { enum: TIERS }).notNull(),
    limitMultiplier: integer('limit_multiplier').notNull().default(1),
    minFeedCadenceMinutes: integer('min_feed_cadence_minutes').notNull().default(60),
    suspended: boolean('suspended').notNull().default(false),
    /** False: what it lists is nobody's market data. */
    inMarket: boolean('in_market').notNull().default(true),
    /** For trying things out: keys begin ctis_sk_test_, never in the market, no mail. */
    test: boolean('test').notNull().default(false),
    /** Of releases before the table `jobs`. */
    feedsServedAt: time('feeds_served_at'),
    /** The operator suspends it, whether or not its owners also had it erased. */
    operatorSuspended: boolean('operator_suspended').notNull().default(false),
    /** An owner asked for its erasure, which begins then; until then it is suspended, and any owner undoes it. */
    eraseAt: time('erase_at'),
    /** When its erasure began: it is suspended for good, and its rows and objects are removed in slices. */
    erasingAt: time('erasing_at'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'accounts_pkey', columns: [t.id] }),
    check('accounts_tier', sql`${t.tier} in (${quoteList(TIERS)})`),
    check('accounts_multiplier', sql`${t.limitMultiplier} between 1 and 100`),
    // Every market answer asks who does not count.
    index('accounts_out_of_market').on(t.id).where(sql`${t.suspended} or not ${t.inMarket}`),
  ],
);

/** A row an account, which stands beside all its others where a cluster spreads them. */
export const ownHomes = pgTable('own_homes', { accountId: text('account_id').notNull() }, (t) => [
  primaryKey({ name: 'own_homes_pkey', columns: [t.accountId] }),
  foreignKey({
    name: 'own_homes_account_id_fkey',
    columns: [t.accountId],
    foreignColumns: [accounts.id],
  }).onDelete('cascade'),
]);

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
    name: text('name'),
    /** Null: all. */
    scopes: jsonb('scopes').$type<Scope[]>(),
    /** The only dealer that the key reaches; null: all. */
    dealer: text('dealer'),
    expiresAt: time('expires_at'),
    createdAt: time('created_at').notNull().default(now),
    /** The person who made it, or `operator`. */
    createdBy: text('created_by').notNull().default('operator'),
    lastUsedAt: time('last_used_at'),
    /** The page's origin of its last use, of publishable keys. */
    lastOrigin: text('last_origin'),
    revokedAt: time('revoked_at'),
  },
  (t) => [
    primaryKey({ name: 'api_keys_pkey', columns: [t.id] }),
    unique('api_keys_hash').on(t.hash),
    index('api_keys_account').on(t.accountId, t.createdAt),
    index('api_keys_origins').using('gin', t.allowedOrigins).where(sql`${t.revokedAt} is null`),
    foreignKey({ name: 'api_keys_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
    check('api_keys_kind', sql`${t.kind} in (${quoteList(KEY_KINDS)})`),
  ],
);

/** Calls of a key by day (UTC), added up in each process and written from time to time. */
export const keyUsage = pgTable(
  'key_usage',
  {
    accountId: text('account_id').notNull(),
    keyId: text('key_id').notNull(),
    day: date('day').notNull(),
    requests: integer('requests').notNull(),
  },
  (t) => [primaryKey({ name: 'key_usage_pkey', columns: [t.accountId, t.day, t.keyId] })],
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
    /** Whose activity it is part of; null: nobody's but the operator's. */
    accountId: text('account_id'),
    /** The person, the key, or `operator`. */
    actor: text('actor').notNull().default('operator'),
  },
  (t) => [
    primaryKey({ name: 'audit_pkey', columns: [t.id] }),
    index('audit_target').on(t.target, t.at),
    index('audit_account').on(t.accountId, t.id),
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
