/** Of a row of `jobs`: it is due, and no worker holds a lease on it. */
export const IS_CLAIMABLE = '(due_at <= now() and (leased_until is null or leased_until <= now()))';

/** Of a row of `jobs`: it delivers an enquiry. */
export const IS_DELIVERY = `kind in ('email', 'webhook', 'flagged')`;
