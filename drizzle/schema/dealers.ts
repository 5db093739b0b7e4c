import { foreignKey, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Hours } from '../../lib/accounts/dealers/hours.ts';
import type { WebhookCheck } from '../../lib/accounts/dealers/schemas.ts';
import { LEAD_EMAIL_FORMATS } from '../../lib/leads/schemas/lead-states.ts';
import { accounts } from './accounts.ts';
import { now, time } from './columns.ts';

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
    sms: text('sms'),
    hours: jsonb('hours').$type<Hours>(),
    /** IANA name, of `hours`. */
    timeZone: text('time_zone'),
    replyMinutes: integer('reply_minutes'),
    leadEmail: text('lead_email'),
    /** Null is both. */
    leadEmailFormat: text('lead_email_format', { enum: LEAD_EMAIL_FORMATS }),
    leadWebhookUrl: text('lead_webhook_url'),
    /** `whsec_…`, which signs what goes to that URL. */
    leadWebhookSecret: text('lead_webhook_secret'),
    /** The secret before that one, which signs beside it until then. */
    leadWebhookOldSecret: text('lead_webhook_old_secret'),
    leadWebhookOldSecretUntil: time('lead_webhook_old_secret_until'),
    /** How the last ping or test of that URL ended. */
    leadWebhookCheck: jsonb('lead_webhook_check').$type<WebhookCheck>(),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
    /** When city, state or ZIP last changed. */
    movedAt: time('moved_at'),
    /** Of releases before the table `jobs`. */
    followedAt: time('followed_at'),
  },
  (t) => [
    primaryKey({ name: 'dealers_pkey', columns: [t.accountId, t.slug] }),
    foreignKey({ name: 'dealers_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
  ],
);
