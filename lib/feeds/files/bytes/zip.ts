import type { Entry } from 'yauzl';
import { FeedFault } from '../../feed-faults.ts';
import type { FileLimits } from '../limits.ts';

/** What an archive lists; sizes are what it says of itself. */
export interface Archive {
  members: ReadonlyMap<string, Entry>;
  /** The content of a member, within the limits. Throws `FeedFault`. */
  read(member: Entry): AsyncGenerator<Uint8Array>;
}

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

const MAX_ENTRIES = 10_000;

export async function openArchive(path: string, limits: FileLimits): Promise<Archive> {
  const { openPromise } = await import('yauzl').then((yauzl) => yauzl.default);
  // The reader's own checks of declared sizes are kept; what its streams report beyond is a damaged file.
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((cause: unknown) => {
    throw new FeedFault('file_truncated', 'The zip archive is damaged or ends too early.', { cause });
  });
  const members = new Map<string, Entry>();
  await guarded(async () => {
    for await (const entry of archive.eachEntry()) {
      if (members.size === MAX_ENTRIES)
        throw new FeedFault('zip_unusable', `The archive has over ${MAX_ENTRIES} members.`);
      members.set(entry.fileName, entry);
    }
  });
  async function* read(member: Entry) {
    let size = 0;
    const stream = await guarded(() => archive.openReadStreamPromise(member));
    try {
      for await (const piece of stream as AsyncIterable<Uint8Array>) {
        size += piece.length;
        checkGrowth(size, member.compressedSize, limits);
        yield piece;
      }
    } catch (cause) {
      throw damaged(cause);
    }
  }
  return { members, read };
}

const guarded = <Done>(work: () => Promise<Done>): Promise<Done> =>
  work().catch((cause: unknown) => {
    throw damaged(cause);
  });

const damaged = (cause: unknown): unknown =>
  cause instanceof FeedFault
    ? cause
    : new FeedFault('file_damaged', 'The zip archive cannot be read.', { cause });
