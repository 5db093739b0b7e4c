/** Closed lists of feeds and their runs, for the wire schemas and the tables alike. */

/**
 * `unchanged`: the file is the one that was applied last. `held`: a person has to release or refuse the run. `closed`: it
 * was held until a person refused it or a later run took its place.
 */
export const FEED_RUN_STATUSES = [
  'queued',
  'running',
  'succeeded',
  'unchanged',
  'held',
  'failed',
  'closed',
] as const;
export type FeedRunStatus = (typeof FEED_RUN_STATUSES)[number];

/** What a run did to trucks: of `merged` those with another price are `repriced`; `would_delist` is of a held one. */
export const FEED_CHANGE_KINDS = ['created', 'repriced', 'merged', 'delisted', 'would_delist'] as const;
export type FeedChangeKind = (typeof FEED_CHANGE_KINDS)[number];

/** Limits of feeds. */
export const FEED_LIMITS = {
  /** Rejects in an answer about a run; the CSV has all. */
  rejectsReturned: 1_000,
  /** Rejects of each run in a list of runs. */
  rejectsListed: 20,
  /** Feeds of an account, by tier. */
  perAccount: { starter: 10, pro: 100, enterprise: 1_000 },
  cadenceMinutes: 10_080,
  misses: 100,
  /** Rows of a preview that go through the pipeline, and those shown as records. */
  previewRows: 500,
  previewRecords: 5,
} as const;
