import { once } from 'node:events';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { Unavailable } from '../../ports/faults.ts';
import { FeedFault } from '../feed-faults.ts';
import type { ThreadAnswer } from './answer.ts';

export interface Thread {
  /** Asks for one more answer; the first comes unasked. */
  ask(): void;
  /** What the thread found. Throws what was thrown in it, or what `describe` makes of its end. */
  next<Found>(): Promise<Found>;
  close(): Promise<void>;
}

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
): Thread {
  const worker = new Worker(file, { workerData: job, env: {}, execArgv: [], resourceLimits: limits });
  const exited = new AbortController();
  // It may break between two questions, when nobody listens, and again while it is being ended.
  let broken: unknown;
  worker.on('error', (error) => {
    broken ??= error;
  });
  worker.on('exit', () => exited.abort());
  const listen = async (): Promise<ThreadAnswer> => {
    try {
      if (broken !== undefined) throw broken;
      const signal = AbortSignal.any([exited.signal, late]);
      const [said]: ThreadAnswer[] = await once(worker, 'message', { signal });
      if (said === undefined) throw new Error('the thread answered nothing');
      return said;
    } catch (error) {
      throw describe(broken ?? error);
    }
  };
  return {
    ask: () => worker.postMessage('next'),
    async next<Found>() {
      const said = await listen();
      // Both ends are ours, and agree on what is found.
      if (said.kind === 'found') return said.found as Found;
      if (said.kind === 'unavailable') throw new Unavailable(said.message);
      const { reason, message, cause } = said;
      throw new FeedFault(reason, message, { cause });
    },
    async close() {
      exited.abort();
      await worker.terminate();
    },
  };
}
