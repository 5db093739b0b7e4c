import { parentPort, workerData } from 'node:worker_threads';
import { FeedFault, type FeedFaultReason } from '../../ports/feeds/feed-faults.ts';
import type { FeedFileHead, Part } from '../../ports/feeds/feed-files.ts';
import type { FeedFormat } from '../schemas/feed-files.ts';
import type { FileLimits } from './limits.ts';
import { readFeedFile } from './read-file.ts';
import { splitParts } from './split-parts.ts';

/** The thread that reads a dealer's file: it says what the file is, then sends a part for each message. */

export interface FeedWorkerData {
  path: string;
  format: FeedFormat | null;
  limits: FileLimits;
}

export type FeedWorkerAnswer =
  | { kind: 'opened'; head: FeedFileHead }
  | { kind: 'part'; part: Part & { bytes: Uint8Array } }
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

const { path, format, limits } = workerData as FeedWorkerData;

await answer(async () => {
  const { rows, ...head } = await readFeedFile(path, format, limits);
  const parts = splitParts(rows, limits);
  parentPort?.on('message', () =>
    answer(async () => {
      const { done, value } = await parts.next();
      return done ? { kind: 'end' } : { kind: 'part', part: value };
    }),
  );
  return { kind: 'opened', head };
});
