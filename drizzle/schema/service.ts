import { bigint, date, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, time } from './columns.ts';

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
