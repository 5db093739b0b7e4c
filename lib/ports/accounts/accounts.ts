import type { AuditEntry } from './audit.ts';

/** Accounts and their keys. */

export const TIERS = ['starter', 'pro', 'enterprise'] as const;

export type Tier = (typeof TIERS)[number];

export const KEY_KINDS = ['secret', 'publishable'] as const;

export type KeyKind = (typeof KEY_KINDS)[number];

/** What a key may be limited to. */
export const SCOPES = ['inventory:read', 'inventory:write', 'leads', 'feeds', 'market'] as const;

export type Scope = (typeof SCOPES)[number];

export interface Account {
  id: string;
  name: string;
  tier: Tier;
  /** Factor on the fair-use ceilings, 1 to 100. */
  limit_multiplier: number;
  min_feed_cadence_minutes: number;
  suspended: boolean;
  /** False: its listings are in nobody's market data. */
  in_market: boolean;
  /** For trying things out; never changes. */
  test: boolean;
  created_at: string;
  updated_at: string;
}

export interface ApiKey {
  id: string;
  account_id: string;
  kind: KeyKind;
  /** The readable start of the key; never the secret. */
  prefix: string;
  allowed_origins: string[];
  name: string | null;
  /** Null: all. */
  scopes: Scope[] | null;
  /** The dealer that the key reaches, in a list; null: all. */
  dealers: string[] | null;
  expires_at: string | null;
  created_at: string;
  /** The person who made it, or `operator`. */
  created_by: string;
  last_used_at: string | null;
  /** Of the page that used it last; of publishable keys. */
  last_origin: string | null;
  revoked_at: string | null;
}

/** Who is calling: a key and its account. */
export interface Principal {
  keyId: string;
  kind: KeyKind;
  allowedOrigins: readonly string[];
  /** Null: all. */
  scopes: readonly Scope[] | null;
  /** The only dealer that the key reaches; null: all. */
  dealer: string | null;
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
  /** Puts a key like this one beside it, which ends after so many hours; 0: at once. */
  rotate(
    id: string,
    next: Pick<NewKey, 'id' | 'prefix' | 'hash' | 'createdBy'>,
    overlapHours: number,
    audit: AuditEntry,
  ): Promise<boolean>;
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
  /** Whether some active publishable key lists this origin (lower case). */
  listsOrigin(origin: string): Promise<boolean>;
  create(
    account: Omit<Account, 'suspended' | 'created_at' | 'updated_at'>,
    audit: AuditEntry,
  ): Promise<Account>;
  get(id: string, audit: AuditEntry): Promise<Account | null>;
  list(page: Page, audit: AuditEntry): Promise<Account[]>;
  change(id: string, change: AccountChange, audit: AuditEntry): Promise<Account | null>;
  /** Null: there is no such account. `too_many`: `maxKeys` of it work already. */
  createKey(key: NewKey, maxKeys: number | null, audit: AuditEntry): Promise<ApiKey | null | 'too_many'>;
  /** The keys of one account, as its owners manage them. */
  ownKeys(accountId: string): AccountKeys;
  listKeys(accountId: string, audit: AuditEntry): Promise<ApiKey[]>;
  /** False when there is no such key; revoking twice is true. */
  revokeKey(id: string, audit: AuditEntry): Promise<boolean>;
}
