import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { rethrowDiskFull } from './disk-full.ts';
import { freeBytes } from './disk-space.ts';

const PREFIX = 'ctis-feed-';
/** A file this old is of a process that was killed. */
const ABANDONED_MS = 15 * 60_000;

/** Files on this machine's disk that are not needed afterwards. */
export type TempFiles = ReturnType<typeof tempFiles>;
export type TempFile = Awaited<ReturnType<TempFiles['make']>>;

/** Files below the system's folder for such, each in a folder of its own that only this user may enter. */
export function tempFiles(folder = tmpdir(), free = freeBytes) {
  /** Bytes that running work may write. */
  let reserved = 0;
  let freed = Promise.withResolvers<void>();
  const sweep = () => sweepAbandoned(folder, PREFIX);
  return {
    /** A path for a new file, and a place for objects beside it; `remove` is to be called in any case. Throws `Unavailable` when the disk is full. */
    async make() {
      await sweep();
      const ownFolder = await mkdtemp(join(folder, PREFIX)).catch(rethrowDiskFull);
      return { path: join(ownFolder, 'file'), remove: () => rm(ownFolder, { recursive: true, force: true }) };
    },
    fill: (path: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) =>
      pipeline(pieces, createWriteStream(path)).catch(rethrowDiskFull),
    /** Calls `work`, which may write so many bytes, once they fit beside those that others may write. */
    async reserve<Done>(bytes: number, work: () => Promise<Done>): Promise<Done> {
      // Work that is alone may try: whether its file fits shows when it is written.
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

/** Removes what killed processes left behind. Best effort: another process may sweep too, or own the folder. */
export async function sweepAbandoned(folder: string, prefix: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(prefix));
  await Promise.allSettled(names.map((name) => removeAbandoned(join(folder, name))));
}

async function removeAbandoned(path: string): Promise<void> {
  if (Date.now() - (await stat(path)).mtimeMs > ABANDONED_MS) await rm(path, { recursive: true });
}
