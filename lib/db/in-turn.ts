import type { FairQueue } from './fair-queue.ts';

/** What `work` returns once `key` has a place; null when the signal came first. */
export async function inTurn<Result>(
  queue: FairQueue,
  key: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | null> {
  if (!(await queue.enter(key, signal))) return null;
  try {
    return await work();
  } finally {
    queue.leave(key);
  }
}
