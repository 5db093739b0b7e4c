import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { ROLES } from '../../lib/accounts/access.ts';
import { accounts } from './accounts.ts';
import { now, time } from './columns.ts';

/** Who signs in to the dashboard. Tokens and codes are stored as hashes; what they open is nobody's without them. */

export const people = pgTable(
  'people',
  {
    id: text().notNull(),
    account_id: text().notNull(),
    /** In lower case. */
    email: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    created_at: time().notNull().default(now),
    /** Last time; null: invited, and not here yet. */
    signed_in_at: time(),
    /** Last entered by a code mailed to the address; null: nobody has shown that the address is this person's. */
    confirmed_at: time(),
    /** Of an owner: wants mails about what needs the account's people. */
    alerts: boolean().notNull().default(true),
  },
  (t) => [
    primaryKey({ name: 'people_pkey', columns: [t.id] }),
    unique('people_email').on(t.email, t.account_id),
    index('people_account').on(t.account_id),
    foreignKey({ name: 'people_account_fk', columns: [t.account_id], foreignColumns: [accounts.id] }),
    check('people_role', sql`${t.role} in ('owner', 'member')`),
  ],
);

/** A browser that is signed in: a person's, or the operator's. */
export const sessions = pgTable(
  'sessions',
  {
    id: text().notNull(),
    /** SHA-256 of the cookie's token in hex. */
    token_hash: text().notNull(),
    person_id: text(),
    operator: boolean().notNull().default(false),
    /** Began with a code from the person's mailbox; a link is also seen by who made it. */
    by_code: boolean().notNull().default(false),
    /** The account that the operator looks at. */
    account_id: text(),
    /** The browser's name for itself, shortened. */
    browser: text().notNull(),
    created_at: time().notNull().default(now),
    seen_at: time().notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'sessions_pkey', columns: [t.id] }),
    unique('sessions_token').on(t.token_hash),
    index('sessions_person').on(t.person_id),
    index('sessions_seen').on(t.seen_at),
    foreignKey({ name: 'sessions_person_fk', columns: [t.person_id], foreignColumns: [people.id] }).onDelete(
      'cascade',
    ),
    check('sessions_owner', sql`${t.operator} = (${t.person_id} is null)`),
  ],
);

/** A code that was asked for, for the browser that asked; also for addresses that nobody has. */
export const signInCodes = pgTable(
  'sign_in_codes',
  {
    /** SHA-256 of the token in that browser's cookie, in hex. */
    browser_hash: text().notNull(),
    email: text().notNull(),
    /** SHA-256 of code and token together: without the cookie no code can be found by trying them all. */
    code_hash: text().notNull(),
    tries: integer().notNull().default(0),
    created_at: time().notNull().default(now),
    used_at: time(),
  },
  (t) => [
    primaryKey({ name: 'sign_in_codes_pkey', columns: [t.browser_hash] }),
    index('sign_in_codes_created').on(t.created_at),
  ],
);

/** Links that sign in once: invitations, and those that are printed on this machine. */
export const signInLinks = pgTable(
  'sign_in_links',
  {
    token_hash: text().notNull(),
    /** Null: the operator. */
    person_id: text(),
    expires_at: time().notNull(),
    created_at: time().notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'sign_in_links_pkey', columns: [t.token_hash] }),
    index('sign_in_links_person').on(t.person_id),
    foreignKey({
      name: 'sign_in_links_person_fk',
      columns: [t.person_id],
      foreignColumns: [people.id],
    }).onDelete('cascade'),
  ],
);
