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
import { SPEAKERS } from '../../lib/leads/schemas/lead-states.ts';
import { now, quoteList, time } from './columns.ts';

export const conversations = pgTable(
  'conversations',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    dealer: text('dealer').notNull(),
    visitorId: text('visitor_id').notNull(),
    /** Messages so far: the number of the newest. */
    messages: integer('messages').notNull().default(0),
    /** The lead captured in it; at most one. */
    leadId: text('lead_id'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
    /** Null: the visitor's open one, which a call that names none goes on with. */
    closedAt: time('closed_at'),
  },
  (t) => [
    primaryKey({ name: 'conversations_pkey', columns: [t.accountId, t.id] }),
    uniqueIndex('conversations_open')
      .on(t.accountId, t.dealer, t.visitorId)
      .where(sql`${t.closedAt} is null`),
    index('conversations_updated').on(t.updatedAt),
  ],
);

export const messages = pgTable(
  'messages',
  {
    accountId: text('account_id').notNull(),
    conversationId: text('conversation_id').notNull(),
    /** From 1, without gaps. */
    n: integer('n').notNull(),
    role: text('role', { enum: SPEAKERS }).notNull(),
    text: text('text').notNull(),
    /** VINs of the trucks it is about. */
    vins: json('vins').$type<string[]>().notNull().default([]),
    at: time('at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'messages_pkey', columns: [t.accountId, t.conversationId, t.n] }),
    foreignKey({
      name: 'messages_conversation_fk',
      columns: [t.accountId, t.conversationId],
      foreignColumns: [conversations.accountId, conversations.id],
    }).onDelete('cascade'),
    check('messages_role', sql`${t.role} in (${quoteList(SPEAKERS)})`),
  ],
);
