import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { ResourceLimits } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import { FeedFault } from '../feed-faults.ts';
import type { Part, ReadFeedHead, ReadRow } from '../feed-file.ts';
import type { FeedRecipe } from '../mapping/feed-mapping.ts';
import { startThread, type Thread } from '../threads/start-thread.ts';

/** A JSON document of 64 MB takes most of it, every other file a fraction. */
const MEMORY = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

export type FeedFiles = ReturnType<typeof feedFiles>;

/**
 * Dealers' files of every known kind, each read in a thread of its own that is ended when it takes too much time or
 * memory. Parts and `memory` other than the usual ones are for tests.
 */
export function feedFiles(partRows = 5_000, memory: ResourceLimits = MEMORY) {
  return {
    /**
     * Recognises compression, encoding and, unless the feed names it, format by content, and by the first rows how they become
     * records. `timeoutMs`: for all of the file. Throws `FeedFault`.
     */
    async open(path: string, feed: FeedRecipe, timeoutMs: number) {
      const deadline = AbortSignal.timeout(timeoutMs);
      const thread = startThread(WORKER, { path, feed, partRows }, memory, deadline, (cause) => {
        if (deadline.aborted)
          return new FeedFault(
            'reader_timeout',
            `The file took more than ${timeoutMs / 1_000} seconds to read.`,
          );
        return /OUT_OF_MEMORY/.test(String(cause))
          ? new FeedFault('reader_out_of_memory', 'Reading the file takes too much memory.', { cause })
          : cause;
      });
      try {
        const head = await thread.ask<ReadFeedHead>();
        /** `parts`: to be called once. */
        return { ...head, parts: () => readParts(thread) };
      } catch (error) {
        await thread.close();
        throw error;
      }
    },
    rows: readPart,
  };
}

const WORKER = new URL('./feed-worker.ts', import.meta.url);

/**
 * All rows as records in parts, each with its gzipped lines; a part is read when it is asked for. The last part, a fault and
 * leaving the loop close the file. Memory does not grow with the file.
 */
async function* readParts(thread: Thread) {
  const ask = () => thread.ask<(Part & { bytes: Uint8Array }) | null>();
  try {
    for (let part = await ask(); part !== null; part = await ask()) yield part;
  } finally {
    await thread.close();
  }
}

/** Rows that are worked on in one go, and the text that they may be. */
const SLICE_ROWS = 1_000;
const SLICE_LENGTH = 1024 * 1024;

/** The rows of a part, at most 1,000 at a time: so many are worked on in one go. */
async function readPart(part: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const text = await readText(Readable.from(part).compose(createGunzip()));
  let slice: ReadRow[] = [];
  const slices = [slice];
  let length = 0;
  for (const line of text.trimEnd().split('\n')) {
    if (slice.length === SLICE_ROWS || length > SLICE_LENGTH) {
      slice = [];
      slices.push(slice);
      length = 0;
      await setImmediate();
    }
    slice.push(JSON.parse(line));
    length += line.length;
  }
  return slices;
}
