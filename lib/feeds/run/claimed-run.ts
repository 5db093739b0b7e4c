import type { FeedReject, FeedSettings } from '../feed.ts';
import type { FeedConditions } from '../feed-file.ts';

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
  /** Of a file that a person sent: its feed has no members and delists nothing. */
  isUpload: boolean;
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

/** Where a run goes on. */
export interface FeedRunState {
  file: FeedConditions;
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
