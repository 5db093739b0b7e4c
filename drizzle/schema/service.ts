import { bigint, date, index, integer, json, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, now, time } from './columns.ts';

/** The service's own. */

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

/** Tokens that the AI provider used on a day, UTC, for all accounts. */
export const aiTokens = pgTable(
  'ai_tokens',
  { day: date('day').notNull(), tokens: bigint('tokens', { mode: 'number' }).notNull() },
  (t) => [primaryKey({ name: 'ai_tokens_pkey', columns: [t.day] })],
);

/** What the service drew for itself once and tells nobody; a migration makes each. */
export const secrets = pgTable(
  'secrets',
  { name: text('name').notNull(), value: bytea('value').notNull() },
  (t) => [primaryKey({ name: 'secrets_pkey', columns: [t.name] })],
);

/** The one queue: what is to be done for an account, now or later. A row goes when its work is done. */
export const jobs = pgTable(
  'jobs',
  {
    accountId: text('account_id').notNull(),
    kind: text('kind').notNull(),
    /** What of the account it is about. */
    key: text('key').notNull(),
    /** When it may be claimed; it stays while a worker has it. */
    dueAt: time('due_at').notNull().default(now),
    /** Claims, but for those that were no try. */
    tries: integer('tries').notNull().default(0),
    /** While a worker has it; later than now: nobody else claims it. */
    leasedUntil: time('leased_until'),
    /** Counts claims: who holds an older one has lost the job. */
    token: integer('token').notNull().default(0),
    payload: json('payload').$type<Record<string, unknown>>(),
    createdAt: time('created_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'jobs_pkey', columns: [t.accountId, t.kind, t.key] }),
    index('jobs_due').on(t.accountId, t.kind, t.dueAt),
  ],
);
