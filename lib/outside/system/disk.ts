import type { Disk } from '../files.ts';
import { freeBytes } from './disk-space.ts';

/** The disk that `folder` is on. */
export const diskAt = (folder: string, minBytes: number): Disk => ({
  free: async () => ({ freeBytes: freeBytes(folder), minBytes }),
});
