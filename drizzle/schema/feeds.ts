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
    account_id: text().notNull(),
    id: text().notNull(),
    name: text().notNull(),
    dealer: text(),
    protocol: text({ enum: FEED_PROTOCOLS }).notNull(),
    url: text().notNull(),
    username: text(),
    /** Sealed (lib/outside/secrets/secrets.ts), never in the clear. */
    password: text(),
    private_key: text(),
    host_key_sha256: text(),
    format: text(),
    source_provider_id: text(),
    mapping: json(),
    defaults: json().notNull().default({}),
    class_from_vin: boolean().notNull().default(false),
    /** Of an earlier release. */
    zero_price_is_call: boolean().notNull().default(true),
    cadence_minutes: integer().notNull().default(60),
    misses_before_delist: integer().notNull().default(1),
    enabled: boolean().notNull().default(true),
    /** Of the feed of uploads: the file is the whole lot, and what it lacks is delisted. */
    is_whole: boolean().notNull().default(false),
    /** What is known of the file that was applied last; null once the feed reads it in another way. */
    file_sha256: text(),
    file_etag: text(),
    file_last_modified: text(),
    /** When that file's snapshot was observed: an older one with other content is stale. */
    file_observed_at: time(),
    /** The same bytes are worth reading again by runs that start later: a listing was handed over to this feed. */
    reread_at: time(),
    /** Of an earlier release. */
    broken_file: json(),
    /** Failed runs in a row. */
    failures: integer().notNull().default(0),
    /** Null: not by itself. */
    next_run_at: time(),
    created_at: time().notNull().default(now),
    updated_at: time().notNull().default(now),
  },
  (t) => [
    primaryKey({ name: 'feeds_pkey', columns: [t.account_id, t.id] }),
    foreignKey({ name: 'feeds_account_fk', columns: [t.account_id], foreignColumns: [accounts.id] }),
    check('feeds_protocol', sql`${t.protocol} in (${quoteList(FEED_PROTOCOLS)})`),
  ],
);

/** Runs of feeds. */
export const feedRuns = pgTable(
  'feed_runs',
  {
    account_id: text().notNull(),
    id: text().notNull(),
    feed_id: text().notNull(),
    /** Order in which runs were made. */
    no: bigint({ mode: 'number' }).generatedAlwaysAsIdentity({ name: 'feed_runs_no_seq' }).notNull(),
    status: text({ enum: FEED_RUN_STATUSES }).notNull().default('queued'),
    /** fetch, ingest, reconcile or delist: where the next worker resumes. */
    phase: text().notNull().default('fetch'),
    /** Somebody asked to delist although the guard held it. */
    released: boolean().notNull().default(false),
    /** Counts claims; only the newest worker may write. */
    fence: integer().notNull().default(0),
    /** Claims since there was progress: a file that takes its workers down is given up by it. */
    claims: integer().notNull().default(0),
    /** Of releases before the table `jobs`. */
    due_at: time().notNull().default(now),
    /** When the snapshot was taken: the file's time or the start of the download, whichever is earlier. */
    observed_at: time(),
    rows: integer().notNull().default(0),
    created: integer().notNull().default(0),
    merged: integer().notNull().default(0),
    unchanged: integer().notNull().default(0),
    delisted: integer().notNull().default(0),
    rejected: integer().notNull().default(0),
    rejects_by_code: json().notNull().default({}),
    would_delist: integer(),
    error: json(),
    bytes: bigint({ mode: 'number' }),
    sha256: text(),
    /** Milliseconds by phase. */
    phases: json().notNull().default({}),
    /** Where the run goes on, and by what its file is remembered: lib/feeds/run/claimed-run.ts. */
    state: json().notNull().default({}),
    /** The raw file is in the object store. */
    raw: boolean().notNull().default(false),
    created_at: time().notNull().default(now),
    started_at: time(),
    finished_at: time(),
  },
  (t) => [
    primaryKey({ name: 'feed_runs_pkey', columns: [t.account_id, t.id] }),
    index('feed_runs_feed').on(t.account_id, t.feed_id, t.no),
    // One run of a feed at a time.
    uniqueIndex('feed_runs_active')
      .on(t.account_id, t.feed_id)
      .where(sql`${t.status} in ('queued', 'running')`),
    index('feed_runs_raw').on(t.finished_at).where(sql`${t.raw}`),
    check('feed_runs_status', sql`${t.status} in (${quoteList(FEED_RUN_STATUSES)})`),
  ],
);

/** Trucks of a feed: what its complete files had, and nobody has delisted since. */
export const feedMembers = pgTable(
  'feed_members',
  {
    account_id: text().notNull(),
    feed_id: text().notNull(),
    /** Of rejected records as well. */
    dedup_hash: bytea().notNull(),
    /** The last part of the file that has it; null: the newest file read so far lacks it. */
    part: integer(),
    /** The run that brought it. */
    run_no: bigint({ mode: 'number' }).notNull(),
    /** Applied snapshots in a row that lacked it; 0 with a part. */
    misses: integer().notNull(),
  },
  (t) => [
    primaryKey({ name: 'feed_members_pkey', columns: [t.account_id, t.dedup_hash, t.feed_id] }),
    index('feed_members_part').on(t.account_id, t.part, t.feed_id),
  ],
);

/** Parts of a feed's file as they were ingested last. */
export const feedParts = pgTable(
  'feed_parts',
  {
    account_id: text().notNull(),
    feed_id: text().notNull(),
    /** From 1. */
    part: integer().notNull(),
    /** Of its rows and how they are read; null: it has rejects, or a truck that another part has too. */
    digest: text(),
    rows: integer().notNull(),
  },
  (t) => [primaryKey({ name: 'feed_parts_pkey', columns: [t.account_id, t.feed_id, t.part] })],
);

/** Of an earlier release. */
export const feedChunks = pgTable(
  'feed_chunks',
  {
    account_id: text().notNull(),
    feed_id: text().notNull(),
    run_no: bigint({ mode: 'number' }).notNull(),
    chunk: integer().notNull(),
    hashes: byteas().notNull(),
  },
  (t) => [primaryKey({ name: 'feed_chunks_pkey', columns: [t.account_id, t.feed_id, t.run_no, t.chunk] })],
);

/** Of an earlier release. */
export const feedMissing = pgTable(
  'feed_missing',
  {
    account_id: text().notNull(),
    feed_id: text().notNull(),
    dedup_hash: bytea().notNull(),
    misses: integer().notNull(),
    run_no: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ name: 'feed_missing_pkey', columns: [t.account_id, t.feed_id, t.dedup_hash] })],
);

/** Rejected rows of a run, packed by chunks. */
export const feedRejects = pgTable(
  'feed_rejects',
  {
    account_id: text().notNull(),
    run_id: text().notNull(),
    chunk: integer().notNull(),
    n: integer().notNull(),
    rejects: json().notNull(),
  },
  (t) => [primaryKey({ name: 'feed_rejects_pkey', columns: [t.account_id, t.run_id, t.chunk] })],
);

/** The file that a person of the account looks at or has listed: one of an account, for a day at most. */
export const uploads = pgTable(
  'uploads',
  {
    account_id: text().notNull(),
    id: text().notNull(),
    name: text().notNull(),
    content: bytea().notNull(),
    /** Of an earlier release. */
    result: json().$type<Record<string, unknown>>(),
    changed_at: time().notNull().default(now),
  },
  (t) => [primaryKey({ name: 'uploads_pkey', columns: [t.account_id] })],
);
