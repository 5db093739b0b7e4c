import { once } from 'node:events';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { FeedFault } from '../../ports/feeds/feed-faults.ts';
import type { FeedFiles, OpenFeedFile } from '../../ports/feeds/feed-files.ts';
import type { ChunkRequest, FeedWorkerAnswer, FeedWorkerData } from './feed-worker.ts';
import { FILE_LIMITS, type FileLimits } from './limits.ts';

/** Rows within their limits need a fraction of it. */
const MEMORY = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 };

/**
 * Dealers' files of every known kind, each read in a thread of its own that is ended when it takes too much time or
 * memory. `limits` and `memory` other than the usual ones are for tests.
 */
export function feedFiles(limits: FileLimits = FILE_LIMITS, memory: ResourceLimits = MEMORY): FeedFiles {
  return {
    async open(path, format, from, timeoutMs) {
      const reader = startReader({ path, format, from, limits }, memory, timeoutMs);
      try {
        const opened = await reader.opened;
        if (opened.kind !== 'opened') throw new Error(`the reader answered ${opened.kind}`);
        return { ...opened.file, chunks: (size) => readChunks(reader, size), close: reader.close };
      } catch (error) {
        await reader.close();
        throw error;
      }
    },
  };
}

async function* readChunks(
  reader: Reader,
  size: number,
): ReturnType<OpenFeedFile['chunks']> & AsyncGenerator {
  try {
    for (;;) {
      const answer = await reader.ask({ size });
      if (answer.kind !== 'chunk') return;
      yield answer.chunk;
    }
  } finally {
    await reader.close();
  }
}

interface Reader {
  opened: Promise<FeedWorkerAnswer>;
  ask(request: ChunkRequest): Promise<FeedWorkerAnswer>;
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
  const closing = new AbortController();
  // It may break between two requests, when nobody listens.
  let broken: unknown;
  worker.on('error', (error) => {
    broken = error;
  });
  worker.on('exit', () => closing.abort());

  const nextAnswer = async (): Promise<FeedWorkerAnswer> => {
    const late = AbortSignal.timeout(timeoutMs);
    try {
      if (broken !== undefined) throw broken;
      const signal = AbortSignal.any([closing.signal, late]);
      const [answer]: FeedWorkerAnswer[] = await once(worker, 'message', { signal });
      return checkAnswer(answer);
    } catch (error) {
      throw late.aborted
        ? new FeedFault('reader_timeout', `Nothing could be read within ${timeoutMs / 1_000} seconds.`)
        : toFault(broken ?? error);
    }
  };
  return {
    opened: nextAnswer(),
    ask(request) {
      const answer = nextAnswer();
      worker.postMessage(request);
      return answer;
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
