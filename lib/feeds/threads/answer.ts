import { parentPort } from 'node:worker_threads';
import { Unavailable } from '../../outside/faults.ts';
import { FeedFault, type FeedFaultReason } from '../feed-faults.ts';

/** What a thread answers: what it found, or what was thrown in it. */
export interface ThreadAnswer {
  found?: unknown;
  fault?: { reason: FeedFaultReason; message: string; cause: unknown };
  unavailable?: string;
}

/** Does work in a thread each time it is asked, and answers it to whoever started the thread. */
export function answer(work: () => Promise<unknown>) {
  parentPort?.on('message', async () => {
    const said: ThreadAnswer = await work().then((found) => ({ found }), toThrown);
    parentPort?.postMessage(said);
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
