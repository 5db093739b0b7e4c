import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Unavailable } from '../faults.ts';
import { OutboundFailure } from '../outbound.ts';
import { rethrowDiskFull } from '../system/disk-full.ts';
import { spaceCheck } from '../system/disk-space.ts';
import { tooLarge } from './body.ts';
import { onceTooSlow } from './transfer-rate.ts';

/** Writes a body of at most `maxBytes` into the file at `path` as it comes. Throws `OutboundFailure`, or `Unavailable` when our disk has no room for it. */
export async function saveBody(
  body: Readable,
  maxBytes: number,
  { path, minFreeBytes }: { path: string; minFreeBytes: number },
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  const fillsDisk = spaceCheck(dirname(path), minFreeBytes);
  let bytes = 0;
  const countBytes = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      if (fillsDisk(bytes)) throw new Unavailable('the disk is nearly full');
      hash.update(chunk);
      yield chunk;
    }
  };
  const endSlow = onceTooSlow(
    () => bytes,
    () => body.destroy(new OutboundFailure('timeout', 'the transfer is too slow')),
  );
  try {
    await pipeline(body, countBytes, createWriteStream(path)).catch(rethrowDiskFull);
  } finally {
    endSlow();
  }
  return { bytes, sha256: hash.digest('hex') };
}
