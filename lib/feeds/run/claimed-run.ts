import type { TempFile } from '../../outside/system/temp-files.ts';
import type { Ports } from '../../ports.ts';
import type { FeedError, FeedSettings } from '../feed.ts';
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
  /** The file is the whole stock: what it lacks is delisted. */
  delists: boolean;
  released: boolean;
  /** Claims since there was progress, this one included. */
  claims: number;
  /** When the snapshot was taken, ms since the epoch; null before it was fetched. */
  observedAt: number | null;
  rejectsByCode: Record<string, number>;
  /** Milliseconds by phase, of earlier workers too. */
  phases: Record<string, number>;
  state: FeedRunState;
  /** Of the file that was fetched; '' before. */
  sha256: string;
  /** The feed as it is now, with its secrets sealed. */
  feed: FeedSettings;
  /** Of the file that was applied last; null where it has to be read again in any case. */
  lastFile: ({ sha256: string } & FeedConditions) | null;
  /** When the snapshot that was applied last was observed, ms since the epoch; null before the first. */
  appliedObservedAt: number | null;
}

/** Where a run goes on, and by what its file is remembered. */
export interface FeedRunState {
  file: FeedConditions;
  /** Number of the part that comes next. */
  part: number;
  /** Something was rejected that may fare better next time: the same file is to be looked at again. */
  hasRetryableRejects: boolean;
}

/** One worker's work on a run. */
export interface RunWork {
  ports: Ports;
  run: ClaimedRun;
  /** When to stop, ms since the epoch. */
  until: number;
  /** This worker's copy of the file, once it is there. */
  file?: TempFile;
  /** What must not appear in messages and logs, whatever a client library puts into its errors. */
  secrets: string[];
}

/** How a run ended, and what it leaves behind. */
export interface RunEnd {
  status: 'succeeded' | 'unchanged' | 'held' | 'failed';
  /** Of a file that was looked at and not taken. */
  bytes?: number;
  sha256?: string;
  /** Of a run that is held. */
  wouldDelist?: number;
  error?: FeedError;
}

/** Does the work of a phase and returns the next phase, or how the run ended; `yielded`: time was up. */
export type Step = (work: RunWork) => Promise<FeedPhase | RunEnd | { status: 'yielded' }>;
