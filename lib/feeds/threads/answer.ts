import { parentPort } from 'node:worker_threads';
import { Unavailable } from '../../outside/faults.ts';
import { FeedFault, type FeedFaultReason } from '../feed-faults.ts';

/** A message of a thread: the result of its work, or what was thrown in it. */
export interface ThreadAnswer {
  result?: unknown;
  fault?: { reason: FeedFaultReason; message: string; cause: unknown };
  unavailable?: string;
}

/** Does the work each time the main thread asks for it, and posts the result. */
export function answer(work: () => Promise<unknown>) {
  parentPort?.on('message', async () => {
    const message: ThreadAnswer = await work().then((result) => ({ result }), toThrown);
    parentPort?.postMessage(message);
  });
}

function toThrown(error: unknown) {
  // A full disk or a lost file is a fault of ours.
  if (error instanceof Unavailable || (error instanceof Error && 'syscall' in error))
    return { unavailable: error.message };
  const { reason, message, cause } =
    error instanceof FeedFault
      ? error
      : new FeedFault('reader_crashed', 'The file ended the program that reads it.', { cause: error });
  return { fault: { reason, message, cause } };
}
