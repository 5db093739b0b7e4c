import type { AddressGuard } from '../../outside/fetcher/address-guard.ts';
import type { GuardedFetcher } from '../../outside/fetcher/guarded.ts';
import { OutboundFailure } from '../../outside/outbound.ts';
import type { FeedSource } from '../feed-file.ts';
import type { FeedProtocol } from '../schemas/feed-files.ts';
import { toFeedFault } from './fault.ts';
import { httpsSource } from './https.ts';
import { sftpSource } from './sftp.ts';

/** Dealers' files by protocol. */
export function feedSource(fetcher: GuardedFetcher, guard: AddressGuard): FeedSource {
  const sources: Record<FeedProtocol, FeedSource['fetch']> = {
    https: httpsSource(fetcher, guard.allow),
    sftp: sftpSource(guard),
  };
  return {
    fetch: (location, ...rest) =>
      sources[location.protocol](location, ...rest).catch((error: unknown) => {
        throw error instanceof OutboundFailure ? toFeedFault(error) : error;
      }),
  };
}
