import type { FeedRunStatus } from './contract/feed-fields.ts';
import type { FeedCompression, FeedEncoding, FeedFormat, FeedProtocol } from './contract/feed-files.ts';
import type { ImageStatus, ImageType, ListingStatus } from './contract/fields.ts';
import type { DeliveryKind, DeliveryStatus, LeadStatus, Speaker } from './contract/lead-states.ts';
import type { Facet, Sort } from './contract/search.ts';
import type { FeedPlan } from './domain/feed-mapping.ts';
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
  /** Whether some active publishable key lists this origin (lower case). */
  listsOrigin(origin: string): Promise<boolean>;
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
  /** Where leads go; null: nowhere, they wait to be read. */
  lead_email: string | null;
  lead_webhook_url: string | null;
  created_at: string;
  updated_at: string;
}

export type DealerChange = Change<Omit<Dealer, 'slug' | 'created_at' | 'updated_at'>>;

export interface Dealers {
  of(accountId: string): AccountDealers;
}

/** A signing secret for a dealer's webhook: taken if it has none yet, or in place of its old one. */
export interface WebhookSecret {
  value: string;
  replaces: boolean;
}

export interface AccountDealers {
  /**
   * `taken` when another account holds the slug. A webhook URL that is cleared takes its secret along; `secret` is
   * kept when there is a URL and the dealer has none, and then the answer has it.
   */
  save(
    slug: string,
    name: string,
    rest: DealerChange,
    secret: WebhookSecret,
  ): Promise<{ dealer: Dealer; created: boolean; secretTaken: boolean } | 'taken'>;
  change(
    slug: string,
    change: DealerChange,
    secret: WebhookSecret,
  ): Promise<{ dealer: Dealer; secretTaken: boolean } | null>;
  /** Null when the account has no such dealer. */
  get(slug: string): Promise<Dealer | null>;
  /** What signs the calls of the dealer's webhook; null when it has none. */
  webhookSecret(slug: string): Promise<string | null>;
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

/** A tool that the model may call. Whatever `run` answers goes to the model as JSON; a throw ends the reply. */
export interface AssistantTool {
  name: string;
  description: string;
  /** JSON Schema of the input; the model may not keep to it. */
  parameters: {
    type: 'object';
    properties: Record<string, { type: 'string' | 'integer'; description: string; enum?: string[] }>;
    required: string[];
    additionalProperties: false;
  };
  run(input: unknown): Promise<unknown>;
}

export interface AssistantRequest {
  instructions: string;
  /** Oldest first; the last is the one to reply to. */
  messages: readonly { role: 'user' | 'assistant'; text: string }[];
  tools: readonly AssistantTool[];
  /** Calls of the model at most; in the last it may not call tools. */
  steps: number;
  signal: AbortSignal;
}

/** A language model. */
export interface Assistant {
  /**
   * The reply in pieces, as the model writes it. Throws `AssistantFailure`, also in the midst of it, and what a tool
   * throws.
   */
  reply(request: AssistantRequest): AsyncIterable<string>;
}

/** Something the service depends on does not answer; the caller may try again. */
export class Unavailable extends Error {
  override name = 'Unavailable';
}

/** Nothing of a message or of the provider's answer is in it: both may be personal. */
export class AssistantFailure extends Unavailable {
  override name = 'AssistantFailure';
  readonly reason: 'unreachable' | 'refused' | 'timeout' | 'broke_off' | 'aborted';

  /** `status`: the provider's HTTP status. */
  constructor(reason: AssistantFailure['reason'], status?: number) {
    super(`the assistant: ${reason}${status === undefined ? '' : ` (${status})`}`);
    this.reason = reason;
  }
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
  /** The same with what a file holds; it is never held in memory as a whole. */
  putFile(key: string, path: string, contentType: string): Promise<void>;
  /** The bytes in pieces; null when there is no such object. What breaks off on the way throws `Unavailable`. */
  open(key: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removing what is not there is no failure. */
  remove(key: string): Promise<void>;
  /** Milliseconds of a round trip; throws when objects cannot be stored. */
  ping(): Promise<number>;
}

/** Where a dealer's file is to be had, with what opens the door. */
export interface FeedLocation {
  protocol: FeedProtocol;
  /** `https://…` or `sftp://host[:port]/path`; never with credentials in it. */
  url: string;
  /** HTTPS: Basic authentication, with the password. */
  username: string | null;
  password: string | null;
  /** SFTP: OpenSSH or PEM text; its passphrase is `password`. */
  privateKey: string | null;
  /** SFTP: `SHA256:…` as ssh-keygen -l prints it. Null is refused, with the key's fingerprint in the message. */
  hostKeySha256: string | null;
}

/** What the file that was last taken said of itself. */
export interface FeedConditions {
  etag: string | null;
  lastModified: string | null;
}

export interface FeedLimits {
  maxBytes: number;
  /** For everything: looking up, connecting, logging in, redirects, the whole file. */
  timeoutMs: number;
}

export interface FetchedFile extends FeedConditions {
  bytes: number;
  /** Hex. */
  sha256: string;
  /** When the file says it was made, ms since the epoch. */
  fileTime: number | null;
  /** Last part of its path; '' when it has none. */
  name: string;
}

export interface FeedSource {
  /** Fills the file at `path`, which is made or replaced. Throws `FeedFault`; then what `path` holds is of no use. */
  fetch(
    location: FeedLocation,
    conditions: FeedConditions,
    path: string,
    limits: FeedLimits,
  ): Promise<FetchedFile | 'not_modified'>;
}

/** Why a feed's file could not be taken or read, whether another try may fare better, and what the dealer can do. */
export const FEED_FAULTS = {
  url_refused: {
    transient: false,
    fix: 'Use an https:// or sftp:// URL of a public host on its standard port, without credentials in the URL.',
  },
  address_refused: {
    transient: false,
    fix: 'Use a host that is reachable from the public internet; private addresses are not fetched from.',
  },
  dns_failed: { transient: true, fix: 'Check the host name of the URL.' },
  connection_failed: {
    transient: true,
    fix: 'Check that the server is up and lets connections from the internet in.',
  },
  certificate_refused: {
    transient: false,
    fix: 'Give the server a certificate for its name, signed by a public authority, with the whole chain.',
  },
  timeout: { transient: true, fix: 'Make the file smaller (gzip it) or the server faster.' },
  too_many_redirects: { transient: false, fix: 'Use the URL at which the file really is.' },
  too_large: { transient: false, fix: 'Compress the file, or split the stock over several feeds.' },
  http_status: { transient: true, fix: 'Let the URL answer 200 with the file.' },
  not_found: { transient: false, fix: 'Check the path of the URL; nothing is there.' },
  auth_failed: {
    transient: false,
    fix: 'Check username and password, or the private key, and that this user may read the file.',
  },
  host_key_unknown: {
    transient: false,
    fix: 'Compare the fingerprint with the one your SFTP server has, then set it as host_key_sha256.',
  },
  host_key_changed: {
    transient: false,
    fix: 'Ask whoever runs the SFTP server whether its key was changed on purpose; only then set host_key_sha256 to the new fingerprint.',
  },
  private_key_unreadable: {
    transient: false,
    fix: 'Send the private key as OpenSSH or PEM text; if it has a passphrase, send that as password.',
  },
  file_changing: {
    transient: true,
    fix: 'Write the file under another name and rename it when it is complete.',
  },
  encoding_unreadable: {
    transient: false,
    fix: 'Send the file without Content-Encoding, or with gzip.',
  },
  file_truncated: {
    transient: true,
    fix: 'The file ends too early: write it under another name and rename it when it is complete.',
  },
  file_damaged: { transient: false, fix: 'Make the file anew; its compression cannot be undone.' },
  zip_bomb: {
    transient: false,
    fix: 'Send a file that does not grow so much when decompressed.',
  },
  zip_unusable: {
    transient: false,
    fix: 'Put one data file, without a password, into the zip archive.',
  },
  web_page: {
    transient: false,
    fix: 'The URL answers a web page, perhaps a login; use the URL of the file itself.',
  },
  format_unknown: {
    transient: false,
    fix: 'Send CSV, TSV, pipe-separated values, JSON, NDJSON or XML, or name the format.',
  },
  format_unreadable: {
    transient: false,
    fix: 'Correct the file at the place named, or name its true format.',
  },
  dtd_refused: { transient: false, fix: 'Leave the document type with its entities out of the XML.' },
} as const satisfies Record<string, { transient: boolean; fix: string }>;
export type FeedFaultReason = keyof typeof FEED_FAULTS;

/** The dealer's file is not to be had or not to be read. `message` may be shown to the dealer; it names no secret. */
export class FeedFault extends Error {
  readonly reason: FeedFaultReason;
  readonly transient: boolean;

  constructor(
    reason: FeedFaultReason,
    message: string,
    options: { transient?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'FeedFault';
    this.reason = reason;
    this.transient = options.transient ?? FEED_FAULTS[reason].transient;
  }

  get fix(): string {
    return FEED_FAULTS[this.reason].fix;
  }
}

/** What is wrong with one row of a file; the rows around it go on. */
export const FEED_ROW_FAULTS = {
  ROW_TOO_LARGE: 'Leave values of more than a million characters out of the file.',
  ROW_RAGGED:
    'Put values that contain the separator into double quotes, so that the row has as many as the header.',
  ROW_UNREADABLE: 'Correct the row so that it can be read on its own.',
} as const;
export type FeedRowFaultCode = keyof typeof FEED_ROW_FAULTS;

/** One row of a dealer's file. */
export interface FeedRow {
  /** Where it starts, counted from 1. */
  line: number;
  /** Values by column; text, or for JSON and XML lists and objects too. Null when nothing of it can be read. */
  fields: Record<string, unknown> | null;
  /** The row is not to be ingested; `fields` still tell which truck it is about, as far as they go. */
  fault: { code: FeedRowFaultCode; message: string } | null;
}

/** A place between two rows. A plain JSON value; reading goes on from there without parsing what came before. */
export interface FeedPosition {
  format: FeedFormat;
  /** UTF-16 units of the decoded text before the next row. XML: 0, its rows are counted instead. */
  at: number;
  /** Line of that place, counted from 1. */
  line: number;
  /** Rows before it. */
  row: number;
  /** What the beginning of the file said and the rest depends on. */
  head: {
    delimiter?: string;
    columns?: readonly string[];
    /** Members that lead to the list of rows. */
    path?: readonly string[];
    /** XML: names of the elements that are rows. */
    names?: readonly string[];
  };
}

export interface FeedChunk {
  rows: FeedRow[];
  /** Right after the last of them. */
  position: FeedPosition;
}

/** A file whose beginning has been looked at. */
export interface OpenFeedFile {
  format: FeedFormat;
  compression: FeedCompression;
  encoding: FeedEncoding;
  /** Of CSV, TSV and the like. */
  delimiter: string | null;
  /** The member of a zip archive that is read. */
  entry: string | null;
  /** As the header names them; null where rows name their values themselves. */
  columns: readonly string[] | null;
  /** Rows in order, `size` at a time, fewer only at the end. Memory does not grow with the file. Throws `FeedFault`. */
  chunks(size: number): AsyncIterable<FeedChunk>;
}

export interface FeedFiles {
  /** Recognises compression, encoding and, when it is null, format by content. Throws `FeedFault`. */
  open(path: string, format: FeedFormat | null, from: FeedPosition | null): Promise<OpenFeedFile>;
}

/** A dealer's file that is pulled, as it is answered. */
export interface Feed {
  id: string;
  name: string;
  dealer: string | null;
  protocol: FeedProtocol;
  url: string;
  username: string | null;
  has_password: boolean;
  has_private_key: boolean;
  host_key_sha256: string | null;
  format: FeedFormat | null;
  source_provider_id: string | null;
  mapping: Record<string, string | null> | null;
  defaults: Record<string, unknown>;
  class_from_vin: boolean;
  zero_price_is_call: boolean;
  cadence_minutes: number;
  misses_before_delist: number;
  enabled: boolean;
  last_run: FeedRun | null;
  next_run_at: string | null;
  created_at: string;
  updated_at: string;
}

/** What a feed is made of; `password` and `private_key` are sealed by then. */
export type FeedSettings = Pick<
  Feed,
  | 'name'
  | 'dealer'
  | 'protocol'
  | 'url'
  | 'username'
  | 'host_key_sha256'
  | 'format'
  | 'source_provider_id'
  | 'mapping'
  | 'defaults'
  | 'class_from_vin'
  | 'zero_price_is_call'
  | 'cadence_minutes'
  | 'misses_before_delist'
  | 'enabled'
> & { password: string | null; private_key: string | null };
export type FeedChange = Change<FeedSettings>;

/** A row of the file that did not become a listing. */
export interface FeedReject {
  line: number;
  vin: string | null;
  /** A stage's code, or one of FEED_ROW_FAULTS. */
  code: string;
  field: string | null;
  received: unknown;
  fix: string;
}

export interface FeedError {
  /** One of FEED_FAULTS, or of the run's own. */
  reason: string;
  message: string;
  fix: string;
}

/** A run of a feed as it is answered; times are ISO 8601. */
export interface FeedRun {
  id: string;
  feed_id: string;
  status: FeedRunStatus;
  rows: number;
  created: number;
  merged: number;
  unchanged: number;
  delisted: number;
  rejected: number;
  rejects_by_code: Record<string, number>;
  /** The first of them. */
  rejects: FeedReject[];
  /** Only once the guard has held it. */
  would_delist: number | null;
  error: FeedError | null;
  bytes: number | null;
  sha256: string | null;
  /** Milliseconds by phase. */
  phases: Record<string, number>;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** Feeds and what is told of their runs. */
export interface Feeds {
  of(accountId: string): AccountFeeds;
}

export interface AccountFeeds {
  /** Due at once. `unknown_dealer` when the account has no such dealer. */
  create(id: string, settings: FeedSettings): Promise<Feed | 'unknown_dealer'>;
  /** In order of id. */
  list(page: Page): Promise<Feed[]>;
  get(id: string): Promise<Feed | null>;
  change(id: string, change: FeedChange): Promise<Feed | 'unknown_dealer' | null>;
  /** With its runs and what they found; listings stay. Answers the raw files that are left; null: no such feed. */
  remove(id: string): Promise<RawFile[] | null>;
  /** Newest first; null: no such feed. */
  runs(feedId: string, page: Page, rejects: number): Promise<FeedRun[] | null>;
  run(feedId: string, runId: string, rejects: number): Promise<FeedRun | null>;
  /** Rejects of a run in order, those of some chunks after the one named (-1: from the first); none: that was all. */
  rejects(runId: string, afterChunk: number): Promise<{ chunk: number; rejects: FeedReject[] }[]>;
  /** Queues a run; answers the one that is queued or running already, if there is one. Null: no such feed. */
  start(feedId: string, runId: string): Promise<string | null>;
  /** Sends a held run on to delist. `superseded`: a later run has taken its place. Null: no such run. */
  release(feedId: string, runId: string): Promise<'released' | 'not_held' | 'superseded' | null>;
}

/** A claimed run: only the holder of the newest fence may write. */
export interface FeedClaim {
  accountId: string;
  feedId: string;
  runId: string;
  /** Runs of a feed in their order. */
  no: number;
  fence: number;
}

export type FeedPhase = 'fetch' | 'ingest' | 'reconcile' | 'delist';

export interface ClaimedRun extends FeedClaim {
  /** Database time, ms since the epoch. */
  now: number;
  phase: FeedPhase;
  released: boolean;
  /** Claims since there was progress, this one included. */
  claims: number;
  /** When the snapshot was taken, ms since the epoch; null before it was fetched. */
  observedAt: number | null;
  rejectsByCode: Record<string, number>;
  phases: Record<string, number>;
  /** What an earlier holder left for this one; null before the file was fetched. */
  state: FeedRunState | null;
  /** Of the file that was fetched. */
  sha256: string | null;
  /** The object store has it. */
  raw: boolean;
  /** The feed as it is now, with its secrets sealed. */
  feed: FeedSettings;
  /** Of the file that was applied last; null where it has to be read again in any case. */
  lastFile: { sha256: string; etag: string | null; lastModified: string | null } | null;
}

/** Where reading a file goes on, and how. Kept with the run, so that every holder reads alike. */
export interface FeedRunState {
  file: FeedConditions;
  /** The feed when the run began, as far as it says how to read the file. */
  format: FeedFormat | null;
  sourceProviderId: string | null;
  /** How rows become records; null before the first of them was seen. */
  plan: FeedPlan | null;
  /** After the last row that is written; null at the start. */
  position: FeedPosition | null;
  chunks: number;
  /** Something was rejected that may fare better next time: the same file is to be looked at again. */
  lookAgain: boolean;
}

/** What one chunk of a file came to. */
export interface FeedProgress {
  chunk: number;
  /** Dedup hashes of all its records, rejected ones too. */
  hashes: readonly string[];
  counts: { rows: number; created: number; merged: number; unchanged: number; rejected: number };
  rejects: readonly FeedReject[];
  rejectsByCode: Record<string, number>;
  state: FeedRunState;
}

/** What a complete snapshot does not have any more. */
export interface FeedDifference {
  /** Listings that it has; 0 is an empty file. */
  present: number;
  /**
   * Available listings of the feed before it: all of them, or as many as make it not matter how many more there are; null
   * when so few are gone that it does not matter at all.
   */
  live: number | null;
  /** Those of them that are missing now for the last time allowed. */
  gone: number;
}

/**
 * The queue of runs, across all accounts, and the work on one. Every writing method answers false, or null, when
 * another holder has the run by now; then nothing was written.
 */
export interface FeedRuns {
  /** Queues runs of feeds that are due; answers how many. */
  queueDue(): Promise<number>;
  /** The run that waits the longest, or this one; null when there is none, or somebody is at it. */
  claim(
    leaseSeconds: number,
    which: Pick<FeedClaim, 'accountId' | 'runId'> | null,
  ): Promise<ClaimedRun | null>;
  beat(claim: FeedClaim, leaseSeconds: number): Promise<boolean>;
  /** The file is here: goes on to `ingest`. */
  fetched(
    claim: FeedClaim,
    file: { bytes: number; sha256: string; observedAt: number; raw: boolean },
    state: FeedRunState,
  ): Promise<boolean>;
  /** Counts a chunk; inside the transaction that wrote its listings. */
  progress(claim: FeedClaim, progress: FeedProgress, leaseSeconds: number): Promise<boolean>;
  /** Goes on to another phase. */
  enter(claim: FeedClaim, phase: FeedPhase, phases: Record<string, number>): Promise<boolean>;
  /** Gives the run back: the next holder goes on at the same place, not before `delaySeconds`. */
  giveBack(claim: FeedClaim, phases: Record<string, number>, delaySeconds: number): Promise<boolean>;
  /**
   * Compares the complete snapshot with what the feed had before. Unless `isHeld` says so of the difference, notes what is
   * missing, each with its misses, and goes on to `delist`, all in one transaction.
   */
  compare(
    claim: FeedClaim,
    missesAllowed: number,
    isHeld: (difference: FeedDifference) => boolean,
  ): Promise<(FeedDifference & { held: boolean }) | null>;
  /**
   * Delists some of what is missing for the last time allowed, unless somebody has seen it since. `left`: there may be
   * more. Throws `HoldTimeout`.
   */
  delist(
    claim: FeedClaim,
    missesAllowed: number,
    most: number,
    leaseSeconds: number,
  ): Promise<{ delisted: number; left: boolean } | null>;
  /** The snapshot is applied: what earlier runs found is forgotten. */
  succeed(claim: FeedClaim, end: FeedEnd, file: ClaimedRun['lastFile']): Promise<boolean>;
  /** The file was the one that was applied last. */
  unchanged(claim: FeedClaim, end: FeedEnd): Promise<boolean>;
  hold(claim: FeedClaim, end: FeedEnd, wouldDelist: number): Promise<boolean>;
  /** The feed's next run waits the longer the more of them failed in a row. */
  fail(claim: FeedClaim, end: FeedEnd, error: FeedError): Promise<boolean>;
  /** Runs that ended and whose raw file is still there. */
  leftRaw(limit: number): Promise<RawFile[]>;
  rawRemoved(run: Pick<FeedClaim, 'accountId' | 'runId'>): Promise<void>;
  /** Forgets runs that ended long ago; answers how many. */
  sweep(): Promise<number>;
}

/** A run whose file is in the object store. */
export interface RawFile extends Pick<FeedClaim, 'accountId' | 'runId'> {
  sha256: string;
}

export interface FeedEnd {
  phases: Record<string, number>;
  /** Of a file that was looked at and not taken. */
  bytes?: number;
  sha256?: string;
}

/** Files on this machine's disk that nobody needs afterwards. */
export interface TempFiles {
  /** A path for a new file; `remove` is to be called in any case. */
  make(): Promise<{ path: string; remove(): Promise<void> }>;
  /** Fills the file at `path`. */
  fill(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Keeps secrets unreadable at rest. */
export interface Secrets {
  /** `about`: what the secret belongs to; it cannot be opened as another's. Throws `Unavailable` without a key. */
  seal(text: string, about: string): Promise<string>;
  /** Throws `Unavailable` when none of the keys is the one it was sealed with. */
  open(sealed: string, about: string): Promise<string>;
  /** False when it should be sealed anew, under the key that is the current one by now. */
  isCurrent(sealed: string): Promise<boolean>;
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

/** Who speaks with which dealer. */
export interface Visit {
  dealer: string;
  visitorId: string;
  /** As the caller names it; one that is not this visitor's at this dealer is as good as none. */
  conversationId: string | null;
}

export interface Message {
  role: Speaker;
  text: string;
  /** VINs of the trucks it is about. */
  vins: string[];
}

/** Conversations of visitors with dealers. */
export interface Conversations {
  of(accountId: string): {
    /**
     * The visitor's conversation: the one named, else the open one, else a new one under `newId`. One that nobody
     * touched for a day is no longer open. Concurrent calls of a visitor end in the same one.
     */
    enter(visit: Visit, newId: string): Promise<{ id: string; leadId: string | null }>;
    /** The newest messages, oldest first. */
    history(id: string, limit: number): Promise<(Message & { at: string })[]>;
    /** Adds messages in this order, after whatever is there; of the oldest only so many are kept. */
    append(id: string, messages: readonly Message[]): Promise<void>;
  };
  /** Forgets conversations that nobody touched for so many days; answers how many. */
  sweep(days: number): Promise<number>;
}

/** The truck a lead is about, as it was then. */
export interface LeadTruck {
  vin: string;
  year: number | null;
  make: string | null;
  model: string | null;
  trim: string | null;
  condition: string | null;
  price: number | null;
  mileage: number | null;
  stock_number: string | null;
}

/** What a visitor agreed to, and the evidence. */
export interface Consent {
  text: string | null;
  /** SHA-256 of the text, hex. */
  sha256: string | null;
  page: string | null;
  at: string;
  ip: string;
  user_agent: string | null;
}

export interface NewLead {
  id: string;
  name: string | null;
  email: string | null;
  /** E.164. */
  phone: string | null;
  message: string;
  vin: string | null;
  suspicious: boolean;
  /** Why it is suspicious. */
  doubts: string[];
  consent: Consent | null;
}

/** How one way of delivery stands. */
export interface Delivery {
  kind: DeliveryKind;
  status: DeliveryStatus;
  attempts: number;
  last_error: string | null;
  next_try_at: string | null;
  delivered_at: string | null;
}

export interface Lead extends NewLead {
  dealer: string;
  conversation_id: string;
  visitor_id: string;
  truck: LeadTruck | null;
  status: LeadStatus;
  transcript: { role: Speaker; text: string; at: string }[];
  delivery: Delivery[];
  created_at: string;
  updated_at: string;
}

/** Null: any. */
export interface LeadFilters {
  dealer: string | null;
  status: LeadStatus | null;
  /** ISO 8601: captured at this time or later. */
  since: string | null;
}

/** Leads, each with its outbox: they are written together, and a lead that is erased leaves nothing to send. */
export interface Leads {
  of(accountId: string): {
    /**
     * Captures a lead in the visitor's conversation, with its transcript, the truck of the VIN and one delivery per
     * way the dealer has, all or nothing. `captured` false: the conversation had one already; then nothing changed.
     */
    capture(
      visit: Visit,
      newConversationId: string,
      lead: NewLead,
    ): Promise<{ captured: boolean; leadId: string; conversationId: string }>;
    /** Newest first. */
    list(filters: LeadFilters, page: Page): Promise<Lead[]>;
    get(id: string): Promise<Lead | null>;
    setStatus(id: string, status: LeadStatus): Promise<Lead | null>;
    /** Forgets the lead, its transcript and its conversation; false when there is no such lead. */
    erase(id: string): Promise<boolean>;
  };
  /** Deliveries that are due, across all accounts, leased for `leaseSeconds`, the longest due first. */
  claim(limit: number, leaseSeconds: number): Promise<DeliveryJob[]>;
  /** These three answer false when another holder has it by now; then nothing was written. */
  delivered(job: DeliveryJob): Promise<boolean>;
  retry(job: DeliveryJob, error: string, delaySeconds: number): Promise<boolean>;
  /** Given up. */
  bury(job: DeliveryJob, error: string): Promise<boolean>;
  /** Forgets leads captured more than so many days ago; answers how many. */
  sweep(days: number): Promise<number>;
}

/** A claimed delivery. */
export interface DeliveryJob {
  accountId: string;
  leadId: string;
  kind: DeliveryKind;
  /** Tries, this one included. */
  attempts: number;
  fence: number;
  /** Since the lead was captured. */
  ageSeconds: number;
}

/** One e-mail, plain text. */
export interface Mail {
  to: string;
  replyTo: { name: string | null; address: string } | null;
  subject: string;
  text: string;
  /** What makes its Message-ID: the same on every try. */
  id: string;
}

/** Throws `MailFailure`. */
export interface Mailer {
  /** Ends when the next server has taken the mail over. */
  send(mail: Mail): Promise<void>;
}

/** A mail was not taken. `reason` is a short code, such as `smtp_550`, without anybody's address. */
export class MailFailure extends Error {
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`the mail was not taken: ${reason}`, { cause });
    this.name = 'MailFailure';
    this.reason = reason;
  }
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
  conversations: Conversations;
  leads: Leads;
  feeds: Feeds;
  feedRuns: FeedRuns;
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
  /** Signs the tokens that widgets are handed; the same in all instances. */
  tokenSecret: string;
  /** Days that leads and conversations are kept. */
  leadRetentionDays: number;
  /** What may be fetched from although it is not public: `host:port`, in lower case. */
  outboundAllow: ReadonlySet<string>;
  feeds: {
    /** Work on a run stops after this many ms and goes on in the next invocation. */
    softDeadlineMs: number;
    leaseSeconds: number;
    /** Of one download. */
    maxBytes: number;
    fetchTimeoutMs: number;
  };
}

export interface Ports extends StorePorts {
  store: Store;
  limiter: Limiter;
  /** Counts in this process only and never waits: for what must not cost a round trip. */
  localLimiter: Limiter;
  geocoder: Geocoder;
  vinDecoder: VinDecoder;
  fetcher: Fetcher;
  /** Null when none is configured. */
  assistant: Assistant | null;
  mailer: Mailer;
  objects: Objects;
  feedSource: FeedSource;
  feedFiles: FeedFiles;
  tempFiles: TempFiles;
  secrets: Secrets;
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
