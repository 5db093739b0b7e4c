import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TempFiles } from '../files.ts';
import { rethrowDiskFull } from './disk-full.ts';
import { freeBytes } from './disk-space.ts';

const PREFIX = 'ctis-feed-';
/** No run works on a file for so long: its process was killed. */
const ABANDONED_MS = 15 * 60_000;

/** Files below the system's folder for such, each in a folder of its own that only this user may enter. */
export function tempFiles(folder = tmpdir(), free = freeBytes): TempFiles {
  /** Bytes that those under way may write. */
  let reserved = 0;
  let freed = Promise.withResolvers<void>();
  async function sweep(): Promise<number> {
    const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX));
    const removed = await Promise.all(names.map((name) => removeAbandoned(join(folder, name))));
    return removed.filter(Boolean).length;
  }
  return {
    async make() {
      await sweep();
      const made = await mkdtemp(join(folder, PREFIX)).catch(rethrowDiskFull);
      return { path: join(made, 'file'), remove: () => rm(made, { recursive: true, force: true }) };
    },
    fill: (path, pieces) => pipeline(pieces, createWriteStream(path)).catch(rethrowDiskFull),
    async reserve(bytes, work) {
      // One alone may try: whether its file fits shows when it is written.
      while (reserved > 0 && free(folder) - reserved < bytes) await freed.promise;
      reserved += bytes;
      try {
        return await work();
      } finally {
        reserved -= bytes;
        freed.resolve();
        freed = Promise.withResolvers();
      }
    },
    sweep,
  };
}

/** Best effort: another process may sweep too, or own the folder. */
async function removeAbandoned(path: string): Promise<boolean> {
  try {
    if (Date.now() - (await stat(path)).mtimeMs < ABANDONED_MS) return false;
    await rm(path, { recursive: true });
    return true;
  } catch {
    return false;
  }
}
