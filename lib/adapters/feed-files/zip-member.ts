import type { Entry, ZipFile } from 'yauzl';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FileLimits } from './limits.ts';

/** Throws when decompressing gives too much, or too much of little. */
export function checkGrowth(
  size: number,
  compressed: number,
  { maxBytes, maxRatio, ratioFrom }: FileLimits,
): void {
  if (size > maxBytes)
    throw new FeedFault('too_large', `The file has more than ${maxBytes} bytes decompressed.`);
  if (size > ratioFrom && size > compressed * maxRatio)
    throw new FeedFault('zip_bomb', `The file grows more than ${maxRatio}-fold when it is decompressed.`);
}

/** The content of a member, within the limits. */
export async function* readMember(
  opened: () => Promise<ZipFile>,
  entry: Entry,
  limits: FileLimits,
): AsyncGenerator<Uint8Array> {
  const archive = await opened();
  let size = 0;
  try {
    const stream: AsyncIterable<Uint8Array> = await archive.openReadStreamPromise(entry);
    for await (const piece of stream) {
      size += piece.length;
      checkGrowth(size, entry.compressedSize, limits);
      yield piece;
    }
  } catch (error) {
    if (error instanceof FeedFault) throw error;
    throw new FeedFault('file_damaged', 'A member of the zip archive cannot be decompressed.', {
      cause: error,
    });
  } finally {
    archive.close();
  }
}
