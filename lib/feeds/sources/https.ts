import type { GuardedFetcher } from '../../adapters/fetcher/guarded.ts';
import { isAllowedPlain } from '../../domain/accounts/allowed-host.ts';
import { OutboundFailure } from '../../ports/outbound.ts';
import { FeedFault } from '../feed-faults.ts';
import type { FeedSource } from '../feed-file.ts';
import { toFeedFault } from './fault.ts';

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
    if (username !== null || password !== null) {
      const pair = Buffer.from(`${username ?? ''}:${password ?? ''}`, 'utf8');
      headers.authorization = `Basic ${pair.toString('base64')}`;
    }
    const httpsOnly = !isAllowedPlain(allow, URL.parse(url));
    let answer: Awaited<ReturnType<GuardedFetcher['download']>>;
    try {
      answer = await fetcher.download(
        { url, headers, maxBytes, timeoutMs, httpsOnly },
        { path, minFreeBytes },
      );
    } catch (error) {
      if (error instanceof OutboundFailure) throw toFeedFault(error);
      throw error;
    }
    const conditional = etag !== null || lastModified !== null;
    if (answer.status === 304 && conditional) return 'not_modified';
    if (!answer.file) throw refused(answer.status);
    const modified = answer.headers['last-modified'] ?? null;
    return {
      ...answer.file,
      fileTime: parseTime(modified),
      etag: answer.headers.etag?.slice(0, 1_000) ?? null,
      lastModified: modified?.slice(0, 100) ?? null,
    };
  };
}

function refused(status: number): FeedFault {
  if (status === 401 || status === 403)
    return new FeedFault('auth_failed', `The server answered ${status}: it does not let this user in.`);
  if (status === 404 || status === 410)
    return new FeedFault('not_found', `The server answered ${status}: there is no such file.`);
  const transient = status >= 500 || status === 408 || status === 425 || status === 429;
  return new FeedFault('http_status', `The server answered ${status} instead of the file.`, { transient });
}

function parseTime(header: string | null): number | null {
  const time = header === null ? Number.NaN : Date.parse(header);
  return Number.isFinite(time) ? time : null;
}
