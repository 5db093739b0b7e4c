import type { Role } from '../access.ts';
import type { Person } from '../people/port.ts';
import type { ApiKey } from '../ports/accounts.ts';
import type { AuditEntry } from '../ports/audit.ts';

/** Mails to owners about what needs them: a feed held or failing, a lead undeliverable, first issues after a clean day. */

export const ALERT_KINDS = ['feed', 'lead', 'issues'] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

/** An act that the owners get a mail about. */
export interface AccountNotice {
  /** The account's name. */
  account: string;
  detail: AuditEntry['detail'];
  /** The address of a person, or the name of a key; null: the operator. */
  actor: string | null;
  /** The address of a person, the name of a key or dealer; null: the account itself. */
  target: string | null;
  /** Of the person that it is about. */
  role: Role | null;
  /** Of the key that it is about. */
  kind: ApiKey['kind'] | null;
  /** Addresses of confirmed owners, the first ones before later ones, and of who was one until now, without the actor's. */
  recipients: string[];
}

/** Each is a job; feed runs and lead deliveries raise theirs in the statement that ends them. */
export interface Alerts {
  /** Across all accounts: raises those of accounts that have issues after a day without any; returns how many. */
  raiseForIssues(): Promise<number>;
  of(accountId: string): {
    /**
     * A mail of this kind counts as sent from now on, so that a worker that dies sends none rather than two. False when one
     * went out less than a day ago.
     */
    take(kind: AlertKind): Promise<boolean>;
    /** None went out after all. */
    putBack(kind: AlertKind): Promise<void>;
    /** Owners who entered by a code mailed to them, and want mails; nobody of a test or suspended account. */
    recipients(): Promise<Pick<Person, 'id' | 'email'>[]>;
    /** Null when the act did not commit, and for a test account. */
    notice(act: AuditEntry): Promise<AccountNotice | null>;
    /** False when the account has no such person. */
    setWanted(personId: string, wanted: boolean): Promise<boolean>;
  };
}
