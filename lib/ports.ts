import type { Principal } from './accounts/keys/principal.ts';
import type { Session } from './accounts/people/sessions.ts';
import type { Remembered } from './accounts/remember.ts';
import type { CallCounts } from './accounts/usage.ts';
import type { Sql } from './db/sql.ts';
import type { FeedSource } from './feeds/feed-file.ts';
import type { FeedFiles } from './feeds/files/feed-files.ts';
import type { Imaging } from './images/image.ts';
import type { Limiter } from './limiter/limits.ts';
import type { Assistant } from './outside/assistant/assistant.ts';
import type { Objects } from './outside/files.ts';
import type { Mailer } from './outside/mailer/mailer.ts';
import type { Fetcher, Geocoder } from './outside/outbound.ts';
import type { Secrets } from './outside/secrets/secrets.ts';
import type { Settings } from './outside/settings.ts';
import type { TempFiles } from './outside/system/temp-files.ts';
import type { Background, Clock, Flags, Log, Random } from './outside/system.ts';
import type { DecodeVins } from './pipeline/vin-decoder/decode-vins.ts';

/** Everything outside the business: stores, limiter, time, chance, log. Adapters implement them, connect hands them out. */
export interface Ports {
  /** What queries take: the database, or the transaction that is under way. */
  db: Sql;
  /** The transaction is tried again on `WriteConflict`: listings are not locked beforehand. */
  isOptimistic?: boolean;
  /** Who has which key, and who is signed in, remembered for seconds by this process: forget it after whatever changes that. */
  principals: Remembered<Principal>;
  sessions: Remembered<Session>;
  callCounts: CallCounts;
  limiter: Limiter;
  /** Counts in this process only and never waits: for what must not cost a round trip. */
  localLimiter: Limiter;
  geocoder: Geocoder;
  decodeVins: DecodeVins;
  fetcher: Fetcher;
  /** Null when none is configured. */
  assistant: Assistant | null;
  mailer: Mailer;
  objects: Objects;
  feedSource: FeedSource;
  feedFiles: FeedFiles;
  /** Where the service keeps and prepares files; below `minBytes` of free space nothing is written. */
  disk: { free(): Promise<{ freeBytes: number; minBytes: number }> };
  tempFiles: TempFiles;
  secrets: Secrets;
  imaging: Imaging;
  background: Background;
  flags: Flags;
  clock: Clock;
  random: Random;
  log: Log;
  settings: Settings;
}
