/** What becomes of a lead at the dealer's. */
export const LEAD_STATUSES = ['new', 'contacted', 'closed'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** Ways a lead goes to its dealer, and how each stands; `dead`: given up after days of trying. */
export const DELIVERY_KINDS = ['email', 'webhook'] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];
export const DELIVERY_STATUSES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** What a lead's mail is: ADF alone, or the same for a person beside it. */
export const LEAD_EMAIL_FORMATS = ['adf', 'both'] as const;

/** Who speaks in a conversation. */
export const SPEAKERS = ['visitor', 'assistant'] as const;
