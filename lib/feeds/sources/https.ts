import type { GuardedFetcher } from '../../adapters/fetcher/guarded.ts';
import { isAllowedPlain } from '../../domain/accounts/allowed-host.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedSource } from '../feed-file.ts';

/**
 * A file by HTTPS, through the guarded fetcher, with conditional requests and Basic authentication. Plain HTTP passes
 * only to the servers in OUTBOUND_ALLOW.
 */
export function httpsSource(
  fetcher: Pick<GuardedFetcher, 'download'>,
  allow: ReadonlySet<string>,
): FeedSource['fetch'] {
  return async (
    { url, username, password },
    { etag, lastModified },
    path,
    { maxBytes, timeoutMs, minFreeBytes },
  ) => {
    const headers: Record<string, string> = { accept: '*/*' };
    if (etag !== null) headers['if-none-match'] = etag;
    if (lastModified !== null) headers['if-modified-since'] = lastModified;
    if (username !== null)
      headers.authorization = `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
    const httpsOnly = !isAllowedPlain(allow, URL.parse(url));
    const answer = await fetcher.download(
      { url, headers, maxBytes, timeoutMs, httpsOnly },
      { path, minFreeBytes },
    );
    const isConditional = etag !== null || lastModified !== null;
    if (answer.status === 304 && isConditional) return 'not_modified';
    if (answer.file === null) throw refused(answer.status);
    const { etag: newTag = null, 'last-modified': modified = null } = answer.headers;
    const fileTime = Date.parse(modified ?? '') || null;
    return { ...answer.file, fileTime, etag: newTag, lastModified: modified };
  };
}

function refused(status: number): FeedFault {
  if (status === 401 || status === 403)
    return new FeedFault('auth_failed', `The server answered ${status}: it does not let this user in.`);
  if (status === 404 || status === 410)
    return new FeedFault('not_found', `The server answered ${status}: there is no such file.`);
  return new FeedFault('http_status', `The server answered ${status} instead of the file.`);
}
