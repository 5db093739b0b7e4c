import { isAllowedPlain } from '../../outside/fetcher/allowed-host.ts';
import type { GuardedFetcher } from '../../outside/fetcher/guarded.ts';
import { FeedFault, type FeedFaultReason } from '../feed-faults.ts';
import type { FeedSource } from '../feed-file.ts';

/**
 * A file by HTTPS, through the guarded fetcher, with conditional requests and Basic authentication. Plain HTTP passes
 * only to the servers in OUTBOUND_ALLOW.
 */
export function httpsSource(fetcher: GuardedFetcher, allow: ReadonlySet<string>): FeedSource['fetch'] {
  return async ({ url, username, password }, { etag, lastModified }, path, limits) => {
    const headers: Record<string, string> = {};
    if (etag !== null) headers['if-none-match'] = etag;
    if (lastModified !== null) headers['if-modified-since'] = lastModified;
    if (username !== null)
      headers.authorization = `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
    const httpsOnly = !isAllowedPlain(allow, URL.parse(url));
    const answer = await fetcher.download({ url, headers, httpsOnly, ...limits }, { path, ...limits });
    const isConditional = etag !== null || lastModified !== null;
    if (answer.status === 304 && isConditional) return 'not_modified';
    if (answer.file === null)
      throw new FeedFault(
        REFUSALS[answer.status] ?? 'http_status',
        `The server answered ${answer.status} instead of the file.`,
      );
    const { etag: newTag = null, 'last-modified': modified = null } = answer.headers;
    const fileTime = Date.parse(modified ?? '') || null;
    return { ...answer.file, fileTime, etag: newTag, lastModified: modified };
  };
}

const REFUSALS: Readonly<Record<number, FeedFaultReason>> = {
  401: 'auth_failed',
  403: 'auth_failed',
  404: 'not_found',
};
