import type { FeedSettings } from './feed.ts';
import type { FeedRowFaultCode } from './feed-faults.ts';
import type { FeedPlan } from './mapping/feed-mapping.ts';
import type { FeedEncoding, FeedFormat } from './schemas/feed-files.ts';

/** A feed’s file: fetched, opened, read row by row. */

/** Where a dealer's file is, and the credentials for it, unsealed. */
export type FeedLocation = Pick<
  FeedSettings,
  'protocol' | 'url' | 'username' | 'password' | 'private_key' | 'host_key_sha256'
>;

/** What the file that was last taken said of itself. */
export interface FeedConditions {
  etag: string | null;
  lastModified: string | null;
}

export interface FeedLimits {
  maxBytes: number;
  /** For everything: looking up, connecting, logging in, redirects, the whole file. */
  timeoutMs: number;
  /** Our own disk keeps so much to spare; a file that would take it is `Unavailable`. */
  minFreeBytes: number;
}

export interface FetchedFile extends FeedConditions {
  bytes: number;
  /** Hex. */
  sha256: string;
  /** When the file says it was made, ms since the epoch. */
  fileTime: number | null;
}

export interface FeedSource {
  /** Fills the file at `path`, which is made or replaced. Throws `FeedFault`; then what `path` holds is of no use. */
  fetch(
    location: FeedLocation,
    conditions: FeedConditions,
    path: string,
    limits: FeedLimits,
  ): Promise<FetchedFile | 'not_modified'>;
}

/** One row of a dealer's file. */
export interface FeedRow {
  /** Where it starts, counted from 1. */
  line: number;
  /** Values by column; text, or for JSON and XML lists and objects too. Null when nothing of it can be read. */
  fields: Record<string, unknown> | null;
  /** The row is not to be ingested; `fields` still tell which truck it is about, as far as they go. */
  fault: { code: FeedRowFaultCode; message: string } | null;
}

/** What a file that was opened says of itself. */
export interface FeedFileHead {
  format: FeedFormat;
  encoding: FeedEncoding;
  /** Of CSV, TSV and the like. */
  delimiter: string | null;
}

/** A row with the record that was made of it; null where nothing of it can be read. */
export interface ReadRow extends Pick<FeedRow, 'line' | 'fault'> {
  record: Record<string, unknown> | null;
  /** False for another system's truck that an upload changes. */
  isOwn?: boolean;
}

/** How the rows of a file are read, with values of each column for people to see. */
export interface ReadFeedHead extends FeedFileHead {
  plan: FeedPlan;
  /** By column, in the order of the plan. */
  examples: unknown[][];
}

/** Some thousand rows of a file, one a line of JSON. */
export interface Part {
  /** From 1. */
  no: number;
  rows: number;
  /** Hex, of the lines before they are compressed. */
  sha256: string;
}

/** A file that was read from its start to its end. */
export interface FeedManifest {
  plan: FeedPlan;
  parts: Part[];
}
