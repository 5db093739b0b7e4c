import type { Lead } from '../../ports/leads.ts';

/** A lead as callers and webhooks see it: what is stored, and what is worth knowing about it. */
export function leadView(lead: Lead) {
  const unknown = lead.vin !== null && lead.truck === null;
  return { ...lead, warnings: unknown ? [VIN_UNKNOWN] : [] };
}

const VIN_UNKNOWN = {
  code: 'VIN_UNKNOWN',
  field: 'vin',
  message: 'The dealer had no truck with this VIN when the lead was captured.',
} as const;
