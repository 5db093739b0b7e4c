import type * as z from 'zod/mini';
import type { FeedAnswer, FeedChangesAnswer, FeedMembers, FeedRunAnswer } from './schemas/feeds.ts';

/** What feeds and their runs are. */

/** The feed of an account whose runs take what people upload: never due, not among the feeds, and delisting only what a whole lot lacks. */
export const UPLOAD_FEED = 'upload';

/** A dealer's file that is pulled, as it is answered. */
export type Feed = z.infer<typeof FeedAnswer>;

/** What a feed is made of; `password` and `private_key` are sealed by then. */
export type FeedSettings = z.infer<typeof FeedMembers> & Pick<Feed, 'protocol'>;

/** What a dealer did not send. */
export const FEED_DEFAULTS = {
  dealer: null,
  username: null,
  password: null,
  private_key: null,
  host_key_sha256: null,
  format: null,
  source_provider_id: null,
  mapping: null,
  defaults: {},
  class_from_vin: false,
  misses_before_delist: 1,
  enabled: true,
} satisfies Partial<FeedSettings>;

/** A body as it was parsed: a member that was not sent is absent. */
export type FeedChange = { [Name in keyof FeedSettings]?: FeedSettings[Name] | undefined };

/** A run of a feed as it is answered. */
export type FeedRun = z.infer<typeof FeedRunAnswer>;
export const isUnderWay = ({ status }: FeedRun) => status === 'queued' || status === 'running';
/** A row of the file that did not become a listing; its code is a stage's, or one of FEED_ROW_FAULTS. */
export type FeedReject = FeedRun['rejects'][number];
/** Its reason is one of FEED_FAULTS. */
export type FeedError = NonNullable<FeedRun['error']>;
/** A truck that a run changed, or would delist. */
export type RunChange = z.infer<typeof FeedChangesAnswer>['changes'][number];

/** The file of a run, which is in the object store. */
export interface RawFile {
  accountId: string;
  runId: string;
  sha256: string;
}
