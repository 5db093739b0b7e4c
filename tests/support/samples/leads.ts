import type { Dealer } from '../../../lib/accounts/dealers/schemas.ts';
import type { Lead, NewLead } from '../../../lib/leads/schemas/leads.ts';

/** A lead as a visitor leaves it: an address and a message, and nothing else. */
export function newLead(id: string, change: Partial<NewLead> = {}): NewLead {
  return {
    id,
    name: null,
    email: 'a@b.example',
    phone: null,
    message: 'Hi',
    vin: null,
    suspicious: false,
    spam_signals: [],
    consent: null,
    intent: null,
    details: {},
    marketing: null,
    ...change,
  };
}

/** The same as it is stored. */
export function storedLead(change: Partial<Lead> = {}): Lead {
  return {
    ...newLead('lead_1'),
    dealer: 'a',
    conversation_id: 'conv_1',
    visitor_id: 'v-1',
    status: 'new',
    transcript: [],
    delivery: [],
    updates: [],
    truck: null,
    created_at: '2026-01-15T09:30:00.123Z',
    updated_at: '2026-01-15T09:30:00.123Z',
    ...change,
  };
}

/** What a dealer has of whom nothing but slug and name was sent. */
export const NO_DETAILS = {
  phone: null,
  email: null,
  website: null,
  address: null,
  city: null,
  state: null,
  zip: null,
  sms: null,
  hours: null,
  time_zone: null,
  reply_minutes: null,
  lead_email: null,
  lead_email_format: null,
  lead_webhook_url: null,
  lead_webhook_check: null,
} satisfies Partial<Dealer>;
