import { Unavailable } from '../faults.ts';

/** Rethrows a failed write; that our own disk is full is `Unavailable`, never the fault of who sent the bytes. */
export function rethrowDiskFull(error: unknown): never {
  const { code } = Object(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') throw new Unavailable('the disk is full', { cause: error });
  throw error;
}
