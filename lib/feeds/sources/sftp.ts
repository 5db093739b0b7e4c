import { type AddressGuard, checkedAddresses, parseTarget } from '../../outside/fetcher/address-guard.ts';
import { OutboundFailure } from '../../outside/outbound.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedSource, FetchedFile } from '../feed-file.ts';
import { startThread } from '../threads/start-thread.ts';
import type { SftpJob } from './sftp-worker.ts';

const WORKER = new URL('./sftp-worker.ts', import.meta.url);
/** Packets of a session are small, and the file goes to the disk. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };

/**
 * A file by SFTP, from public addresses on port 22 only, like everything that is fetched. Sessions run in threads of
 * their own: every packet is deciphered by itself, so a server that sends small ones would keep the process busy.
 */
export function sftpSource(guard: AddressGuard): FeedSource['fetch'] {
  return async (location, _conditions, path, limits) => {
    const url = new URL(location.url);
    const deadline = AbortSignal.timeout(limits.timeoutMs);
    try {
      const addresses = await checkedAddresses(url, guard, deadline);
      const job: SftpJob = { addresses, port: parseTarget(url).port, location, path, limits };
      const thread = startThread(WORKER, job, MEMORY, deadline, toFailure);
      return await thread.ask<FetchedFile>().finally(thread.close);
    } catch (error) {
      if (deadline.aborted && !(error instanceof FeedFault))
        throw new OutboundFailure('timeout', 'no answer', error);
      throw error;
    }
  };
}

const toFailure = (cause: unknown) =>
  new OutboundFailure('connection_failed', 'the session broke off', cause);
