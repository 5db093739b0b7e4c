import { parentPort } from 'node:worker_threads';
import { Unavailable } from '../../ports/faults.ts';
import { FeedFault, type FeedFaultReason } from '../feed-faults.ts';

/** What a thread answers: what it found, or what was thrown in it. */
export type ThreadAnswer =
  | { kind: 'found'; found: unknown }
  | { kind: 'fault'; reason: FeedFaultReason; message: string; cause?: string }
  | { kind: 'unavailable'; message: string };

/** Does work in a thread, and answers it to whoever started the thread. */
export async function answer(work: () => Promise<unknown>): Promise<void> {
  const said: ThreadAnswer = await work().then((found) => ({ kind: 'found' as const, found }), toThrown);
  parentPort?.postMessage(said);
}

function toThrown(error: unknown): ThreadAnswer {
  // A full disk or a lost file is a fault of ours.
  if (error instanceof Unavailable || (error instanceof Error && 'syscall' in error))
    return { kind: 'unavailable', message: error.message };
  const fault =
    error instanceof FeedFault
      ? error
      : new FeedFault('reader_crashed', 'The file ended the program that reads it.', { cause: error });
  const { reason, message, cause } = fault;
  const why = cause instanceof Error ? { cause: cause.stack ?? cause.message } : {};
  return { kind: 'fault', reason, message, ...why };
}
