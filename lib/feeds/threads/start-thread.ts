import { type ResourceLimits, Worker } from 'node:worker_threads';
import { Unavailable } from '../../outside/faults.ts';
import { FeedFault } from '../feed-faults.ts';
import type { ThreadAnswer } from './answer.ts';

export type Thread = ReturnType<typeof startThread>;

/**
 * Starts a thread for what a dealer's server or file brings: it gets none of our secrets, has its own limits, and waiting for
 * it ends when `deadline` aborts.
 */
export function startThread(
  file: URL,
  job: object,
  limits: ResourceLimits,
  deadline: AbortSignal,
  describe: (error: unknown) => unknown,
) {
  const worker = new Worker(file, { workerData: job, env: {}, execArgv: [], resourceLimits: limits });
  const failure = new Promise<never>((_, reject) => {
    // It may break between two questions, and again while it is being ended.
    const end = (error: unknown) => reject(describe(error));
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the thread has ended')));
    deadline.addEventListener('abort', () => end(deadline.reason));
  });
  failure.catch(() => undefined);
  return {
    /** The next result of the thread. Throws what was thrown in it, or what `describe` makes of its end. */
    async ask<Result>() {
      worker.postMessage('next');
      const answer = new Promise<ThreadAnswer>((resolve) => worker.once('message', resolve));
      const { result, fault, unavailable } = await Promise.race([answer, failure]);
      if (unavailable !== undefined) throw new Unavailable(unavailable);
      if (fault) throw new FeedFault(fault.reason, fault.message, fault);
      // Both ends are ours and agree on the type.
      return result as Result;
    },
    close: () => worker.terminate(),
  };
}
