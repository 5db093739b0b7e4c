import { warn } from '../truck/listing/warn.ts';
import type { Lead } from './schemas/leads.ts';

/** A lead and its updates as the separate enquiries that receivers take in: each looks like a lead of its own. */

/** The lead itself (0), or an update in its place, under the id `<lead>_<n>`. */
export function toEnquiry(lead: Lead, n: number): Lead {
  const update = lead.updates.find((each) => each.n === n);
  return update === undefined ? lead : { ...lead, ...update, id: `${lead.id}_${n}`, updates: [] };
}

export const splitEnquiries = (lead: Lead): Lead[] => [
  lead,
  ...lead.updates.map(({ n }) => toEnquiry(lead, n)),
];

/** The lead that an enquiry was added to; null when it is the lead itself. */
export const findUpdatedLeadId = (enquiryId: string): string | null =>
  /^(lead_[^_]+)_\d+$/.exec(enquiryId)?.[1] ?? null;

/** A lead as callers and webhooks see it: what is stored, and what is worth knowing about it. */
export function toLeadResponse(lead: Lead) {
  const unknown = lead.vin !== null && lead.truck === null;
  return { ...lead, warnings: unknown ? [warn('VIN_UNKNOWN')] : [] };
}
