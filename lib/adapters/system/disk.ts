import { statfs } from 'node:fs/promises';
import type { Disk } from '../../ports/files.ts';

/** The disk that `folder` is on. */
export function diskAt(folder: string, minBytes: number): Disk {
  return {
    async free() {
      const { bavail, bsize } = await statfs(folder);
      return { freeBytes: bavail * bsize, minBytes };
    },
  };
}
