import type { Role } from '../access.ts';
import type { Account, Principal } from '../ports/accounts.ts';
import type { AuditEntry } from '../ports/audit.ts';

/** People who sign in to the dashboard, and the browsers they are signed in with. */

export interface Person {
  id: string;
  account_id: string;
  /** In lower case. */
  email: string;
  role: Role;
  created_at: string;
  /** Null: invited, and not here yet. */
  signed_in_at: string | null;
  /** Last entered by a code mailed to the address; null: nobody has shown that the address is this person's. */
  confirmed_at: string | null;
  /** An owner wants mails about what needs a person. */
  alerts: boolean;
}

/** A browser that is signed in: as a person, or as the operator. */
export interface Session {
  id: string;
  person: Pick<Person, 'id' | 'email' | 'role'> | null;
  isOperator: boolean;
  /** Began with a code from the person's mailbox; a link is also seen by who made it. */
  isByCode: boolean;
  /** The person's account, or the one that the operator looks at. */
  account: (Principal['account'] & Pick<Account, 'name' | 'erase_at'>) | null;
  /** When it signed in, in ms since the epoch. */
  signedInMs: number;
}

export interface NewSession {
  id: string;
  tokenHash: string;
  browser: string;
}

/** One line of a list of sessions. */
export interface SessionEntry {
  id: string;
  /** Null: the operator. */
  person_id: string | null;
  browser: string;
  created_at: string;
  seen_at: string;
}

/** A person who may sign in. */
export interface Entrant {
  id: string;
  email: string;
  accountId: string;
  /** The account's name. */
  account: string;
  /** Has never signed in. */
  isFirst: boolean;
}

/** One of the accounts that an address belongs to. */
export interface PersonForCode extends Entrant {
  isConfirmed: boolean;
}

/** How a person signs in, and what the session is then. */
export interface SignIn {
  /** By the hash of the cookie's token; null when unknown, ended, idle for 7 days or older than 30; an operator's than 12 hours. */
  authenticate(tokenHash: string): Promise<Session | null>;
  /** Notes a code for the browser that asks; false when nobody has the address. */
  addCode(code: { browserHash: string; codeHash: string; email: string }): Promise<boolean>;
  /** Counts a try; null when there is no code, or it is used, too old or was tried too often. */
  tryCode(browserHash: string): Promise<{ codeHash: string } | null>;
  /** Who has the address that the browser's code was sent to; first those who entered their account by a code before. */
  peopleForCode(browserHash: string): Promise<PersonForCode[]>;
  /**
   * Uses the code up and signs in this person. Confirms the address, and ends links that others may have seen, with the
   * sessions they began. False when the code is used already, or the person does not have its address.
   */
  openByCode(browserHash: string, session: NewSession, personId: string): Promise<boolean>;
  /** Who the link would sign in, null for the operator; null when it is used or too old. */
  readLink(tokenHash: string): Promise<{ person: Entrant | null } | null>;
  /** Uses the link up; false when it is used already or too old. */
  openByLink(tokenHash: string, session: NewSession): Promise<boolean>;
  openForOperator(session: NewSession): Promise<void>;
  /** Ends the token's own session. */
  end(tokenHash: string): Promise<void>;
}

/** The people of an account. What changes something writes the audit row in the same transaction. */
export interface AccountPeople {
  /** By address. */
  list(): Promise<Person[]>;
  /** The newest first. */
  sessions(): Promise<SessionEntry[]>;
  /**
   * A new person, with the role given, or the one with this address, unless that is an owner and a member is wanted.
   * `maxPeople`: null for the operator, who invites as many as are wanted, and also who has signed in before.
   */
  invite(
    person: Pick<Person, 'id' | 'email' | 'role'>,
    maxPeople: number | null,
    audit: AuditEntry,
  ): Promise<Person | 'too_many' | 'is_owner' | 'signed_in'>;
  /** The last owner stays one. */
  change(id: string, role: Role, audit: AuditEntry): Promise<'changed' | 'absent' | 'last_owner'>;
  /** Ends the person's sessions and links as well; the last owner stays. */
  remove(id: string, audit: AuditEntry): Promise<'changed' | 'absent' | 'last_owner'>;
  /** False when there is no such session. */
  endSession(id: string, audit: AuditEntry): Promise<boolean>;
}

export interface People extends SignIn {
  /** Asks the database for every session again, after something else ended some. */
  forget(): Promise<void>;
  of(accountId: string): AccountPeople;
  /** A link that signs in once; `personId` null: the operator. */
  addLink(
    link: { tokenHash: string; personId: string | null; hours: number },
    audit: AuditEntry,
  ): Promise<void>;
  /** The account that an operator's session looks at from now on; null: none. */
  look(sessionId: string, accountId: string | null, audit: AuditEntry): Promise<void>;
  /** The last used first. Those of a former ADMIN_TOKEN are among them for their 12 hours, and open nothing. */
  operatorSessions(): Promise<SessionEntry[]>;
  /** False when there is no such session. */
  endOperatorSession(id: string, audit: AuditEntry): Promise<boolean>;
  /** Forgets sessions, codes and links that are too old; returns the number of sessions. */
  sweep(): Promise<number>;
}
