import { sql } from 'drizzle-orm';
import { check, foreignKey, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ALERT_KINDS } from '../../lib/accounts/alerts/kinds.ts';
import { accounts } from './accounts.ts';
import { time } from './columns.ts';

/** Mails to the owners of an account about what needs them: one row of each kind that there ever was. */
export const ownerAlerts = pgTable(
  'owner_alerts',
  {
    account_id: text().notNull(),
    kind: text({ enum: ALERT_KINDS }).notNull(),
    /** Of releases before the table `jobs`. */
    due_at: time(),
    /** At most one a day. */
    sent_at: time(),
    /** Of issues: when the account last had some, to the hour. */
    seen_at: time(),
  },
  (t) => [
    primaryKey({ name: 'owner_alerts_pkey', columns: [t.account_id, t.kind] }),
    foreignKey({ name: 'owner_alerts_account_fk', columns: [t.account_id], foreignColumns: [accounts.id] }),
    check('owner_alerts_kind', sql`${t.kind} in ('feed', 'lead', 'issues')`),
  ],
);

/** Addresses of people who ended the mails and were removed since: invited again they get none. */
export const endedAlerts = pgTable(
  'ended_alerts',
  { account_id: text().notNull(), email: text().notNull() },
  (t) => [
    primaryKey({ name: 'ended_alerts_pkey', columns: [t.account_id, t.email] }),
    foreignKey({ name: 'ended_alerts_account_fk', columns: [t.account_id], foreignColumns: [accounts.id] }),
  ],
);
