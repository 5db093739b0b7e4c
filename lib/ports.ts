import type { ListingStatus } from './contract/fields.ts';
import type { ListingChange, StoredListing } from './pipeline/stage.ts';

/** Interfaces to everything outside the business: stores, limiter, time, chance, log. Adapters implement them. */

export const TIERS = ['starter', 'pro', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];
export const KEY_KINDS = ['secret', 'publishable'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export interface Account {
  id: string;
  name: string;
  tier: Tier;
  /** Factor on the fair-use ceilings, 1 to 100. */
  limit_multiplier: number;
  min_feed_cadence_minutes: number;
  suspended: boolean;
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
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

/** Who is calling: a key and its account. */
export interface Principal {
  keyId: string;
  kind: KeyKind;
  allowedOrigins: readonly string[];
  account: Pick<Account, 'id' | 'tier' | 'limit_multiplier' | 'min_feed_cadence_minutes' | 'suspended'>;
}

/** One row of the operator's audit trail. */
export interface AuditEntry {
  action: string;
  target: string;
  requestId: string;
  detail: Record<string, unknown>;
}

/** A change of some members; undefined leaves one as it is. */
type Change<T> = { [Name in keyof T]?: T[Name] | undefined };

export type AccountChange = Change<
  Pick<Account, 'name' | 'tier' | 'limit_multiplier' | 'min_feed_cadence_minutes' | 'suspended'>
>;

/** A page in the order of a key: at most `limit` items after the one named. */
export interface Page {
  limit: number;
  after: string | null;
}

export interface Accounts {
  /** The principal of an active key, by the SHA-256 of the key in hex; null when unknown or revoked. */
  authenticate(keyHash: string): Promise<Principal | null>;
  create(
    account: Pick<Account, 'id' | 'name' | 'tier' | 'limit_multiplier' | 'min_feed_cadence_minutes'>,
    audit: AuditEntry,
  ): Promise<Account>;
  get(id: string, audit: AuditEntry): Promise<Account | null>;
  list(page: Page, audit: AuditEntry): Promise<Account[]>;
  change(id: string, change: AccountChange, audit: AuditEntry): Promise<Account | null>;
  createKey(
    key: {
      id: string;
      accountId: string;
      kind: KeyKind;
      prefix: string;
      hash: string;
      allowedOrigins: string[];
    },
    audit: AuditEntry,
  ): Promise<ApiKey | null>;
  listKeys(accountId: string, audit: AuditEntry): Promise<ApiKey[]>;
  /** False when there is no such key; revoking twice is true. */
  revokeKey(id: string, audit: AuditEntry): Promise<boolean>;
}

export interface Dealer {
  slug: string;
  name: string;
  phone: string | null;
  email: string | null;
  website: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  created_at: string;
  updated_at: string;
}

export type DealerChange = Change<Omit<Dealer, 'slug' | 'created_at' | 'updated_at'>>;

export interface Dealers {
  of(accountId: string): AccountDealers;
}

export interface AccountDealers {
  /** `taken` when another account holds the slug. */
  save(
    slug: string,
    name: string,
    rest: DealerChange,
  ): Promise<{ dealer: Dealer; created: boolean } | 'taken'>;
  change(slug: string, change: DealerChange): Promise<Dealer | null>;
  list(page: Page): Promise<Dealer[]>;
}

/** A record about to be looked up: its identity and the hash of its normalised input. */
export interface Wanted {
  dedupHash: string;
  inputHash: string;
  dealer: string | null;
}

export interface ReadAnswer {
  /** Database time in ms since the epoch. */
  now: number;
  /** The account's only dealer, when it has just one. */
  onlyDealer: string | null;
  /** Those of the dealer slugs asked for that the account has. */
  knownDealers: ReadonlySet<string>;
  /** By dedup hash; `doc` is null when input hash and dealer are the same as stored: nothing would change. */
  listings: ReadonlyMap<string, StoredListing>;
}

/** The only way to a seller's listings. */
export interface Listings {
  of(accountId: string): AccountListings;
}

export interface AccountListings {
  /** True inside `hold` or a transaction: rows must be locked before they are read. */
  readonly transactional: boolean;
  /** One statement, whatever the size. */
  read(wanted: readonly Wanted[]): Promise<ReadAnswer>;
  /**
   * Writes listing, search document and history together, one statement. A row goes in only if its version is
   * still the one read. Answers the dedup hashes that were stored; the others lost a race. Throws `Unstorable` when
   * the store refuses the data, `HoldTimeout` when somebody else holds a row for long; then nothing was written.
   */
  write(changes: readonly ListingChange[]): Promise<ReadonlySet<string>>;
  /**
   * Runs `work` in a transaction that holds the row locks of these listings, existing or not, taken in hash
   * order. Throws `HoldTimeout` when one of them is not to be had within `patienceMs`; then nothing was done.
   */
  hold<T>(
    dedupHashes: readonly string[],
    work: (held: AccountListings) => Promise<T>,
    patienceMs: number,
  ): Promise<T>;
  /**
   * The listing of this VIN as JSON object text, ready to be passed through: of several providers the freshest
   * available one, with `sources`.
   */
  byVin(vin: string): Promise<string | null>;
  /** Null when the account has no such listing. Answers the status of the freshest before the change. */
  setStatus(
    vin: string,
    sourceProviderId: string | null,
    status: ListingStatus,
  ): Promise<{ previous: ListingStatus; updated: number } | null>;
}

/** Something the service depends on does not answer; the caller may try again. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** Row locks could not be had in time. */
export class HoldTimeout extends Unavailable {
  constructor(cause?: unknown) {
    super('listings are held by another writer', { cause });
    this.name = 'HoldTimeout';
  }
}

/** The data of these rows cannot be stored, however often it is tried (SQLSTATE class 22 or 23). */
export class Unstorable extends Error {
  constructor(cause?: unknown) {
    super('the store refuses this data', { cause });
    this.name = 'Unstorable';
  }
}

export interface StoredAnswer {
  status: number;
  body: string;
}

/** Answers kept under an Idempotency-Key for 24 hours. */
export interface Idempotency {
  of(accountId: string): {
    /** Claims the key inside the caller's transaction; waits for a concurrent holder to finish. */
    claim(key: string, fingerprint: string): Promise<'claimed' | 'mismatch' | StoredAnswer>;
    keep(key: string, answer: StoredAnswer): Promise<void>;
    /** Gives the key free again, inside the same transaction. */
    drop(key: string): Promise<void>;
  };
  /** Deletes what has expired; answers how many. */
  sweep(): Promise<number>;
}

/** How many of what per window: a bucket of the fair-use limiter. */
export interface Quota {
  /** Name on the wire, for example `requests`. */
  name: string;
  limit: number;
  windowSeconds: number;
}

export interface Verdict {
  allowed: boolean;
  /** Calls left in the window after this one. */
  remaining: number;
  /** Seconds until the window has room for everything again (at least 1 while anything is counted). */
  resetSeconds: number;
  /** Whole seconds to wait; 0 when allowed. A lone caller that waits them is admitted. */
  retryAfterSeconds: number;
}

/** Exact sliding log: never more than `limit` admitted in any window of `windowSeconds`. */
export interface Limiter {
  /** True when answers come from this process without waiting. */
  readonly local: boolean;
  take(quota: Quota, subject: string): Promise<Verdict>;
  /** Milliseconds of a round trip to the backing store; throws when it is not to be had. */
  ping(): Promise<number>;
}

/** Coordinates of a US place. */
export interface Coordinates {
  latitude: number;
  longitude: number;
}

export interface Geocoder {
  /** Batch look-up, same length and order; null where nothing is known. Throws for no single bad place. */
  locate(
    places: readonly { city: string | null; state: string | null; zip: string | null }[],
  ): Promise<(({ source: 'zip' | 'city' } & Coordinates & { city: string; state: string }) | null)[]>;
}

/** A job's lease with a fencing token: only the newest holder may write. */
export interface Leases {
  /** Null when another holder's lease is alive. */
  acquire(job: string, seconds: number): Promise<{ fence: number } | null>;
  /** False when the lease was lost meanwhile. */
  release(job: string, fence: number, result: Record<string, unknown>): Promise<boolean>;
  last(job: string): Promise<{ finishedAt: string; result: Record<string, unknown> } | null>;
}

/** The database as a whole. */
export interface Store {
  /** Milliseconds of a trivial round trip. */
  ping(): Promise<number>;
  /** Names of applied migrations against those the code knows. */
  migrations(): Promise<{ applied: number; known: number }>;
  /** Runs `work` with every store port bound to one transaction; a throw rolls back. */
  transaction<T>(work: (bound: StorePorts) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface StorePorts {
  listings: Listings;
  dealers: Dealers;
  accounts: Accounts;
  idempotency: Idempotency;
  leases: Leases;
}

/** Work that may go on after the answer was sent. */
export interface Background {
  run(work: Promise<unknown>): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Random {
  /** `size` bytes fit for secrets. */
  bytes(size: number): Uint8Array;
}

export interface Log {
  write(entry: Record<string, unknown>): void;
}

/** Settings that services need, from the environment. */
export interface Settings {
  supportEmail: string;
  salesEmail: string;
  adminToken: string | null;
  cronSecret: string | null;
  fairUse: 'enforce' | 'observe';
  /** Makes that also build consumer vehicles. */
  dualUseMakes: readonly string[];
}

export interface Ports extends StorePorts {
  store: Store;
  limiter: Limiter;
  /** Counts in this process only and never waits: for what must not cost a round trip. */
  localLimiter: Limiter;
  geocoder: Geocoder;
  background: Background;
  clock: Clock;
  random: Random;
  log: Log;
  settings: Settings;
}

export type VinVehicleType =
  | 'truck'
  | 'bus'
  | 'incomplete_vehicle'
  | 'multipurpose_passenger_vehicle'
  | 'passenger_car';

/** What a VIN alone says of a vehicle, on the wire under `vin_facts`; null where it says nothing. */
export interface VinDecoded {
  /** Canonical spelling. */
  make: string | null;
  model: string | null;
  series: string | null;
  year: number | null;
  /** Model years that position 10 may stand for at this maker, oldest first. */
  years_possible: number[];
  vehicle_type: VinVehicleType;
  /** `class_1` to `class_8`; null also where GVWR spans classes. */
  truck_class: `class_${number}` | null;
  /** lb; the bounds of the class or classes. */
  gvwr_min: number | null;
  /** lb; null also for Class 8, which has no upper bound. */
  gvwr_max: number | null;
  /** Canonical name; null for consumer bodies and where "truck" or "incomplete" is all that is known. */
  body_type: string | null;
  cab: string | null;
  /** Wheels by driven wheels, `6x4`. */
  drivetrain: string | null;
  /** Maker and model, or maker and displacement: `Cummins ISB`, `Ford 6.7L`. */
  engine: string | null;
  engine_make: string | null;
  engine_model: string | null;
  displacement_l: number | null;
  cylinders: number | null;
  /** Only where the VIN names one rating. */
  horsepower: number | null;
  fuel_type: string | null;
  /** The company that holds the manufacturer identifier. */
  manufacturer: string | null;
  plant_country: string | null;
  check_digit_valid: boolean;
}

export interface VinDecoder {
  /** Same length and order; null where the extract knows nothing. Loads its data on first use. Takes any text as VIN. */
  decode(vins: readonly { vin: string; year: number | null }[]): Promise<(VinDecoded | null)[]>;
}
