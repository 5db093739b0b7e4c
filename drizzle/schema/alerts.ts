import { sql } from 'drizzle-orm';
import { check, foreignKey, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ALERT_KINDS } from '../../lib/accounts/alerts/port.ts';
import { accounts } from './accounts.ts';
import { time } from './columns.ts';

/** Mails to the owners of an account about what needs them: one row of each kind that there ever was. */
export const ownerAlerts = pgTable(
  'owner_alerts',
  {
    accountId: text('account_id').notNull(),
    kind: text('kind', { enum: ALERT_KINDS }).notNull(),
    /** Of releases before the table `jobs`. */
    dueAt: time('due_at'),
    /** At most one a day. */
    sentAt: time('sent_at'),
    /** Of issues: when the account last had some, to the hour. */
    seenAt: time('seen_at'),
  },
  (t) => [
    primaryKey({ name: 'owner_alerts_pkey', columns: [t.accountId, t.kind] }),
    foreignKey({ name: 'owner_alerts_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
    check('owner_alerts_kind', sql`${t.kind} in ('feed', 'lead', 'issues')`),
  ],
);

/** Addresses of people who ended the mails and were removed since: invited again they get none. */
export const endedAlerts = pgTable(
  'ended_alerts',
  { accountId: text('account_id').notNull(), email: text('email').notNull() },
  (t) => [
    primaryKey({ name: 'ended_alerts_pkey', columns: [t.accountId, t.email] }),
    foreignKey({ name: 'ended_alerts_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
  ],
);
