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
    account_id: text().notNull(),
    /** SHA-256 of the URL. */
    url_hash: bytea().notNull(),
    url: text().notNull(),
    host: text().notNull(),
    status: text({ enum: IMAGE_STATUSES }).notNull().default('pending'),
    /** Why it failed, or why the last try did. */
    reason: text(),
    /** These four are of releases before the table `jobs`. */
    attempts: integer().notNull().default(0),
    claims: integer().notNull().default(0),
    fence: integer().notNull().default(0),
    due_at: time().notNull().default(now),
    /** SHA-256 of the bytes: a row of `stored_images`. */
    image_hash: bytea(),
    updated_at: time().notNull().default(now),
    /** Of releases before the table `jobs`: dedup hashes of listings that wait for it. */
    waiting: byteas(),
  },
  (t) => [
    primaryKey({ name: 'image_sources_pkey', columns: [t.account_id, t.url_hash] }),
    index('image_sources_queue')
      .on(t.account_id, t.due_at)
      .where(sql`${t.status} = 'pending' and ${t.claims} = 0`),
    // Asked for every image of a changed listing; nearly all of the answers are no.
    index('image_sources_failed').on(t.account_id, t.url_hash).where(sql`${t.status} = 'failed'`),
    check('image_sources_status', sql`${t.status} in (${quoteList(IMAGE_STATUSES)})`),
  ],
);

/** Stored images by content; their bytes are in the object store. */
export const storedImages = pgTable(
  'stored_images',
  {
    account_id: text().notNull(),
    /** SHA-256 of the original's bytes. */
    hash: bytea().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    /** Path of the original. */
    original: text().notNull(),
    /** Blurred thumbnail as a data URI. */
    placeholder: text().notNull(),
    /** Of the original and all renditions; 0: stored before they were counted. */
    bytes: integer().notNull().default(0),
    /** As on the wire: width, height, url. */
    renditions: json().notNull(),
    created_at: time().notNull().default(now),
    /** Since when no URL stands for it; its bytes are removed a day later. */
    unused_since: time(),
  },
  (t) => [
    primaryKey({ name: 'stored_images_pkey', columns: [t.account_id, t.hash] }),
    // Their sum is what the account's tier bounds.
    index('stored_images_bytes').on(t.account_id, t.bytes),
  ],
);
