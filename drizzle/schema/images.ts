import { sql } from 'drizzle-orm';
import { check, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { IMAGE_STATUSES } from '../../lib/truck/fields.ts';
import { bytea, byteas, now, quoteList, time } from './columns.ts';

/**
 * One row per image URL an account ever named, and what became of it. Listings name URLs only, so that a merge or a
 * repeated post never loses what was fetched.
 */
export const imageSources = pgTable(
  'image_sources',
  {
    accountId: text('account_id').notNull(),
    /** SHA-256 of the URL. */
    urlHash: bytea('url_hash').notNull(),
    url: text('url').notNull(),
    host: text('host').notNull(),
    status: text('status', { enum: IMAGE_STATUSES }).notNull().default('pending'),
    /** Why it failed, or why the last try did. */
    reason: text('reason'),
    /** These four are of releases before the table `jobs`. */
    attempts: integer('attempts').notNull().default(0),
    claims: integer('claims').notNull().default(0),
    fence: integer('fence').notNull().default(0),
    dueAt: time('due_at').notNull().default(now),
    /** SHA-256 of the bytes: a row of `stored_images`. */
    imageHash: bytea('image_hash'),
    updatedAt: time('updated_at').notNull().default(now),
    /** Of releases before the table `jobs`: dedup hashes of listings that wait for it. */
    waiting: byteas('waiting'),
  },
  (t) => [
    primaryKey({ name: 'image_sources_pkey', columns: [t.accountId, t.urlHash] }),
    index('image_sources_queue')
      .on(t.accountId, t.dueAt)
      .where(sql`${t.status} = 'pending' and ${t.claims} = 0`),
    // Asked for every image of a changed listing; nearly all of the answers are no.
    index('image_sources_failed').on(t.accountId, t.urlHash).where(sql`${t.status} = 'failed'`),
    check('image_sources_status', sql`${t.status} in (${quoteList(IMAGE_STATUSES)})`),
  ],
);

/** Stored images by content; their bytes are in the object store. */
export const storedImages = pgTable(
  'stored_images',
  {
    accountId: text('account_id').notNull(),
    /** SHA-256 of the original's bytes. */
    hash: bytea('hash').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Path of the original. */
    original: text('original').notNull(),
    /** Blurred thumbnail as a data URI. */
    placeholder: text('placeholder').notNull(),
    /** Of the original and all renditions; 0: stored before they were counted. */
    bytes: integer('bytes').notNull().default(0),
    /** As on the wire: width, height, url. */
    renditions: json('renditions').notNull(),
    createdAt: time('created_at').notNull().default(now),
    /** Since when no URL stands for it; its bytes are removed a day later. */
    unusedSince: time('unused_since'),
  },
  (t) => [
    primaryKey({ name: 'stored_images_pkey', columns: [t.accountId, t.hash] }),
    // Their sum is what the account's tier bounds.
    index('stored_images_bytes').on(t.accountId, t.bytes),
  ],
);
