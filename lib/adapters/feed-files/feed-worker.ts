import { parentPort, workerData } from 'node:worker_threads';
import type { FeedFormat } from '../../contract/feeds/feed-files.ts';
import { FeedFault, type FeedFaultReason } from '../../ports/feeds/feed-faults.ts';
import type { FeedChunk, FeedPosition, OpenFeedFile } from '../../ports/feeds/feed-files.ts';
import type { FileLimits } from './limits.ts';
import { type ReadFile, readFeedFile } from './read-file.ts';

/** The thread that reads a dealer's file. It opens the file at once, then sends a chunk for each message. */

export interface FeedWorkerData {
  path: string;
  format: FeedFormat | null;
  from: FeedPosition | null;
  limits: FileLimits;
}

/** Asks for the next chunk; the size of the first one holds for all. */
export interface ChunkRequest {
  size: number;
}

export type FeedWorkerAnswer =
  | { kind: 'opened'; file: Omit<OpenFeedFile, 'chunks' | 'close'> }
  | { kind: 'chunk'; chunk: FeedChunk }
  | { kind: 'end' }
  | { kind: 'fault'; reason: FeedFaultReason; message: string; transient: boolean; cause?: string }
  | { kind: 'system_error'; message: string };

function toAnswer(error: unknown): FeedWorkerAnswer {
  if (error instanceof FeedFault) {
    const { reason, message, transient } = error;
    return { kind: 'fault', reason, message, transient };
  }
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  // A full disk or a lost file is a fault of ours.
  if (error instanceof Error && 'syscall' in error) return { kind: 'system_error', message: error.message };
  const message = 'The file ended the program that reads it.';
  return { kind: 'fault', reason: 'reader_crashed', message, transient: false, cause };
}

async function answer(work: () => Promise<FeedWorkerAnswer>): Promise<void> {
  parentPort?.postMessage(await work().catch(toAnswer));
}

const { path, format, from, limits } = workerData as FeedWorkerData;
let opened: ReadFile | undefined;
let chunks: AsyncIterator<FeedChunk> | undefined;

parentPort?.on('message', ({ size }: ChunkRequest) =>
  answer(async () => {
    chunks ??= opened?.chunks(size);
    const next = await chunks?.next();
    return next === undefined || next.done ? { kind: 'end' } : { kind: 'chunk', chunk: next.value };
  }),
);

await answer(async () => {
  opened = await readFeedFile(path, format, from, limits);
  const { chunks: _, ...file } = opened;
  return { kind: 'opened', file };
});
