import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { SPEAKERS } from '../../lib/leads/statuses.ts';
import { now, quoteList, time } from './columns.ts';

export const conversations = pgTable(
  'conversations',
  {
    account_id: text().notNull(),
    id: text().notNull(),
    dealer: text().notNull(),
    visitor_id: text().notNull(),
    /** Messages so far: the number of the newest. */
    messages: integer().notNull().default(0),
    /** The lead captured in it; at most one. */
    lead_id: text(),
    created_at: time().notNull().default(now),
    updated_at: time().notNull().default(now),
    /** Null: the visitor's open one, which a call that names none goes on with. */
    closed_at: time(),
  },
  (t) => [
    primaryKey({ name: 'conversations_pkey', columns: [t.account_id, t.id] }),
    uniqueIndex('conversations_open')
      .on(t.account_id, t.dealer, t.visitor_id)
      .where(sql`${t.closed_at} is null`),
    index('conversations_updated').on(t.updated_at),
  ],
);

export const messages = pgTable(
  'messages',
  {
    account_id: text().notNull(),
    conversation_id: text().notNull(),
    /** From 1, without gaps. */
    n: integer().notNull(),
    role: text({ enum: SPEAKERS }).notNull(),
    text: text().notNull(),
    /** VINs of the trucks it is about. */
    vins: json().$type<string[]>().notNull().default([]),
    at: time().notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'messages_pkey', columns: [t.account_id, t.conversation_id, t.n] }),
    foreignKey({
      name: 'messages_conversation_fk',
      columns: [t.account_id, t.conversation_id],
      foreignColumns: [conversations.account_id, conversations.id],
    }).onDelete('cascade'),
    check('messages_role', sql`${t.role} in (${quoteList(SPEAKERS)})`),
  ],
);
