import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

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
