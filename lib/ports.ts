import type { VinDecoded } from './domain/truck.ts';
import type { Assistant } from './ports/assistant.ts';
import type { FeedFiles, FeedSource } from './ports/feed-files.ts';
import type { Objects, Secrets, TempFiles } from './ports/files.ts';
import type { Imaging } from './ports/images.ts';
import type { Mailer } from './ports/leads.ts';
import type { Limiter } from './ports/limits.ts';
import type { Fetcher, Geocoder } from './ports/outbound.ts';
import type { Store, StorePorts } from './ports/store.ts';
import type { Background, Clock, Log, Random } from './ports/system.ts';

export * from './ports/accounts.ts';
export * from './ports/assistant.ts';
export type * from './ports/dealers.ts';
export * from './ports/faults.ts';
export * from './ports/feed-files.ts';
export type * from './ports/feeds.ts';
export type * from './ports/files.ts';
export type * from './ports/images.ts';
export * from './ports/leads.ts';
export type * from './ports/limits.ts';
export type * from './ports/listings.ts';
export * from './ports/market.ts';
export * from './ports/outbound.ts';
export type * from './ports/search.ts';
export type * from './ports/store.ts';
export type * from './ports/system.ts';

/** Interfaces to everything outside the business: stores, limiter, time, chance, log. Adapters implement them. */

/** Settings that services need, from the environment. */
export interface Settings {
  supportEmail: string;
  salesEmail: string;
  adminToken: string | null;
  cronSecret: string | null;
  fairUse: 'enforce' | 'observe';
  /** Makes that also build consumer vehicles. */
  dualUseMakes: readonly string[];
  /** Signs the tokens that widgets are handed; the same in all instances. */
  tokenSecret: string;
  /** Days that leads and conversations are kept. */
  leadRetentionDays: number;
  /** What may be fetched from although it is not public: `host:port`, in lower case. */
  outboundAllow: ReadonlySet<string>;
  feeds: {
    /** Work on a run stops after this many ms and goes on in the next invocation. */
    softDeadlineMs: number;
    leaseSeconds: number;
    /** Of one download. */
    maxBytes: number;
    fetchTimeoutMs: number;
  };
}

export interface Ports extends StorePorts {
  store: Store;
  limiter: Limiter;
  /** Counts in this process only and never waits: for what must not cost a round trip. */
  localLimiter: Limiter;
  geocoder: Geocoder;
  vinDecoder: VinDecoder;
  fetcher: Fetcher;
  /** Null when none is configured. */
  assistant: Assistant | null;
  mailer: Mailer;
  objects: Objects;
  feedSource: FeedSource;
  feedFiles: FeedFiles;
  tempFiles: TempFiles;
  secrets: Secrets;
  imaging: Imaging;
  background: Background;
  clock: Clock;
  random: Random;
  log: Log;
  settings: Settings;
}

export interface VinDecoder {
  /** Same length and order; null where the extract knows nothing. Loads its data on first use. Takes any text as VIN. */
  decode(vins: readonly { vin: string; year: number | null }[]): Promise<(VinDecoded | null)[]>;
}
