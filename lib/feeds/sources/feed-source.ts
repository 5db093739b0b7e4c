import type { AddressGuard } from '../../outside/fetcher/address-guard.ts';
import type { GuardedFetcher } from '../../outside/fetcher/guarded.ts';
import { OutboundFailure } from '../../outside/outbound.ts';
import type { FeedSource } from '../feed-file.ts';
import type { FeedProtocol } from '../schemas/feed-files.ts';
import { toFeedFault } from './fault.ts';

/** Dealers' files by protocol; each source is loaded when it is first needed. */
export function feedSource(fetcher: GuardedFetcher, guard: AddressGuard): FeedSource {
  const sources: Record<FeedProtocol, () => Promise<FeedSource['fetch']>> = {
    https: async () => (await import('./https.ts')).httpsSource(fetcher, guard.allow),
    sftp: async () => (await import('./sftp.ts')).sftpSource(guard),
  };
  return {
    async fetch(location, ...rest) {
      const fetch = await sources[location.protocol]();
      try {
        return await fetch(location, ...rest);
      } catch (error) {
        throw error instanceof OutboundFailure ? toFeedFault(error) : error;
      }
    },
  };
}
