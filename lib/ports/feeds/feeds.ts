import type { FeedChangeKind, FeedRunStatus } from '../../contract/feeds/feed-fields.ts';
import type { FeedFormat, FeedProtocol } from '../../contract/feeds/feed-files.ts';
import type { FeedPlan } from '../../domain/feed/feed-mapping.ts';
import type { Change, Page } from '../accounts/accounts.ts';
import type { FeedConditions, FeedPosition } from './feed-files.ts';

/** Feeds and their runs as they are stored. */

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

/** A truck that a run changed, or would delist. */
export interface RunChange {
  vin: string;
  source_provider_id: string | null;
  stock_number: string | null;
  year: number | null;
  make: string | null;
  model: string | null;
  /** Null: none, or none before. */
  old_price: number | null;
  new_price: number | null;
}

/** Feeds and their runs. */
export interface Feeds {
  of(accountId: string): AccountFeeds;
}

export interface AccountFeeds {
  /** Due at once. `unknown_dealer`: the account has no such dealer; `too_many`: it has `maxFeeds` already. */
  create(id: string, settings: FeedSettings, maxFeeds: number): Promise<Feed | 'unknown_dealer' | 'too_many'>;
  /** In order of id. */
  list(page: Page): Promise<Feed[]>;
  get(id: string): Promise<Feed | null>;
  change(id: string, change: FeedChange): Promise<Feed | 'unknown_dealer' | null>;
  /** With its runs and what they found; listings stay. Answers the raw files that are left; null: no such feed. */
  remove(id: string): Promise<RawFile[] | null>;
  /** Newest first; null: no such feed. */
  runs(feedId: string, page: Page, rejects: number): Promise<FeedRun[] | null>;
  run(feedId: string, runId: string, rejects: number): Promise<FeedRun | null>;
  /** Trucks that a run changed, each with the key of its place for the next page; null: no such run. */
  changes(
    feedId: string,
    runId: string,
    kind: FeedChangeKind,
    page: Page,
  ): Promise<(RunChange & { key: string })[] | null>;
  /** Rejects of a run in order, those of some chunks after the one named (-1: from the first); none: that was all. */
  rejects(runId: string, afterChunk: number): Promise<{ chunk: number; rejects: FeedReject[] }[]>;
  /** Queues a run; answers the one that is queued or running already, if there is one. Null: no such feed. */
  start(feedId: string, runId: string): Promise<string | null>;
  /** Sends a held run on to delist. `superseded`: a later run has taken its place. Null: no such run. */
  release(feedId: string, runId: string): Promise<'released' | 'not_held' | 'superseded' | null>;
}

/** A claimed run: only the worker with the newest fence may write. */
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
  /** What an earlier worker left for this one; null before the file was fetched. */
  state: FeedRunState | null;
  /** Of the file that was fetched. */
  sha256: string | null;
  /** The object store has it. */
  raw: boolean;
  /** The feed as it is now, with its secrets sealed. */
  feed: FeedSettings;
  /** The file that last broke the worker reading it. */
  brokenFile: BrokenFile | null;
  /** Of the file that was applied last; null where it has to be read again in any case. */
  lastFile: { sha256: string; etag: string | null; lastModified: string | null } | null;
  /** When the snapshot that was applied last was observed, ms since the epoch; null before the first. */
  appliedObservedAt: number | null;
}

/** A file that broke the worker reading it, and how many times. */
export interface BrokenFile extends FeedConditions {
  sha256: string;
  times: number;
}

/** Where reading a file goes on, and how. Kept with the run, so that every worker reads alike. */
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
  hasRetryableRejects: boolean;
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
 * another worker has the run by now; then nothing was written.
 */
export interface FeedRuns {
  /** Queues runs of feeds that are due; answers how many. */
  queueDue(): Promise<number>;
  /** The run that waits the longest, or this one; null when there is none, or another worker has leased it. */
  claim(
    leaseSeconds: number,
    which: Pick<FeedClaim, 'accountId' | 'runId'> | null,
  ): Promise<ClaimedRun | null>;
  heartbeat(claim: FeedClaim, leaseSeconds: number): Promise<boolean>;
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
  /** Gives the run back: the next worker goes on at the same place, not before `delaySeconds`. */
  release(claim: FeedClaim, phases: Record<string, number>, delaySeconds: number): Promise<boolean>;
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
   * Delists some of what is missing for the last time allowed, unless another feed has seen it since. `left`: there may be
   * more. Throws `LockTimeout`.
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
  awaitReview(claim: FeedClaim, end: FeedEnd, wouldDelist: number): Promise<boolean>;
  /** The feed's next run waits the longer the more of them failed in a row. `brokenBy`: the file broke its worker. */
  fail(
    claim: FeedClaim,
    end: FeedEnd,
    error: FeedError,
    brokenBy?: Omit<BrokenFile, 'times'> | null,
  ): Promise<boolean>;
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
