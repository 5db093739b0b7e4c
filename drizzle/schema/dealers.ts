import { foreignKey, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Hours } from '../../lib/accounts/dealers/hours.ts';
import type { WebhookCheck } from '../../lib/accounts/dealers/schemas.ts';
import { LEAD_EMAIL_FORMATS } from '../../lib/leads/statuses.ts';
import { accounts } from './accounts.ts';
import { now, time } from './columns.ts';

export const dealers = pgTable(
  'dealers',
  {
    account_id: text().notNull(),
    slug: text().notNull(),
    name: text().notNull(),
    phone: text(),
    email: text(),
    website: text(),
    address: text(),
    city: text(),
    state: text(),
    zip: text(),
    sms: text(),
    hours: jsonb().$type<Hours>(),
    /** IANA name, of `hours`. */
    time_zone: text(),
    reply_minutes: integer(),
    lead_email: text(),
    /** Null is both. */
    lead_email_format: text({ enum: LEAD_EMAIL_FORMATS }),
    lead_webhook_url: text(),
    /** `whsec_…`, which signs what goes to that URL. */
    lead_webhook_secret: text(),
    /** The secret before that one, which signs beside it until then. */
    lead_webhook_old_secret: text(),
    lead_webhook_old_secret_until: time(),
    /** How the last ping or test of that URL ended. */
    lead_webhook_check: jsonb().$type<WebhookCheck>(),
    created_at: time().notNull().default(now),
    updated_at: time().notNull().default(now),
    /** When city, state or ZIP last changed. */
    moved_at: time(),
    /** Of releases before the table `jobs`. */
    followed_at: time(),
  },
  (t) => [
    primaryKey({ name: 'dealers_pkey', columns: [t.account_id, t.slug] }),
    foreignKey({ name: 'dealers_account_fk', columns: [t.account_id], foreignColumns: [accounts.id] }),
  ],
);
