import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TempFiles } from '../../ports/files.ts';

/** Files below the system's folder for such, each in one of its own that only this user may enter. */
export function tempFiles(): TempFiles {
  return {
    async make() {
      const folder = await mkdtemp(join(tmpdir(), 'ctis-feed-'));
      return {
        path: join(folder, 'file'),
        remove: () => rm(folder, { recursive: true, force: true }),
      };
    },
    fill: (path, bytes) => pipeline(bytes, createWriteStream(path)),
  };
}
