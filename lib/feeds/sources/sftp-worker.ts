import { parentPort, workerData } from 'node:worker_threads';
import { Unavailable } from '../../ports/faults.ts';
import { FeedFault, type FeedFaultReason } from '../../ports/feeds/feed-faults.ts';
import { fetchBySftp, type SftpFile, type SftpJob } from './sftp-session.ts';

/** The thread of one SFTP session: answers once. */

export type SftpAnswer =
  | { kind: 'file'; file: SftpFile | 'not_modified' }
  | { kind: 'fault'; reason: FeedFaultReason; message: string; transient: boolean; cause?: string }
  | { kind: 'unavailable'; message: string };

function toAnswer(error: unknown): SftpAnswer {
  if (error instanceof Unavailable) return { kind: 'unavailable', message: error.message };
  if (!(error instanceof FeedFault)) throw error;
  const { reason, message, transient, cause } = error;
  return {
    kind: 'fault',
    reason,
    message,
    transient,
    ...(cause instanceof Error ? { cause: cause.message } : {}),
  };
}

const answer = await fetchBySftp(workerData as SftpJob)
  .then((file): SftpAnswer => ({ kind: 'file', file }))
  .catch(toAnswer);
parentPort?.postMessage(answer);
