import type { z } from 'zod/mini';
import type { DealerPlace } from '../accounts/dealers/port.ts';
import type { IssueChanges, RecordSource } from '../issues/port.ts';
import type { ListingStatus } from '../truck/fields.ts';
import type { ListingChange, StoredListing } from '../truck/listing/listing-change.ts';
import type { ExplainedQuality, ListingDoc } from '../truck/listing/truck.ts';
import type { Listing } from './schemas.ts';

/** What is stored of trucks, and how a batch of them is read and written. */

/** A record about to be looked up: its identity and the hash of its normalised input. */
export interface Wanted {
  dedupHash: string;
  vin: string;
  inputHash: string;
  dealer: string | null;
  stockNumber: string | null;
  /** VINs one slip away, where its own is mistyped. */
  vinsAlike?: readonly string[];
}

export interface ReadAnswer {
  /** Database time in ms since the epoch. */
  now: number;
  /** The account's only dealer, when it has just one. */
  onlyDealer: string | null;
  hasSeveralDealers: boolean;
  /** The dealers that matter here, those asked for among them as far as the account has them, each with its place. */
  dealers: ReadonlyMap<string, DealerPlace>;
  /** By dedup hash; `doc` is null when input hash and dealer are the same as stored: nothing would change. */
  listings: ReadonlyMap<string, StoredListing>;
  /** By VIN: other listings of trucks that would change, for sale as well. */
  elsewhere: ReadonlyMap<string, readonly ElsewhereListing[]>;
  /** By dedup hash: the VIN of `vinsAlike` that a listing of the same stock number has. */
  sameStock: ReadonlyMap<string, string>;
  /** By dedup hash: keys of the open issues, of any source, that end when the truck is accepted. */
  issues: ReadonlyMap<string, readonly string[]>;
  /** How many listings may come to those that are not delisted; null where none of these would. */
  room: number | null;
}

/** Another listing of a truck, of the same account. */
export interface ElsewhereListing {
  provider: string;
  price: number | null;
  /** Null: not settled yet. */
  currency: string | null;
  dealer: string | null;
}

/** Whose records a write stores, and the issues that it opens and closes with them. */
export interface WrittenBy {
  source: RecordSource | null;
  issues: IssueChanges | null;
}

/** The only way to a seller's listings. */
export interface Listings {
  of(accountId: string): AccountListings;
  /** For a transaction that is tried again: without locks beforehand, and `WriteConflict` ends it. */
  optimistic(): Listings;
}

/** What is done about other writers of the same listings. */
export type OnConflict =
  /** What was in conflict is decided again, with its rows locked. */
  | 'relock'
  /** Inside a transaction: rows are locked before they are read. */
  | 'lock'
  /** Inside a transaction that is tried again: `WriteConflict`. */
  | 'throw';

/** What housekeeping does to stored listings. */
export interface ListingUpkeep {
  /** Forgets prices of past days but the last of each, at most `max` at a time; answers how many. */
  thinHistories(accountId: string, max: number): Promise<number>;
  /** Listings of any account whose document is of another version, at most `max`. */
  findOutdated(max: number): Promise<OutdatedListing[]>;
  /** Stores documents as the present table has them, unless another writer was first; returns how many. */
  rewrite(accountId: string, listings: readonly RewrittenListing[]): Promise<number>;
}

export interface OutdatedListing {
  accountId: string;
  dedupHash: string;
  version: number;
  doc: Omit<ListingDoc, 'images' | 'quality'>;
  quality: ListingDoc['quality'];
  images: string[];
}

export interface RewrittenListing {
  dedupHash: string;
  version: number;
  doc: ListingDoc;
  words: string;
  /** False while its price is suspicious. */
  isInMarket: boolean;
}

export interface StatusChange {
  vin: string;
  /** Narrows the change to one provider's listing; '': the listing without a provider. */
  sourceProviderId: string | null;
  status: ListingStatus;
}

/** What is to be erased, and by which request. */
export interface Erasure extends Pick<StatusChange, 'vin' | 'sourceProviderId'> {
  requestId: string;
  /** Key or person, for the audit. */
  actor: string;
  /** Narrows it to one dealer’s listings. */
  dealer: string | null;
}

export interface KnownStatus {
  vin: string;
  sourceProviderId: string;
  status: ListingStatus;
  /** It stays delisted: the account has as many listings as it may. */
  isRefused: boolean;
}

/** Something that befell a listing. */
export interface ListingEvent {
  kind: 'created' | 'changed' | 'sold' | 'delisted' | 'vanished' | 'relisted';
  at: string;
  oldPrice: number | null;
  newPrice: number | null;
  /** The feed and its run that did it, if one did. */
  feedId: string | null;
  runId: string | null;
  /** The person who marked it, if one did. */
  actor: string | null;
}

/** A listing as it is answered. */
export type ListingAnswer = Omit<ListingDoc, 'images' | 'quality'> & { quality: ExplainedQuality } & Omit<
    z.infer<typeof Listing>,
    Exclude<keyof ListingDoc, 'images'>
  >;

/** A listing, and what befell it, newest first. */
export interface WithHistory {
  listing: ListingAnswer;
  /** What its dealer is called; null without one that is known. */
  dealerName: string | null;
  events: ListingEvent[];
}

export interface AccountListings {
  readonly onConflict: OnConflict;
  /** One statement, whatever the size. `source`: whose issues are asked for; null: nobody's. */
  read(wanted: readonly Wanted[], source: RecordSource | null): Promise<ReadAnswer>;
  /**
   * Writes listing, search document and history together, as a rule in one statement. A row goes in only if its version is
   * still the one read. Returns the dedup hashes that were stored; the others were changed by another writer. Throws
   * `RejectedByDatabase` when the store refuses the data, `LockTimeout` when another writer locks a row for long; then
   * nothing was written.
   */
  write(changes: readonly ListingChange[], by?: WrittenBy): Promise<ReadonlySet<string>>;
  /**
   * Runs `work` in a transaction that holds the row locks of these listings, existing or not, taken in hash
   * order. Throws `LockTimeout` if one could not be locked within `lockTimeoutMs`; then nothing was done.
   */
  lockListings<T>(
    dedupHashes: readonly string[],
    work: (locked: AccountListings) => Promise<T>,
    lockTimeoutMs: number,
  ): Promise<T>;
  /** Those of these listings, absent ones included, whose rows no other writer has locked right now. */
  findUnlocked(dedupHashes: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The listing of this VIN: of several providers the freshest available one, with `sources`.
   */
  byVin(vin: string): Promise<ListingAnswer | null>;
  /** The same with `market_position`. */
  byVinInMarket(vin: string): Promise<ListingAnswer | null>;
  /** As `byVin`, with at most `max` events of the VIN's listings. */
  withHistory(vin: string, max: number): Promise<WithHistory | null>;
  /**
   * Gives the listings of these VINs the status of the last change that names them, in one statement. Returns them as
   * they were before, the freshest first. `dealer` narrows it to one dealer’s listings.
   */
  setStatuses(changes: readonly StatusChange[], dealer?: string | null): Promise<KnownStatus[]>;
  /** Under which providers these VINs are listed, a few of each; `dealer` as above. */
  listProviders(vins: readonly string[], dealer: string | null): Promise<{ vin: string; provider: string }[]>;
  /** Erases the listings with history and images, and leaves an audit row; returns how many those were. */
  erase(erasure: Erasure): Promise<number>;
}
