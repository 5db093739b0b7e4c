import type { ImageStatus, ImageType, ListingStatus } from './contract/fields.ts';
import type { Facet, Sort } from './contract/search.ts';
import type { Located } from './domain/listing-doc.ts';
import type { Marks, Observation, Tallies } from './domain/market-cell.ts';
import type { MarketFilter } from './domain/market-filter.ts';
import type { History, KnownWeek } from './domain/market-weeks.ts';
import type { VinDecoded } from './domain/truck.ts';
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

/** As the dealer was saved, unread. */
export type DealerPlace = Pick<Dealer, 'city' | 'state' | 'zip'>;

export interface ReadAnswer {
  /** Database time in ms since the epoch. */
  now: number;
  /** The account's only dealer, when it has just one. */
  onlyDealer: string | null;
  /** The dealers that matter here, those asked for among them as far as the account has them, each with its place. */
  dealers: ReadonlyMap<string, DealerPlace>;
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
  /** The same with `market_position`. */
  byVinInMarket(vin: string): Promise<string | null>;
  /** Null when the account has no such listing. Answers the status of the freshest before the change. */
  setStatus(
    vin: string,
    sourceProviderId: string | null,
    status: ListingStatus,
  ): Promise<{ previous: ListingStatus; updated: number } | null>;
}

/** What listings have to be like: every member that is not null. Values are canonical. */
export interface SearchFilters {
  status: readonly ListingStatus[];
  make: readonly string[] | null;
  model: readonly string[] | null;
  year: readonly number[] | null;
  class: readonly string[] | null;
  body_type: readonly string[] | null;
  condition: readonly string[] | null;
  fuel_type: readonly string[] | null;
  state: readonly string[] | null;
  dealer: readonly string[] | null;
  /** Both ends belong to the range. */
  years: Range | null;
  price: Range | null;
  mileage: Range | null;
  quality: Range | null;
  has_images: boolean | null;
  /** ISO 8601. */
  updated_since: string | null;
  /** Within `miles` of a place. */
  near: (Coordinates & { miles: number }) | null;
  /** All of these; of each any alternative, which is words that all have to occur. */
  words: readonly (readonly (readonly SearchWord[])[])[] | null;
}

export interface SearchWord {
  text: string;
  /** Also the beginning of a word. */
  prefix: boolean;
}

export interface Range {
  min: number | null;
  max: number | null;
}

/** Where a page of a search starts: after the listing with this key of the order and this dedup hash. */
export interface SearchPosition {
  /** As text; null for a listing without the value that the order goes by. */
  key: string | null;
  dedupHash: string;
}

export interface SearchRequest {
  filters: SearchFilters;
  sort: Sort;
  after: SearchPosition | null;
  limit: number;
}

export interface SearchResult {
  /** JSON array text of the page's listings, as `byVin` answers one, without price history and sources. */
  listings: string;
  count: { value: number; exact: boolean };
  /** Values with how many listings found have them; a price is the number of its band (contract/price-bands.ts). */
  facets: readonly (readonly [facet: Facet, value: string, count: number])[];
  /** The last listing of the page when more follow. */
  next: SearchPosition | null;
  /** Appended facet changes that the answer had to add up itself. */
  unfolded: number;
}

/** Search of one account's listings; sees every write that has ended. */
export interface Search {
  of(accountId: string): {
    /** Makes and models that there are or were listings of; model '' where it is not known. */
    names(): Promise<{ make: string; model: string }[]>;
    find(request: SearchRequest): Promise<SearchResult>;
  };
}

/** The counts behind the facets: writers append changes, a job folds them. */
export interface Facets {
  /** Accounts with changes to fold. */
  pending(): Promise<string[]>;
  of(accountId: string): {
    /** Folds some changes, all or nothing; answers how many: 0 when none are left that nobody else is folding. */
    fold(): Promise<number>;
    /** Forgets counts that have come down to nothing; answers how many. */
    sweep(): Promise<number>;
  };
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
  /**
   * Batch look-up, same length and order; null where nothing is known, `later` where it could not be asked now. Throws
   * for no single bad place.
   */
  locate(
    places: readonly { city: string | null; state: string | null; zip: string | null }[],
  ): Promise<(Located | 'later')[]>;
}

/** One exchange with a server that is not ours. */
export interface OutboundRequest {
  url: string;
  /** Default GET. Redirects are followed for GET only. */
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Most bytes of the answer's body, as transferred and as decompressed. */
  maxBytes: number;
  /** For everything: looking up, connecting, redirects, the whole body. */
  timeoutMs: number;
  httpsOnly?: boolean;
}

export interface OutboundAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Where the answer came from, after redirects. */
  url: string;
  /** The body, decompressed. */
  bytes: Uint8Array;
}

/** Why there was no answer, and whether another try may fare better. */
export const OUTBOUND_FAILURES = {
  /** No http(s) URL, another port than 80 or 443, or credentials in it. */
  url_refused: 'final',
  /** It leads to an address that is not public. */
  address_refused: 'final',
  dns_failed: 'transient',
  connection_failed: 'transient',
  timeout: 'transient',
  too_large: 'final',
  too_many_redirects: 'final',
  /** Compressed in a way that cannot be read. */
  encoding_unreadable: 'final',
} as const;
export type OutboundReason = keyof typeof OUTBOUND_FAILURES;

export class OutboundFailure extends Error {
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, detail: string, cause?: unknown) {
    super(`${reason}: ${detail}`, { cause });
    this.name = 'OutboundFailure';
    this.reason = reason;
  }

  get transient(): boolean {
    return OUTBOUND_FAILURES[this.reason] === 'transient';
  }
}

/** The only way out: everything fetched for others goes through it. */
export interface Fetcher {
  /** Any HTTP status is an answer. Throws `OutboundFailure`. */
  fetch(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Cuts off what is under way and refuses what comes. */
  close(): void;
}

/** Bytes by key. Keys are lower-case paths such as `media/3f…/640.webp`; what is stored under one never changes. */
export interface Objects {
  /** Readers see all of it or nothing. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Null when there is no such object. */
  get(key: string): Promise<Uint8Array | null>;
  /** Milliseconds of a round trip; throws when objects cannot be stored. */
  ping(): Promise<number>;
}

/** A photo made ready to be shown. */
export interface RenderedImage {
  /** Pixels of the original as it is to be looked at, EXIF orientation applied. */
  width: number;
  height: number;
  /** WebP without metadata, narrowest first; none wider than the original. */
  renditions: readonly { width: number; height: number; bytes: Uint8Array }[];
  /** Blurred thumbnail as a data URI. */
  placeholder: string;
}

export interface Imaging {
  /** Null when the bytes are no sound image of that type; `too_many_pixels` before any pixel is decoded. */
  render(bytes: Uint8Array, type: ImageType): Promise<RenderedImage | 'too_many_pixels' | null>;
}

/** One image URL as it stands. */
export interface ImageSource {
  url: string;
  status: ImageStatus;
  /** Why it failed, or why the last try did. */
  reason: string | null;
}

/** A claimed image: only the holder of the newest fence may say what became of it. */
export interface ImageJob {
  accountId: string;
  url: string;
  host: string;
  /** Tries before this one that ended in a transient failure. */
  attempts: number;
  fence: number;
}

/** What is known of an image's bytes once they are in the object store. */
export interface StoredImage {
  /** SHA-256 of the original's bytes, hex. */
  hash: string;
  width: number;
  height: number;
  original: string;
  placeholder: string;
  renditions: readonly { width: number; height: number; url: string }[];
}

/** The queue of images to fetch. Listings enter theirs as they are written. */
export interface Images {
  of(accountId: string): AccountImages;
  /**
   * Due images across all accounts, leased for `leaseSeconds`, the longest due first. `suspects`: those whose last
   * holder vanished. One whose holders keep vanishing is parked (failed, `parked`) instead.
   */
  claim(limit: number, leaseSeconds: number, which: 'sound' | 'suspects'): Promise<ImageJob[]>;
  /** These three answer false when another holder has it by now; then nothing was written. */
  store(job: ImageJob, image: StoredImage): Promise<boolean>;
  fail(job: ImageJob, reason: string): Promise<boolean>;
  /** `counted`: the try was the image's own failure and counts against it. */
  retry(job: ImageJob, reason: string | null, delaySeconds: number, counted: boolean): Promise<boolean>;
  /** `retry` of many in one go; those that another holder has by now are left alone. */
  retryAll(retries: readonly ImageRetry[]): Promise<void>;
}

export interface ImageRetry {
  job: ImageJob;
  reason: string | null;
  delaySeconds: number;
  counted: boolean;
}

export interface AccountImages {
  /**
   * Enters URLs, claims those that nobody is at, before they are due too, and answers how each stands; `job` where
   * the caller got it now.
   */
  take(urls: readonly string[], leaseSeconds: number): Promise<(ImageSource & { job: ImageJob | null })[]>;
  /** An image of the same bytes that the account has already. */
  stored(hash: string): Promise<StoredImage | null>;
}

/** The hourly jobs over images and the listings that name them. */
export interface ImageUpkeep {
  /** Accounts with images that died lately. */
  withDead(): Promise<string[]>;
  /** Corrects quality and `has_images` of listings that name such images; answers how many. */
  regrade(accountId: string): Promise<number>;
  /** Accounts whose turn it is in this hour of the day, 0 to 23. */
  ofHour(hour: number): Promise<string[]>;
  /** Forgets images that no listing names any more and nothing happened to for 30 days; answers how many. */
  forget(accountId: string): Promise<number>;
}

export const MARKET_JOB = 'market';

/** Null: any. */
export type TruckKind = Pick<MarketFilter, 'make' | 'model' | 'truckClass'>;

/** Cells of the market, in order of model year; several of one year differ in class. */
export interface MarketCells {
  /** Whatever was written before is counted. */
  asOf: string;
  /** `marks` only when asked for. */
  cells: { year: number; tallies: Tallies; marks: Marks | null }[];
}

/**
 * What all accounts together have for sale. It knows who sells what: whatever reaches a caller must have passed
 * the rules of domain/market-figures.ts.
 */
export interface Market {
  /** The listings that fit, as they are now; null when more than `bound` would have to be looked at. */
  live(filter: MarketFilter, bound: number): Promise<Observation[] | null>;
  /** Priced listings of the same model, a few years around, those of nearest mileage; none of the VIN itself. */
  near(truck: {
    vin: string;
    make: string;
    model: string;
    year: number;
    mileage: number | null;
  }): Promise<Observation[]>;
  /** All listings of a make but those of a VIN; null when they are more than `bound`. */
  ofMake(make: string, exceptVin: string, bound: number): Promise<Observation[] | null>;
  /** The cells of the filter's make, model, model years and class; it heeds nothing else. */
  cells(filter: MarketFilter, withMarks: boolean): Promise<MarketCells>;
  /** Histories of the listings of a kind, sold and delisted ones too; null when these are more than `bound`. */
  histories(kind: TruckKind, bound: number): Promise<History[] | null>;
  /** Counted weeks from the Monday `since` on, and the newest one before; one list per class, ascending. */
  weeks(kind: TruckKind, since: string): Promise<KnownWeek[][]>;
  /** Counts the weeks of one dirty kind of truck again; false when none is dirty, null when the lease is lost. */
  foldTrend(fence: number): Promise<boolean | null>;
  /** Counts cells of at most `limit` dirty marks again; answers how many marks, null when the lease is lost. */
  fold(fence: number, limit: number): Promise<number | null>;
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
  /** Forgets what the remote geocoder said long ago; answers how many places. */
  sweepGeocodes(): Promise<number>;
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
  market: Market;
  images: Images;
  imageUpkeep: ImageUpkeep;
  search: Search;
  facets: Facets;
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
  vinDecoder: VinDecoder;
  fetcher: Fetcher;
  objects: Objects;
  imaging: Imaging;
  background: Background;
  clock: Clock;
  random: Random;
  log: Log;
  settings: Settings;
}

export interface VinDecoder {
  /** Same length and order; null where the extract knows nothing. Loads its data on first use. Takes any text as VIN. */
  decode(vins: readonly { vin: string; year: number | null }[]): Promise<(VinDecoded | null)[]>;
}
