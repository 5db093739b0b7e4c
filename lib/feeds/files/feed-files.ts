import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FeedFiles, FeedRow, OpenFeedFile } from '../../ports/feeds/feed-files.ts';
import type { FeedWorkerAnswer, FeedWorkerData } from './feed-worker.ts';
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
      const reader = startReader({ path, format, limits }, memory, timeoutMs);
      try {
        const opened = await reader.nextAnswer();
        if (opened.kind !== 'opened') throw new Error(`the reader answered ${opened.kind}`);
        return { ...opened.head, parts: () => readParts(reader), close: reader.close };
      } catch (error) {
        await reader.close();
        throw error;
      }
    },
    rows: readPart,
  };
}

async function* readParts(reader: Reader): ReturnType<OpenFeedFile['parts']> {
  try {
    for (;;) {
      const answer = reader.nextAnswer();
      reader.ask();
      const given = await answer;
      if (given.kind !== 'part') return;
      yield given.part;
    }
  } finally {
    await reader.close();
  }
}

interface Reader {
  ask(): void;
  nextAnswer(): Promise<FeedWorkerAnswer>;
  close(): Promise<void>;
}

function startReader(job: FeedWorkerData, memory: ResourceLimits, timeoutMs: number): Reader {
  const worker = new Worker(new URL('./feed-worker.ts', import.meta.url), {
    workerData: job,
    // Whatever a file should bring about: here are no secrets.
    env: {},
    execArgv: [],
    resourceLimits: memory,
  });
  const late = AbortSignal.timeout(timeoutMs);
  const closing = new AbortController();
  // It may break between two requests, when nobody listens.
  let broken: unknown;
  worker.on('error', (error) => {
    broken = error;
  });
  worker.on('exit', () => closing.abort());
  return {
    ask: () => worker.postMessage('next'),
    async nextAnswer() {
      try {
        if (broken !== undefined) throw broken;
        const signal = AbortSignal.any([closing.signal, late]);
        const [answer]: FeedWorkerAnswer[] = await once(worker, 'message', { signal });
        return checkAnswer(answer);
      } catch (error) {
        throw late.aborted
          ? new FeedFault('reader_timeout', `The file could not be read within ${timeoutMs / 1_000} seconds.`)
          : toFault(broken ?? error);
      }
    },
    async close() {
      closing.abort();
      await worker.terminate();
    },
  };
}

function checkAnswer(answer: FeedWorkerAnswer | undefined): FeedWorkerAnswer {
  if (answer === undefined) throw new Error('the reader answered nothing');
  if (answer.kind === 'system_error') throw new Error(answer.message);
  if (answer.kind !== 'fault') return answer;
  const { reason, message, transient, cause } = answer;
  throw new FeedFault(reason, message, { transient, cause });
}

function toFault(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new FeedFault('reader_out_of_memory', 'Reading the file takes too much memory.', { cause: error });
  return error;
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
