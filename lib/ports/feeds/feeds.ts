import type * as z from 'zod/mini';
import type { FeedChangeKind } from '../../feeds/schemas/feed-fields.ts';
import type { FeedAnswer, FeedChangesAnswer, FeedRunAnswer } from '../../feeds/schemas/feeds.ts';
import type { Change, Page } from '../accounts/accounts.ts';

/** Feeds and their runs as they are stored. */

/** A dealer's file that is pulled, as it is answered. */
export type Feed = z.infer<typeof FeedAnswer>;

/** What a feed is made of; `password` and `private_key` are sealed by then. */
export type FeedSettings = Omit<
  Feed,
  'id' | 'has_password' | 'has_private_key' | 'last_run' | 'next_run_at' | 'created_at' | 'updated_at'
> & { password: string | null; private_key: string | null };

export type FeedChange = Change<FeedSettings>;

/** A run of a feed as it is answered. */
export type FeedRun = z.infer<typeof FeedRunAnswer>;
/** A row of the file that did not become a listing; its code is a stage's, or one of FEED_ROW_FAULTS. */
export type FeedReject = FeedRun['rejects'][number];
/** Its reason is one of FEED_FAULTS, or of the run's own. */
export type FeedError = NonNullable<FeedRun['error']>;
/** A truck that a run changed, or would delist. */
export type RunChange = z.infer<typeof FeedChangesAnswer>['changes'][number];

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
