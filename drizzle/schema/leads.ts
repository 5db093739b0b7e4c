import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import type { LeadTruck } from '../../lib/leads/ports/leads.ts';
import { DELIVERY_KINDS, DELIVERY_STATUSES, LEAD_STATUSES } from '../../lib/leads/schemas/lead-states.ts';
import { bytea, now, quoteList, time } from './columns.ts';

export const leads = pgTable(
  'leads',
  {
    accountId: text('account_id').notNull(),
    /** Sorts by time of capture. */
    id: text('id').notNull(),
    dealer: text('dealer').notNull(),
    conversationId: text('conversation_id').notNull(),
    visitorId: text('visitor_id').notNull(),
    name: text('name'),
    email: text('email'),
    /** E.164. */
    phone: text('phone'),
    message: text('message').notNull(),
    vin: text('vin'),
    /** The truck as it was then: what the dealer's CRM receives. */
    truck: json('truck').$type<LeadTruck>(),
    status: text('status', { enum: LEAD_STATUSES }).notNull().default('new'),
    suspicious: boolean('suspicious').notNull(),
    /** Why. */
    doubts: json('doubts').$type<string[]>().notNull(),
    consent: json('consent').$type<object>(),
    intent: text('intent'),
    details: json('details'),
    marketing: json('marketing'),
    transcript: json('transcript').$type<object[]>().notNull(),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'leads_pkey', columns: [t.accountId, t.id] }),
    unique('leads_conversation').on(t.accountId, t.conversationId),
    index('leads_created').on(t.createdAt),
    check('leads_status', sql`${t.status} in (${quoteList(LEAD_STATUSES)})`),
  ],
);

/** Later enquiries of a visitor whose lead is captured already, numbered from 1 without gaps. */
export const leadUpdates = pgTable(
  'lead_updates',
  {
    accountId: text('account_id').notNull(),
    leadId: text('lead_id').notNull(),
    n: integer('n').notNull(),
    name: text('name'),
    email: text('email'),
    /** E.164. */
    phone: text('phone'),
    message: text('message').notNull(),
    vin: text('vin'),
    truck: json('truck').$type<LeadTruck>(),
    suspicious: boolean('suspicious').notNull(),
    doubts: json('doubts').$type<string[]>().notNull(),
    consent: json('consent').$type<object>(),
    intent: text('intent'),
    details: json('details'),
    marketing: json('marketing'),
    /** What was said since the enquiry before. */
    transcript: json('transcript').$type<object[]>().notNull(),
    createdAt: time('created_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'lead_updates_pkey', columns: [t.accountId, t.leadId, t.n] }),
    foreignKey({
      name: 'lead_updates_lead_fk',
      columns: [t.accountId, t.leadId],
      foreignColumns: [leads.accountId, leads.id],
    }).onDelete('cascade'),
  ],
);

/** Addresses and webhooks that the seller proved to be the dealer's: by the link in a mail, by a 2xx of the webhook. */
export const leadDestinations = pgTable(
  'lead_destinations',
  {
    accountId: text('account_id').notNull(),
    destination: text('destination').notNull(),
    confirmedAt: time('confirmed_at').notNull().default(now),
  },
  (t) => [primaryKey({ name: 'lead_destinations_pkey', columns: [t.accountId, t.destination] })],
);

/** What was sent in the last hour, so that nobody is flooded; across accounts, by the hash of the destination. */
export const leadSends = pgTable(
  'lead_sends',
  {
    id: bigint('id', { mode: 'number' }).generatedAlwaysAsIdentity({ name: 'lead_sends_id_seq' }).notNull(),
    at: time('at').notNull().default(now),
    accountId: text('account_id').notNull(),
    dealer: text('dealer').notNull(),
    destinationHash: bytea('destination_hash').notNull(),
    confirmed: boolean('confirmed').notNull(),
    suspicious: boolean('suspicious').notNull().default(false),
  },
  (t) => [
    primaryKey({ name: 'lead_sends_pkey', columns: [t.id] }),
    index('lead_sends_destination').on(t.destinationHash, t.at),
    index('lead_sends_account').on(t.accountId, t.at),
  ],
);

/** One row per enquiry and way that it goes to the dealer, written together with the enquiry and the job that sends it. */
export const leadDeliveries = pgTable(
  'lead_deliveries',
  {
    accountId: text('account_id').notNull(),
    leadId: text('lead_id').notNull(),
    /** Number of the update; 0: the lead itself. */
    updateN: integer('update_n').notNull().default(0),
    kind: text('kind', { enum: DELIVERY_KINDS }).notNull(),
    dealer: text('dealer').notNull(),
    /** Of the enquiry. */
    suspicious: boolean('suspicious').notNull().default(false),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    /** Of releases before the table `jobs`, as is `leased_until`. */
    fence: integer('fence').notNull().default(0),
    /** Of the next try. */
    dueAt: time('due_at').notNull().default(now),
    leasedUntil: time('leased_until'),
    createdAt: time('created_at').notNull().default(now),
    deliveredAt: time('delivered_at'),
  },
  (t) => [
    primaryKey({ name: 'lead_deliveries_pkey', columns: [t.accountId, t.leadId, t.updateN, t.kind] }),
    foreignKey({
      name: 'lead_deliveries_lead_fk',
      columns: [t.accountId, t.leadId],
      foreignColumns: [leads.accountId, leads.id],
    }).onDelete('cascade'),
    index('lead_deliveries_clean_first')
      .on(t.kind, t.accountId, t.dealer, t.suspicious, t.dueAt)
      .where(sql`${t.status} = 'pending'`),
    check('lead_deliveries_kind', sql`${t.kind} in (${quoteList(DELIVERY_KINDS)})`),
    check('lead_deliveries_status', sql`${t.status} in (${quoteList(DELIVERY_STATUSES)})`),
  ],
);
