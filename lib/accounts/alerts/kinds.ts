/** Mails to owners about what needs them: a feed held or failing, a lead undeliverable, first issues after a clean day. */
export const ALERT_KINDS = ['feed', 'lead', 'issues'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];
