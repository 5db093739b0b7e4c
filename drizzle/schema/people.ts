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
    id: text('id').notNull(),
    accountId: text('account_id').notNull(),
    /** In lower case. */
    email: text('email').notNull(),
    role: text('role', { enum: ROLES }).notNull(),
    createdAt: time('created_at').notNull().default(now),
    /** Last time; null: invited, and not here yet. */
    signedInAt: time('signed_in_at'),
    /** Last entered by a code mailed to the address; null: nobody has shown that the address is this person's. */
    confirmedAt: time('confirmed_at'),
    /** Of an owner: wants mails about what needs the account's people. */
    alerts: boolean('alerts').notNull().default(true),
  },
  (t) => [
    primaryKey({ name: 'people_pkey', columns: [t.id] }),
    unique('people_email').on(t.email, t.accountId),
    index('people_account').on(t.accountId),
    foreignKey({ name: 'people_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
    check('people_role', sql`${t.role} in ('owner', 'member')`),
  ],
);

/** A browser that is signed in: a person's, or the operator's. */
export const sessions = pgTable(
  'sessions',
  {
    id: text('id').notNull(),
    /** SHA-256 of the cookie's token in hex. */
    tokenHash: text('token_hash').notNull(),
    personId: text('person_id'),
    operator: boolean('operator').notNull().default(false),
    /** Began with a code from the person's mailbox; a link is also seen by who made it. */
    byCode: boolean('by_code').notNull().default(false),
    /** The account that the operator looks at. */
    accountId: text('account_id'),
    /** The browser's name for itself, shortened. */
    browser: text('browser').notNull(),
    createdAt: time('created_at').notNull().default(now),
    seenAt: time('seen_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'sessions_pkey', columns: [t.id] }),
    unique('sessions_token').on(t.tokenHash),
    index('sessions_person').on(t.personId),
    index('sessions_seen').on(t.seenAt),
    foreignKey({ name: 'sessions_person_fk', columns: [t.personId], foreignColumns: [people.id] }).onDelete(
      'cascade',
    ),
    check('sessions_owner', sql`${t.operator} = (${t.personId} is null)`),
  ],
);

/** A code that was asked for, for the browser that asked; also for addresses that nobody has. */
export const signInCodes = pgTable(
  'sign_in_codes',
  {
    /** SHA-256 of the token in that browser's cookie, in hex. */
    browserHash: text('browser_hash').notNull(),
    email: text('email').notNull(),
    /** SHA-256 of code and token together: without the cookie no code can be found by trying them all. */
    codeHash: text('code_hash').notNull(),
    tries: integer('tries').notNull().default(0),
    createdAt: time('created_at').notNull().default(now),
    usedAt: time('used_at'),
  },
  (t) => [
    primaryKey({ name: 'sign_in_codes_pkey', columns: [t.browserHash] }),
    index('sign_in_codes_created').on(t.createdAt),
  ],
);

/** Links that sign in once: invitations, and those that are printed on this machine. */
export const signInLinks = pgTable(
  'sign_in_links',
  {
    tokenHash: text('token_hash').notNull(),
    /** Null: the operator. */
    personId: text('person_id'),
    expiresAt: time('expires_at').notNull(),
    createdAt: time('created_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'sign_in_links_pkey', columns: [t.tokenHash] }),
    index('sign_in_links_person').on(t.personId),
    foreignKey({
      name: 'sign_in_links_person_fk',
      columns: [t.personId],
      foreignColumns: [people.id],
    }).onDelete('cascade'),
  ],
);
