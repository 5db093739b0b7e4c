import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { FEED_RUN_STATUSES } from '../../lib/feeds/schemas/feed-fields.ts';
import { FEED_PROTOCOLS } from '../../lib/feeds/schemas/feed-files.ts';
import { accounts } from './accounts.ts';
import { bytea, byteas, now, quoteList, time } from './columns.ts';

/** Dealers' files that are pulled. */
export const feeds = pgTable(
  'feeds',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    dealer: text('dealer'),
    protocol: text('protocol', { enum: FEED_PROTOCOLS }).notNull(),
    url: text('url').notNull(),
    username: text('username'),
    /** Sealed (lib/outside/secrets/secrets.ts), never in the clear. */
    password: text('password'),
    privateKey: text('private_key'),
    hostKeySha256: text('host_key_sha256'),
    format: text('format'),
    sourceProviderId: text('source_provider_id'),
    mapping: json('mapping'),
    defaults: json('defaults').notNull().default({}),
    classFromVin: boolean('class_from_vin').notNull().default(false),
    zeroPriceIsCall: boolean('zero_price_is_call').notNull().default(true),
    cadenceMinutes: integer('cadence_minutes').notNull().default(60),
    missesBeforeDelist: integer('misses_before_delist').notNull().default(1),
    enabled: boolean('enabled').notNull().default(true),
    /** What is known of the file that was applied last; null once the feed reads it in another way. */
    fileSha256: text('file_sha256'),
    fileEtag: text('file_etag'),
    fileLastModified: text('file_last_modified'),
    /** When that file's snapshot was observed: an older one with other content is stale. */
    fileObservedAt: time('file_observed_at'),
    /** The same bytes are worth reading again by runs that start later: a listing was handed over to this feed. */
    rereadAt: time('reread_at'),
    /** Of an earlier release. */
    brokenFile: json('broken_file'),
    /** Failed runs in a row. */
    failures: integer('failures').notNull().default(0),
    /** Null: not by itself. */
    nextRunAt: time('next_run_at'),
    createdAt: time('created_at').notNull().default(now),
    updatedAt: time('updated_at').notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'feeds_pkey', columns: [t.accountId, t.id] }),
    foreignKey({ name: 'feeds_account_fk', columns: [t.accountId], foreignColumns: [accounts.id] }),
    check('feeds_protocol', sql`${t.protocol} in (${quoteList(FEED_PROTOCOLS)})`),
  ],
);

/** Runs of feeds. */
export const feedRuns = pgTable(
  'feed_runs',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    feedId: text('feed_id').notNull(),
    /** Order in which runs were made. */
    no: bigint('no', { mode: 'number' }).generatedAlwaysAsIdentity({ name: 'feed_runs_no_seq' }).notNull(),
    status: text('status', { enum: FEED_RUN_STATUSES }).notNull().default('queued'),
    /** fetch, ingest, reconcile or delist: where the next worker resumes. */
    phase: text('phase').notNull().default('fetch'),
    /** Somebody asked to delist although the guard held it. */
    released: boolean('released').notNull().default(false),
    /** Counts claims; only the newest worker may write. */
    fence: integer('fence').notNull().default(0),
    /** Claims since there was progress: a file that takes its workers down is given up by it. */
    claims: integer('claims').notNull().default(0),
    /** Of releases before the table `jobs`. */
    dueAt: time('due_at').notNull().default(now),
    /** When the snapshot was taken: the file's time or the start of the download, whichever is earlier. */
    observedAt: time('observed_at'),
    rows: integer('rows').notNull().default(0),
    created: integer('created').notNull().default(0),
    merged: integer('merged').notNull().default(0),
    unchanged: integer('unchanged').notNull().default(0),
    delisted: integer('delisted').notNull().default(0),
    rejected: integer('rejected').notNull().default(0),
    rejectsByCode: json('rejects_by_code').notNull().default({}),
    wouldDelist: integer('would_delist'),
    error: json('error'),
    bytes: bigint('bytes', { mode: 'number' }),
    sha256: text('sha256'),
    /** Milliseconds by phase. */
    phases: json('phases').notNull().default({}),
    /** Where reading goes on, and how: lib/feeds/run/run-feed.ts. */
    state: json('state').notNull().default({}),
    /** The raw file is in the object store. */
    raw: boolean('raw').notNull().default(false),
    createdAt: time('created_at').notNull().default(now),
    startedAt: time('started_at'),
    finishedAt: time('finished_at'),
  },
  (t) => [
    primaryKey({ name: 'feed_runs_pkey', columns: [t.accountId, t.id] }),
    index('feed_runs_feed').on(t.accountId, t.feedId, t.no),
    // One run of a feed at a time.
    uniqueIndex('feed_runs_active')
      .on(t.accountId, t.feedId)
      .where(sql`${t.status} in ('queued', 'running')`),
    index('feed_runs_raw').on(t.finishedAt).where(sql`${t.raw}`),
    check('feed_runs_status', sql`${t.status} in (${quoteList(FEED_RUN_STATUSES)})`),
  ],
);

/** Trucks of a feed: what its complete files had, and nobody has delisted since. */
export const feedMembers = pgTable(
  'feed_members',
  {
    accountId: text('account_id').notNull(),
    feedId: text('feed_id').notNull(),
    /** Of rejected records as well. */
    dedupHash: bytea('dedup_hash').notNull(),
    /** The last part of the file that has it; null: the newest file read so far lacks it. */
    part: integer('part'),
    /** The run that brought it. */
    runNo: bigint('run_no', { mode: 'number' }).notNull(),
    /** Applied snapshots in a row that lacked it; 0 with a part. */
    misses: integer('misses').notNull(),
  },
  (t) => [
    primaryKey({ name: 'feed_members_pkey', columns: [t.accountId, t.dedupHash, t.feedId] }),
    index('feed_members_part').on(t.accountId, t.part, t.feedId),
  ],
);

/** Parts of a feed's file as they were ingested last. */
export const feedParts = pgTable(
  'feed_parts',
  {
    accountId: text('account_id').notNull(),
    feedId: text('feed_id').notNull(),
    /** From 1. */
    part: integer('part').notNull(),
    /** Of its rows and how they are read; null: it has rejects, or a truck that another part has too. */
    digest: text('digest'),
    rows: integer('rows').notNull(),
  },
  (t) => [primaryKey({ name: 'feed_parts_pkey', columns: [t.accountId, t.feedId, t.part] })],
);

/** Of an earlier release. */
export const feedChunks = pgTable(
  'feed_chunks',
  {
    accountId: text('account_id').notNull(),
    feedId: text('feed_id').notNull(),
    runNo: bigint('run_no', { mode: 'number' }).notNull(),
    chunk: integer('chunk').notNull(),
    hashes: byteas('hashes').notNull(),
  },
  (t) => [primaryKey({ name: 'feed_chunks_pkey', columns: [t.accountId, t.feedId, t.runNo, t.chunk] })],
);

/** Of an earlier release. */
export const feedMissing = pgTable(
  'feed_missing',
  {
    accountId: text('account_id').notNull(),
    feedId: text('feed_id').notNull(),
    dedupHash: bytea('dedup_hash').notNull(),
    misses: integer('misses').notNull(),
    runNo: bigint('run_no', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'feed_missing_pkey', columns: [t.accountId, t.feedId, t.dedupHash] })],
);

/** Rejected rows of a run, packed by chunks. */
export const feedRejects = pgTable(
  'feed_rejects',
  {
    accountId: text('account_id').notNull(),
    runId: text('run_id').notNull(),
    chunk: integer('chunk').notNull(),
    n: integer('n').notNull(),
    rejects: json('rejects').notNull(),
  },
  (t) => [primaryKey({ name: 'feed_rejects_pkey', columns: [t.accountId, t.runId, t.chunk] })],
);

/** The file that a person of the account looks at or has listed: one of an account, for a day at most. */
export const uploads = pgTable(
  'uploads',
  {
    accountId: text('account_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    content: bytea('content').notNull(),
    /** Of an earlier release. */
    result: json('result').$type<Record<string, unknown>>(),
    changedAt: time('changed_at').notNull().default(now),
  },
  (t) => [primaryKey({ name: 'uploads_pkey', columns: [t.accountId] })],
);
