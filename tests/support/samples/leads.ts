import type { NewLead } from '../../../lib/ports/leads/leads.ts';

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
    doubts: [],
    consent: null,
    intent: null,
    details: {},
    marketing: null,
    ...change,
  };
}
