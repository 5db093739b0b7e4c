import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Unavailable } from '../faults.ts';
import type { Objects } from '../files.ts';
import { freeBytes } from '../system/disk-space.ts';
import { sweepAbandoned } from '../system/temp-files.ts';
import type { Clock } from '../system.ts';
import { checkedKey } from './key.ts';

/**
 * Objects as files below `folder`, which is made when it is first needed. With less than `minFreeBytes` of free space
 * nothing is stored: the database on the same disk needs it more.
 */
export function folderObjects(folder: string, clock: Clock, minFreeBytes = 0): Objects {
  const halves = join(folder, '.halves');
  let swept: Promise<void> | undefined;
  const store = async (key: string, fill: (half: string) => Promise<void>) => {
    const path = join(folder, checkedKey(key));
    // Written beside and renamed, so that no reader sees, and no crash leaves, half of it.
    const half = join(halves, randomUUID());
    try {
      swept ??= sweepAbandoned(halves, '');
      await swept;
      await mkdir(halves, { recursive: true });
      await mkdir(dirname(path), { recursive: true });
      if (freeBytes(folder) < minFreeBytes) throw new Error('the disk is nearly full');
      await fill(half);
      await rename(half, path);
    } catch (error) {
      await rm(half, { force: true }).catch(() => undefined);
      throw new Unavailable(`objects cannot be stored in ${folder}`, { cause: error });
    }
  };
  const put = (key: string, bytes: Uint8Array) => store(key, (half) => writeFile(half, bytes));
  return {
    put,
    async get(key) {
      try {
        return await readFile(join(folder, checkedKey(key)));
      } catch (error) {
        return absentOr(error);
      }
    },
    putFile: (key, path) => store(key, (half) => copyFile(path, half)),
    async open(key) {
      const path = join(folder, checkedKey(key));
      try {
        const file = await open(path);
        if ((await file.stat()).isFile()) return pieces(file.createReadStream());
        await file.close();
        return null;
      } catch (error) {
        return absentOr(error);
      }
    },
    async remove(key) {
      await rm(join(folder, checkedKey(key)), { force: true });
    },
    async ping() {
      const startedMs = clock.now();
      await put('health/ping', new Uint8Array());
      return clock.now() - startedMs;
    },
  };
}

async function* pieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw new Unavailable('an object cannot be read to its end', { cause: error });
  }
}

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

function absentOr(error: unknown): null {
  if (ABSENT.has(Object(error).code)) return null;
  throw error;
}
