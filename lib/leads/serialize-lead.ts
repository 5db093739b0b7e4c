import { warn } from '../truck/listing/warn.ts';
import type { Lead } from './ports/leads.ts';

/** A lead as callers and webhooks see it: what is stored, and what is worth knowing about it. */
export function toLeadResponse(lead: Lead) {
  const unknown = lead.vin !== null && lead.truck === null;
  return { ...lead, warnings: unknown ? [warn('VIN_UNKNOWN')] : [] };
}
