import { bigint, date, index, integer, json, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, now, time } from './columns.ts';

/** The service's own. */

export const leases = pgTable(
  'leases',
  {
    job: text().notNull(),
    fence: integer().notNull(),
    expires_at: time().notNull(),
    finished_at: time(),
    result: jsonb().$type<Record<string, unknown>>(),
  },
  (t) => [primaryKey({ name: 'leases_pkey', columns: [t.job] })],
);

/** Tokens that the AI provider used on a day, UTC, for all accounts. */
export const aiTokens = pgTable(
  'ai_tokens',
  { day: date().notNull(), tokens: bigint({ mode: 'number' }).notNull() },
  (t) => [primaryKey({ name: 'ai_tokens_pkey', columns: [t.day] })],
);

/** What the service drew for itself once and tells nobody; a migration makes each. */
export const secrets = pgTable('secrets', { name: text().notNull(), value: bytea().notNull() }, (t) => [
  primaryKey({ name: 'secrets_pkey', columns: [t.name] }),
]);

/** The one queue: what is to be done for an account, now or later. A row goes when its work is done. */
export const jobs = pgTable(
  'jobs',
  {
    account_id: text().notNull(),
    kind: text().notNull(),
    /** What of the account it is about. */
    key: text().notNull(),
    /** When it may be claimed; it stays while a worker has it. */
    due_at: time().notNull().default(now),
    /** Claims, but for those that were no try. */
    tries: integer().notNull().default(0),
    /** While a worker has it; later than now: nobody else claims it. */
    leased_until: time(),
    /** Counts claims: who holds an older one has lost the job. */
    token: integer().notNull().default(0),
    payload: json().$type<Record<string, unknown>>(),
    created_at: time().notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'jobs_pkey', columns: [t.account_id, t.kind, t.key] }),
    index('jobs_due').on(t.account_id, t.kind, t.due_at),
  ],
);
