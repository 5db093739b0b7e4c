import type * as z from 'zod/mini';
import type { KeyKind, Scope } from '../access.ts';
import type { AccountAnswer, KeyAnswer } from '../operator/schemas.ts';
import type { AuditEntry } from './audit.ts';

/** Accounts and their keys. */

export type Account = z.output<typeof AccountAnswer>;
export type ApiKey = z.output<typeof KeyAnswer>;

/** Who is calling: a key and its account. */
export interface Principal {
  keyId: string;
  kind: KeyKind;
  allowedOrigins: readonly string[];
  /** Null: all. */
  scopes: readonly Scope[] | null;
  /** The only dealer that the key reaches; null: all. */
  dealer: string | null;
  /** Ms since the epoch; null: never. */
  expiresAt: number | null;
  account: Pick<
    Account,
    'id' | 'tier' | 'limit_multiplier' | 'min_feed_cadence_minutes' | 'suspended' | 'test'
  >;
}

/** A change of some members; undefined leaves one as it is. */
export type Change<T> = { [Name in keyof T]?: T[Name] | undefined };

export type AccountChange = Change<
  Pick<Account, 'name' | 'tier' | 'limit_multiplier' | 'min_feed_cadence_minutes' | 'suspended' | 'in_market'>
>;

/** A page in the order of a key: at most `limit` items after the one named. */
export interface Page {
  limit: number;
  after: string | null;
}

export interface NewKey {
  id: string;
  accountId: string;
  kind: KeyKind;
  prefix: string;
  hash: string;
  allowedOrigins: string[];
  name: string | null;
  scopes: Scope[] | null;
  dealer: string | null;
  expiresAt: string | null;
  createdBy: string;
}

export interface AccountKeys {
  /** Those that work first, then the newest. `creator`: the maker's address, while the person belongs to the account. */
  list(): Promise<(ApiKey & { creator: string | null })[]>;
  get(id: string): Promise<(ApiKey & { creator: string | null }) | null>;
  /** These return false when the account has no such key that is not revoked. */
  change(
    id: string,
    change: { name: string | null; allowedOrigins: string[] },
    audit: AuditEntry,
  ): Promise<boolean>;
  revoke(id: string, audit: AuditEntry): Promise<boolean>;
  /**
   * Puts a key like this one beside it, which ends after so many hours; 0: at once, so that as many as before work.
   * `maxKeys`: how many of the account may work at a time.
   */
  rotate(
    id: string,
    next: Pick<NewKey, 'id' | 'prefix' | 'hash' | 'createdBy'>,
    overlapHours: number,
    maxKeys: number,
    audit: AuditEntry,
  ): Promise<boolean | 'too_many'>;
  /** Keys that work now. */
  count(): Promise<number>;
}

export interface Accounts {
  /**
   * The principal of an active key, by the SHA-256 of the key in hex; null when unknown or revoked. `origin` is the page's
   * that sends it, and is noted beside the time.
   */
  authenticate(keyHash: string, origin: string | null): Promise<Principal | null>;
  /** Whether the account is for tests; null when there is none. */
  isTest(id: string): Promise<boolean | null>;
  /** Asks the database for every key again, after something else suspended its account. */
  forget(): void;
  /** The id of its account; null when there is no such key. */
  accountOfKey(id: string): Promise<string | null>;
  create(
    account: Omit<Account, 'suspended' | 'erasing' | 'erase_at' | 'created_at' | 'updated_at'>,
    audit: AuditEntry,
  ): Promise<Account>;
  get(id: string, audit: AuditEntry): Promise<Account | null>;
  /** By name. `q`: part of a name, an id, or the whole e-mail address of one of its people; null: all. */
  list(q: string | null, page: Page, audit: AuditEntry): Promise<Account[]>;
  change(id: string, change: AccountChange, audit: AuditEntry): Promise<Account | null>;
  /** Null: there is no such account. `too_many`: `maxKeys` of it work already. */
  createKey(key: NewKey, maxKeys: number | null, audit: AuditEntry): Promise<ApiKey | null | 'too_many'>;
  /** The keys of one account, as its owners manage them. */
  ownKeys(accountId: string): AccountKeys;
  listKeys(accountId: string, audit: AuditEntry): Promise<ApiKey[]>;
  /** False when there is no such key; revoking twice is true. */
  revokeKey(id: string, audit: AuditEntry): Promise<boolean>;
}
