import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TempFiles } from '../../ports/files.ts';
import { rethrowDiskFull } from './disk-full.ts';

const PREFIX = 'ctis-feed-';
/** No run works on a file for so long: its process was killed. */
const ABANDONED_MS = 3_600_000;

/** Files below the system's folder for such, each in a folder of its own that only this user may enter. */
export function tempFiles(folder = tmpdir()): TempFiles {
  return {
    async make() {
      const made = await mkdtemp(join(folder, PREFIX)).catch(rethrowDiskFull);
      return { path: join(made, 'file'), remove: () => rm(made, { recursive: true, force: true }) };
    },
    fill: (path, pieces) => pipeline(pieces, createWriteStream(path)).catch(rethrowDiskFull),
    async sweep() {
      const names = (await readdir(folder)).filter((name) => name.startsWith(PREFIX));
      const removed = await Promise.all(names.map((name) => removeAbandoned(join(folder, name))));
      return removed.filter(Boolean).length;
    },
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
