import type { Person } from './people.ts';

/** Mails to owners about what needs them: a feed held or failing, a lead undeliverable, first issues after a clean day. */

export const ALERT_KINDS = ['feed', 'lead', 'issues'] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

export interface DueAlert {
  accountId: string;
  kind: AlertKind;
}

/** Feed runs and lead deliveries raise theirs in the statement that ends them. */
export interface Alerts {
  /** Across all accounts: raises those of accounts that have issues after a day without any; returns how many. */
  raiseForIssues(): Promise<number>;
  /** Takes what is due. From then on it counts as sent: a worker that dies sends none rather than two a day. */
  claim(max: number): Promise<DueAlert[]>;
  /** No mail went out after all; tries again after so many minutes, null: when something new happens. */
  unsent(alert: DueAlert, retryMinutes: number | null): Promise<void>;
  of(accountId: string): {
    /** Owners who entered by a code mailed to them, and want mails; nobody of a test or suspended account. */
    recipients(): Promise<Pick<Person, 'id' | 'email'>[]>;
    /** False when the account has no such person. */
    setWanted(personId: string, wanted: boolean): Promise<boolean>;
  };
}
