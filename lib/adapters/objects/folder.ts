import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Clock, type Objects, Unavailable } from '../../ports.ts';
import { checkedKey } from './key.ts';

const files = () => import('node:fs/promises');

/** Objects as files below `folder`, which is made when it is first needed. */
export function folderObjects(folder: string, clock: Clock): Objects {
  const put = async (key: string, bytes: Uint8Array) => {
    const path = join(folder, checkedKey(key));
    // Written beside and renamed: a reader, or a crash, never meets half of it.
    const half = join(folder, `.${randomUUID()}`);
    const { mkdir, rename, rm, writeFile } = await files();
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(half, bytes);
      await rename(half, path);
    } catch (error) {
      await rm(half, { force: true }).catch(() => undefined);
      throw new Unavailable(`objects cannot be stored in ${folder}`, { cause: error });
    }
  };
  return {
    put,
    async get(key) {
      try {
        const { readFile } = await files();
        return await readFile(join(folder, checkedKey(key)));
      } catch (error) {
        if (error instanceof Error && 'code' in error && ABSENT.has(String(error.code))) return null;
        throw error;
      }
    },
    async ping() {
      const started = clock.now();
      await put('health/ping', new Uint8Array());
      return clock.now() - started;
    },
  };
}

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);
