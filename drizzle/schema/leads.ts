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
import type { Lead } from '../../lib/leads/schemas/leads.ts';
import { DELIVERY_KINDS, DELIVERY_STATUSES, LEAD_STATUSES } from '../../lib/leads/statuses.ts';
import { bytea, now, quoteList, time } from './columns.ts';

/** What an enquiry says: a lead's, and that of each update of it. */
const enquiry = {
  name: text(),
  email: text(),
  /** E.164. */
  phone: text(),
  message: text().notNull(),
  vin: text(),
  /** The truck as it was then: what the dealer's CRM receives. */
  truck: json().$type<NonNullable<Lead['truck']>>(),
  suspicious: boolean().notNull(),
  /** Why. */
  doubts: json().$type<string[]>().notNull(),
  consent: json().$type<object>(),
  intent: text(),
  details: json(),
  marketing: json(),
  /** What was said since the enquiry before. */
  transcript: json().$type<object[]>().notNull(),
  created_at: time().notNull().default(now),
};

export const leads = pgTable(
  'leads',
  {
    account_id: text().notNull(),
    /** Sorts by time of capture. */
    id: text().notNull(),
    dealer: text().notNull(),
    conversation_id: text().notNull(),
    visitor_id: text().notNull(),
    status: text({ enum: LEAD_STATUSES }).notNull().default('new'),
    ...enquiry,
    updated_at: time().notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'leads_pkey', columns: [t.account_id, t.id] }),
    unique('leads_conversation').on(t.account_id, t.conversation_id),
    index('leads_created').on(t.created_at),
    check('leads_status', sql`${t.status} in (${quoteList(LEAD_STATUSES)})`),
  ],
);

/** Later enquiries of a visitor whose lead is captured already, numbered from 1 without gaps. */
export const leadUpdates = pgTable(
  'lead_updates',
  { account_id: text().notNull(), lead_id: text().notNull(), n: integer().notNull(), ...enquiry },
  (t) => [
    primaryKey({ name: 'lead_updates_pkey', columns: [t.account_id, t.lead_id, t.n] }),
    foreignKey({
      name: 'lead_updates_lead_fk',
      columns: [t.account_id, t.lead_id],
      foreignColumns: [leads.account_id, leads.id],
    }).onDelete('cascade'),
  ],
);

/** Addresses and webhooks that the seller proved to be the dealer's: by the link in a mail, by a 2xx of the webhook. */
export const leadDestinations = pgTable(
  'lead_destinations',
  {
    account_id: text().notNull(),
    destination: text().notNull(),
    confirmed_at: time().notNull().default(now),
  },
  (t) => [primaryKey({ name: 'lead_destinations_pkey', columns: [t.account_id, t.destination] })],
);

/** What was sent in the last hour, so that nobody is flooded; across accounts, by the hash of the destination. */
export const leadSends = pgTable(
  'lead_sends',
  {
    id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity({ name: 'lead_sends_id_seq' }).notNull(),
    at: time().notNull().default(now),
    account_id: text().notNull(),
    dealer: text().notNull(),
    destination_hash: bytea().notNull(),
    confirmed: boolean().notNull(),
    suspicious: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ name: 'lead_sends_pkey', columns: [t.id] }),
    index('lead_sends_destination').on(t.destination_hash, t.at),
    index('lead_sends_account').on(t.account_id, t.at),
  ],
);

/** One row per enquiry and way that it goes to the dealer, written together with the enquiry and the job that sends it. */
export const leadDeliveries = pgTable(
  'lead_deliveries',
  {
    account_id: text().notNull(),
    lead_id: text().notNull(),
    /** Number of the update; 0: the lead itself. */
    update_n: integer().notNull().default(0),
    kind: text({ enum: DELIVERY_KINDS }).notNull(),
    dealer: text().notNull(),
    /** Of the enquiry. */
    suspicious: boolean().notNull().default(false),
    status: text({ enum: DELIVERY_STATUSES }).notNull().default('pending'),
    attempts: integer().notNull().default(0),
    last_error: text(),
    /** Of releases before the table `jobs`, as is `leased_until`. */
    fence: integer().notNull().default(0),
    /** Of the next try. */
    due_at: time().notNull().default(now),
    leased_until: time(),
    created_at: time().notNull().default(now),
    delivered_at: time(),
  },
  (t) => [
    primaryKey({ name: 'lead_deliveries_pkey', columns: [t.account_id, t.lead_id, t.update_n, t.kind] }),
    foreignKey({
      name: 'lead_deliveries_lead_fk',
      columns: [t.account_id, t.lead_id],
      foreignColumns: [leads.account_id, leads.id],
    }).onDelete('cascade'),
    index('lead_deliveries_clean_first')
      .on(t.kind, t.account_id, t.dealer, t.suspicious, t.due_at)
      .where(sql`${t.status} = 'pending'`),
    check('lead_deliveries_kind', sql`${t.kind} in (${quoteList(DELIVERY_KINDS)})`),
    check('lead_deliveries_status', sql`${t.status} in (${quoteList(DELIVERY_STATUSES)})`),
  ],
);
