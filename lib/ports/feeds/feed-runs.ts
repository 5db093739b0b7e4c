import type { FeedPlan } from '../../feeds/mapping/feed-mapping.ts';
import type { FeedDifference } from '../../feeds/run/feed-guard.ts';
import type { FeedFormat } from '../../feeds/schemas/feed-files.ts';
import type { FeedConditions } from './feed-files.ts';
import type { FeedError, FeedReject, FeedSettings, RawFile } from './feeds.ts';

/** Work on runs of feeds. */

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
  /** Of the file that was applied last; null where it has to be read again in any case. */
  lastFile: { sha256: string; etag: string | null; lastModified: string | null } | null;
  /** When the snapshot that was applied last was observed, ms since the epoch; null before the first. */
  appliedObservedAt: number | null;
}

/** Where a run goes on, and how rows are read. Kept with the run, so that every worker reads alike. */
export interface FeedRunState {
  file: FeedConditions;
  /** The feed when the run began, as far as it says how to read the file. */
  format: FeedFormat | null;
  sourceProviderId: string | null;
  /** How rows become records; null before the first of them was seen. */
  plan: FeedPlan | null;
  /** Number of the part that comes next. */
  part: number;
  /** Something was rejected that may fare better next time: the same file is to be looked at again. */
  hasRetryableRejects: boolean;
}

/** What one part of a file came to. */
export interface FeedProgress {
  /** From 1. */
  part: number;
  /** Of its rows and how they are read, if every row was accepted; null: it is decided again next time. */
  digest: string | null;
  /** Dedup hashes of all its records, rejected ones too. */
  hashes: readonly string[];
  counts: { rows: number; created: number; merged: number; unchanged: number; rejected: number };
  rejects: readonly FeedReject[];
  rejectsByCode: Record<string, number>;
  state: FeedRunState;
}

/**
 * Work on a run. Every writing method answers false, or null, when another worker has the run by now; then nothing was
 * written.
 */
export interface FeedRuns {
  /** The run to work on: the one that is queued or was broken off, else a new one if the feed is due; null: none. */
  begin(accountId: string, feedId: string, newRunId: string): Promise<ClaimedRun | null>;
  /** Seconds until the feed's next run; null: it has none. */
  untilDue(accountId: string, feedId: string): Promise<number | null>;
  /** The file is here: goes on to `ingest`. */
  fetched(
    claim: FeedClaim,
    file: { bytes: number; sha256: string; observedAt: number; raw: boolean },
    state: FeedRunState,
  ): Promise<boolean>;
  /** Counts a part; inside the transaction that wrote its listings. */
  progress(claim: FeedClaim, progress: FeedProgress): Promise<boolean>;
  /** Digests of the feed's parts by number, those that need not be decided again. */
  knownParts(claim: FeedClaim): Promise<Map<number, string>>;
  /**
   * Counts the rows of a known part as unchanged. False also when the part is not known any more, or a listing of it was
   * changed by anybody else: then it has to be decided.
   */
  skipPart(claim: FeedClaim, part: Pick<FeedProgress, 'part' | 'digest' | 'state'>): Promise<boolean>;
  /** The file has been read to its end, and has so many parts: goes on to `reconcile`. */
  completeFile(claim: FeedClaim, parts: number, phases: Record<string, number>): Promise<boolean>;
  /** The next worker goes on at the same place. */
  interrupt(claim: FeedClaim, phases: Record<string, number>): Promise<boolean>;
  /** The complete snapshot against what the feed had before; writes nothing. */
  compare(claim: FeedClaim): Promise<FeedDifference>;
  /** Counts a miss for everything that the snapshot lacks: goes on to `delist`. */
  markMissing(claim: FeedClaim): Promise<boolean>;
  /**
   * Delists some of what is missing for the last time allowed, unless another feed has it. `left`: there may be more. Throws
   * `LockTimeout`.
   */
  delist(claim: FeedClaim, limit: number): Promise<{ delisted: number; left: boolean } | null>;
  /** The snapshot is applied. */
  succeed(claim: FeedClaim, end: FeedEnd, file: ClaimedRun['lastFile']): Promise<boolean>;
  /** The file was the one that was applied last. */
  unchanged(claim: FeedClaim, end: FeedEnd): Promise<boolean>;
  awaitReview(claim: FeedClaim, end: FeedEnd, wouldDelist: number): Promise<boolean>;
  /** The feed's next run waits the longer the more of them failed in a row. */
  fail(claim: FeedClaim, end: FeedEnd, error: FeedError): Promise<boolean>;
  /** Runs that ended and whose raw file is still there. */
  leftRaw(limit: number): Promise<RawFile[]>;
  rawRemoved(run: Pick<FeedClaim, 'accountId' | 'runId'>): Promise<void>;
  /** Forgets runs that ended long ago; answers how many. */
  sweep(): Promise<number>;
}

export interface FeedEnd {
  phases: Record<string, number>;
  /** Of a file that was looked at and not taken. */
  bytes?: number;
  sha256?: string;
}
