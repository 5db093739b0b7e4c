import type { FeedChangeKind, FeedRunStatus } from '../../feeds/schemas/feed-fields.ts';
import type { FeedFormat, FeedProtocol } from '../../feeds/schemas/feed-files.ts';
import type { Change, Page } from '../accounts/accounts.ts';

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
  /** Of both prices, as the truck has it now; null is USD. */
  currency: string | null;
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

/** The file of a run, which is in the object store. */
export interface RawFile {
  accountId: string;
  runId: string;
  sha256: string;
}
