import { statfsSync } from 'node:fs';

const LOOK_EVERY_BYTES = 8 * 1024 ** 2;

/**
 * Returns a check whether a file that is being written leaves less than `minFreeBytes` on the disk of `folder`.
 * Trucks and leads need that rest.
 */
export function spaceCheck(folder: string, minFreeBytes: number): (bytes: number) => boolean {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return (bytes) => {
    if (minFreeBytes === 0 || bytes - lookedAt < LOOK_EVERY_BYTES) return false;
    lookedAt = bytes;
    return freeBytes(folder) < minFreeBytes;
  };
}

/** Free bytes of the disk that a folder is on. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
