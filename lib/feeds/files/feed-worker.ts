import { parentPort, workerData } from 'node:worker_threads';
import type { FeedFormat } from '../schemas/feed-files.ts';
import { answer } from '../threads/answer.ts';
import type { FileLimits } from './limits.ts';
import { readFeedFile } from './read-file.ts';
import { splitParts } from './split-parts.ts';

/** The thread that reads a dealer's file: it says what the file is, then sends a part for each message, and null at its end. */

export interface FeedWorkerData {
  path: string;
  format: FeedFormat | null;
  limits: FileLimits;
}

const { path, format, limits } = workerData as FeedWorkerData;

await answer(async () => {
  const { rows, ...head } = await readFeedFile(path, format, limits);
  const parts = splitParts(rows, limits);
  parentPort?.on('message', () => answer(async () => (await parts.next()).value ?? null));
  return head;
});
