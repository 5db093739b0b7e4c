import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea } from './columns.ts';

/** What the service drew for itself once and tells nobody; a migration makes each. */
export const secrets = pgTable(
  'secrets',
  {
    name: text('name').notNull(),
    value: bytea('value').notNull(),
  },
  (t) => [primaryKey({ name: 'secrets_pkey', columns: [t.name] })],
);
