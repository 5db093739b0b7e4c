import { join } from 'node:path';
import { FeedFault } from '../../../lib/feeds/feed-faults.ts';
import type { FeedConditions, FeedLimits, FeedLocation } from '../../../lib/feeds/feed-file.ts';
import { feedSource } from '../../../lib/feeds/sources/feed-source.ts';
import { guardedFetcher } from '../../../lib/outside/fetcher/guarded.ts';
import type { Resolve } from '../../../lib/outside/fetcher/resolver.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';

export interface FetchOptions extends Partial<FeedLimits> {
  /** Exceptions of the guard; default: the URL's own host and port. */
  allow?: string[];
  resolve?: Resolve;
  conditions?: Partial<FeedConditions>;
}

/** A folder of the suite, and what fetches a feed's file into it. */
export async function startFetching() {
  const folder = await suiteFolder();
  const path = join(folder, 'fetched');
  const fetchFrom = (url: string, account: Partial<FeedLocation> = {}, options: FetchOptions = {}) => {
    const { allow = [url.split('/')[2] ?? ''], resolve, conditions, ...limits } = options;
    const guard = { allow: new Set(allow), ...(resolve ? { resolve } : {}) };
    const isSftp = url.startsWith('sftp:');
    const none = { username: null, password: null, private_key: null, host_key_sha256: null };
    return feedSource(guardedFetcher(guard), guard).fetch(
      { protocol: isSftp ? 'sftp' : 'https', url, ...none, ...account },
      { etag: null, lastModified: null, ...conditions },
      path,
      { maxBytes: 1_000_000_000, timeoutMs: 60_000, minFreeBytes: 0, ...limits },
    );
  };
  return {
    folder,
    path,
    fetchFrom,
    /** The fault that fetching ends with. */
    async findFault(...parameters: Parameters<typeof fetchFrom>): Promise<FeedFault> {
      const error: unknown = await fetchFrom(...parameters).catch((reason: unknown) => reason);
      if (error instanceof FeedFault) return error;
      throw error;
    },
  };
}
