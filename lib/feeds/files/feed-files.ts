import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import type { ResourceLimits } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import { FeedFault } from '../feed-faults.ts';
import type { FeedFileHead, FeedFiles, FeedRow, OpenFeedFile, Part } from '../feed-file.ts';
import { startThread, type Thread } from '../threads/start-thread.ts';
import type { FeedWorkerData } from './feed-worker.ts';
import { FILE_LIMITS, type FileLimits } from './limits.ts';

/** A JSON document of 64 MB takes most of it, every other file a fraction. */
const MEMORY = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

/**
 * Dealers' files of every known kind, each read in a thread of its own that is ended when it takes too much time or
 * memory. `limits` and `memory` other than the usual ones are for tests.
 */
export function feedFiles(limits: FileLimits = FILE_LIMITS, memory: ResourceLimits = MEMORY): FeedFiles {
  return {
    async open(path, format, timeoutMs) {
      const late = AbortSignal.timeout(timeoutMs);
      const job: FeedWorkerData = { path, format, limits };
      const thread = startThread(WORKER, job, memory, late, (error) => {
        if (late.aborted)
          return new FeedFault(
            'reader_timeout',
            `The file took more than ${timeoutMs / 1_000} seconds to read.`,
          );
        return isOutOfMemory(error)
          ? new FeedFault('reader_out_of_memory', 'Reading the file takes too much memory.', { cause: error })
          : error;
      });
      try {
        const head = await thread.next<FeedFileHead>();
        return { ...head, parts: () => readParts(thread), close: thread.close };
      } catch (error) {
        await thread.close();
        throw error;
      }
    },
    rows: readPart,
  };
}

const WORKER = new URL('./feed-worker.ts', import.meta.url);

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

async function* readParts(thread: Thread): ReturnType<OpenFeedFile['parts']> {
  try {
    for (;;) {
      const found = thread.next<(Part & { bytes: Uint8Array }) | null>();
      thread.ask();
      const part = await found;
      if (part === null) return;
      yield part;
    }
  } finally {
    await thread.close();
  }
}

/** Rows that are worked on in one go, and the text that they may be. */
const SLICE_ROWS = 1_000;
const SLICE_LENGTH = 1024 * 1024;

async function readPart(part: Parameters<FeedFiles['rows']>[0]): Promise<FeedRow[][]> {
  const text = await readText(Readable.from(part).compose(createGunzip()));
  const slices: FeedRow[][] = [];
  let slice: FeedRow[] = [];
  let length = 0;
  for (const line of text.split('\n')) {
    if (line !== '') slice.push(JSON.parse(line));
    length += line.length;
    if (slice.length < SLICE_ROWS && length < SLICE_LENGTH && line !== '') continue;
    if (slice.length > 0) slices.push(slice);
    slice = [];
    length = 0;
    await setImmediate();
  }
  return slices;
}
