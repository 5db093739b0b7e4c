// Fails without it: drivers.test.ts, "PGlite", and embedded.test.ts.
import { freeBytes } from '../../system/disk-space.ts';
import { openPool } from '../connection/pool.ts';
import type { Sql } from '../connection/sql.ts';
import { DiskShare } from './disk-share.ts';

/** About a tenth of a second of a slow machine. */
const SHARE = { maxChars: 128 * 1024, maxRows: 50 };
/** Of the space below which nobody writes: photos and downloads end at twice of it, accounts that write much before. */
const SCARCE = 4;

/**
 * Postgres in a worker thread, so that this one answers whatever it does. It has one session, so statements and
 * transactions queue, requests before ingest before jobs. `dataDir` is a folder that no other process uses, or `memory`.
 * A new folder takes a second or two. The thread is loaded with the first statement: no deployed function ships it.
 */
export function openPglite(options: {
  dataDir: string | 'memory';
  minFreeBytes?: number;
  maxSilenceMs?: number;
  upkeepMs?: number;
}): Sql {
  const { dataDir, minFreeBytes = 0, maxSilenceMs, upkeepMs = 10_000 } = options;
  const load = async () =>
    (await import('./pglite-thread.ts')).loadPglite({ dataDir, minFreeBytes, upkeepMs }, maxSilenceMs);
  const isScarce = () => dataDir !== 'memory' && freeBytes(dataDir) < SCARCE * minFreeBytes;
  const disk = new DiskShare(isScarce);
  return openPool(load, { share: { ...SHARE, takeDisk: (account, chars) => disk.take(account, chars) } });
}
