import type { ListingChange, StoredListing } from '../../truck/listing/listing-change.ts';

/** What the stages ask of an account's stored listings, and how what they decide is written. */

/** A record about to be looked up: its identity and the hash of its normalised input. */
export interface ListingLookup {
  dedupHash: string;
  vin: string;
  inputHash: string;
  dealer: string | null;
  stockNumber: string | null;
}

export interface AccountState {
  /** Database time in ms since the epoch. */
  now: number;
  /** The account's only dealer, when it has just one. */
  onlyDealer: string | null;
  hasSeveralDealers: boolean;
  /** The dealers that matter here, those asked for among them as far as the account has them, each with its place. */
  dealers: ReadonlyMap<string, Record<'city' | 'state' | 'zip', string | null>>;
  /** By dedup hash; `doc` is null when input hash and dealer are the same as stored: nothing would change. */
  listings: ReadonlyMap<string, StoredListing>;
  /** By VIN: other listings of trucks that would change, for sale as well. */
  elsewhere: ReadonlyMap<string, readonly ElsewhereListing[]>;
  /** By dedup hash: keys of the open issues, of any source, that end when the truck is accepted. */
  issues: ReadonlyMap<string, readonly string[]>;
  /** How many listings may still be added; null if this batch adds none. */
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

/** A sender of records, whose rejects are kept apart from other senders'. */
export interface RecordSource {
  /** `api`, `upload`, or the id of a feed. */
  id: string;
  /** The run of a feed; null otherwise. */
  runNo: number | null;
  /** False once so many of its records were rejected that further ones are not kept. */
  keepsIssues: boolean;
}

/** A reject to be kept. */
export interface NewIssue {
  /** Which truck, 64 hexadecimal digits: its dedup hash, or a hash of what a record without a whole VIN says. */
  subject: string;
  /** Normalised, of any length. */
  vin: string | null;
  hasWholeVin: boolean;
  stockNumber: string | null;
  /** As the record names it. */
  dealer: string | null;
  code: string;
  field: string | null;
  received: unknown;
  fix: string;
}

/** What a batch of a source changes. */
export interface IssueChanges {
  open: readonly NewIssue[];
  /** Keys of those about trucks that were accepted, of any source: source and subject. */
  close: readonly string[];
}

/** What is done about other writers of the same listings. */
export type OnConflict =
  /** What was in conflict is decided again, with its rows locked. */
  | 'relock'
  /** Inside a transaction: rows are locked before they are read. */
  | 'lock'
  /** Inside a transaction that is tried again: `WriteConflict`. */
  | 'throw';

export interface StoredListings {
  readonly onConflict: OnConflict;
  /** One statement, whatever the size. `source`: whose issues are asked for; null: nobody's. */
  read(requests: readonly ListingLookup[], source: RecordSource | null): Promise<AccountState>;
  /**
   * Writes listing, search document and history together, in one statement. A row goes in only if its version is still the
   * one read. Returns the dedup hashes that were stored; the others were changed by another writer. Throws
   * `RejectedByDatabase` when the store refuses the data, `LockTimeout` when another writer locks a row for long; then
   * nothing was written. `runNo`: the run of a feed, for the history.
   */
  write(changes: readonly ListingChange[], runNo: number | null): Promise<ReadonlySet<string>>;
  /**
   * Runs `work` in a transaction that holds the row locks of these listings, existing or not, taken in hash order. Throws
   * `LockTimeout` if one could not be locked within `lockTimeoutMs`; then nothing was done.
   */
  lock<T>(
    dedupHashes: readonly string[],
    work: (locked: StoredListings) => Promise<T>,
    lockTimeoutMs: number,
  ): Promise<T>;
  /** Those of these listings, absent ones included, whose rows no other writer has locked right now. */
  findUnlocked(dedupHashes: readonly string[]): Promise<ReadonlySet<string>>;
  writeIssues(issues: IssueChanges, source: RecordSource): Promise<void>;
}
