import type { AddressGuard } from '../../adapters/fetcher/address-guard.ts';
import type { GuardedFetcher } from '../../adapters/fetcher/guarded.ts';
import type { Clock } from '../../ports/system.ts';
import type { FeedSource } from '../feed-file.ts';
import { httpsSource } from './https.ts';

/** Dealers' files by either protocol; each is loaded when it is first needed. */
export function feedSource(fetcher: GuardedFetcher, guard: AddressGuard, clock: Clock): FeedSource {
  const https = httpsSource(fetcher, guard.allow);
  return {
    async fetch(location, ...rest) {
      if (location.protocol === 'https') return https(location, ...rest);
      const { sftpSource } = await import('./sftp.ts');
      return sftpSource(guard, clock)(location, ...rest);
    },
  };
}
