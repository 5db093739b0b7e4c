import { type ResourceLimits, Worker } from 'node:worker_threads';
import { Unavailable } from '../../outside/faults.ts';
import { FeedFault } from '../feed-faults.ts';
import type { ThreadAnswer } from './answer.ts';

export type Thread = ReturnType<typeof startThread>;

/**
 * Starts a thread for what a dealer's server or file brings: it knows none of our secrets, has limits of its own, and waiting for
 * it ends when `late` says so.
 */
export function startThread(
  file: URL,
  job: object,
  limits: ResourceLimits,
  late: AbortSignal,
  describe: (error: unknown) => unknown,
) {
  const worker = new Worker(file, { workerData: job, env: {}, execArgv: [], resourceLimits: limits });
  const ended = new Promise<never>((_, reject) => {
    // It may break between two questions, and again while it is being ended.
    const end = (error: unknown) => reject(describe(error));
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the thread has ended')));
    late.addEventListener('abort', () => end(late.reason));
  });
  ended.catch(() => undefined);
  return {
    /** What the thread finds next. Throws what was thrown in it, or what `describe` makes of its end. */
    async ask<Found>() {
      worker.postMessage('next');
      const answer = new Promise<ThreadAnswer>((resolve) => worker.once('message', resolve));
      const { found, fault, unavailable } = await Promise.race([answer, ended]);
      if (unavailable !== undefined) throw new Unavailable(unavailable);
      if (fault) throw new FeedFault(fault.reason, fault.message, fault);
      // Both ends are ours, and agree on what is found.
      return found as Found;
    },
    close: async () => void (await worker.terminate()),
  };
}
