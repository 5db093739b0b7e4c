import type { Readable } from 'node:stream';
import { Unavailable } from '../faults.ts';
import { type Fetcher, type OutboundAnswer, OutboundFailure, type OutboundRequest } from '../outbound.ts';
import { type AddressGuard, checkedAddresses, findRefusal } from './address-guard.ts';
import { readBody, refuseEncoded, tooLarge } from './body.ts';
import { type OwnConnection, openConnection } from './own-connection.ts';

/** What a download answered; `file` is null unless the status is 200. */
export interface Download extends Omit<OutboundAnswer, 'bytes'> {
  file: { bytes: number; sha256: string } | null;
}

export interface GuardedFetcher extends Fetcher {
  /**
   * `fetch` for what is too large for memory: the body of a 200 becomes the file at `path`, as it was transferred (gzip
   * stays gzip). Throws `Unavailable` when less than `minFreeBytes` of our own disk would be left.
   */
  download(request: OutboundRequest, file: { path: string; minFreeBytes: number }): Promise<Download>;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const USER_AGENT = 'commercial-truck-inventory-service/1';

/**
 * Fetches from the public internet and from nowhere else. Each hop's URL and all its addresses are checked, and the
 * connection is made to exactly the addresses that were: a name that resolves to something else a moment later
 * (DNS rebinding) changes nothing.
 */
export function guardedFetcher(options: AddressGuard): GuardedFetcher {
  const closing = new AbortController();
  const guarded = async <T>(request: OutboundRequest, receive: Receive<T>): Promise<T> => {
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const signal = AbortSignal.any([closing.signal, timeout]);
    try {
      return await exchange(request, options, signal, receive);
    } catch (error) {
      if (error instanceof OutboundFailure || error instanceof Unavailable) throw error;
      throw new OutboundFailure(timeout.aborted ? 'timeout' : 'connection_failed', 'no answer', error);
    }
  };
  return {
    fetch: (request) =>
      guarded(request, async ({ body, ...answer }) => {
        if (request.method !== 'POST' && answer.status === 200)
          refuseEncoded(answer.headers['content-encoding']);
        return { ...answer, bytes: await readBody(body, request.maxBytes) };
      }),
    download: (request, file) =>
      guarded(request, async ({ body, ...answer }) => {
        if (answer.status !== 200) return { ...answer, file: null };
        refuseEncoded(answer.headers['content-encoding'], ['gzip', 'x-gzip']);
        const { saveBody } = await import('./save-body.ts');
        return { ...answer, file: await saveBody(body, request.maxBytes, file) };
      }),
    findRefusal: (url) => findRefusal(url, options),
    close: () => closing.abort(new Error('the service is ending')),
  };
}

/** Handles an answer that is no redirect, while its connection is open. */
type Receive<T> = (answer: Omit<OutboundAnswer, 'bytes'> & { body: Readable }) => Promise<T>;

async function exchange<T>(
  request: OutboundRequest,
  options: AddressGuard,
  signal: AbortSignal,
  receive: Receive<T>,
): Promise<T> {
  let target = webUrl(request.url, request);
  let headers: Readonly<Record<string, string>> = request.headers ?? {};
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const connection = await openConnection(await checkedAddresses(target, options, signal));
    const exchanged = exchangeOver(connection, target, { ...request, headers }, signal, receive);
    const hop = await Promise.race([exchanged, connection.broken]).finally(connection.close);
    if ('received' in hop) return hop.received;
    const next = webUrl(URL.parse(hop.location, target)?.href ?? '', request);
    // Headers for one server are not for another.
    if (next.origin !== target.origin) headers = {};
    target = next;
  }
  throw new OutboundFailure('too_many_redirects', `over ${MAX_REDIRECTS}`);
}

function webUrl(text: string, { httpsOnly = false }: OutboundRequest): URL {
  const url = URL.parse(text);
  const schemes = httpsOnly ? ['https:'] : ['https:', 'http:'];
  if (!url || !schemes.includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new OutboundFailure('url_refused', `no ${schemes.join(' or ')} URL without credentials`);
  return url;
}

type Hop<T> = { received: T } | { location: string };

async function exchangeOver<T>(
  { dispatcher }: OwnConnection,
  url: URL,
  { method = 'GET', headers = {}, body, maxBytes }: OutboundRequest,
  signal: AbortSignal,
  receive: Receive<T>,
): Promise<Hop<T>> {
  const { request } = (await import('undici')).default;
  const answer = await request(url, {
    dispatcher,
    method,
    headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers },
    body: body ?? null,
    signal,
  });
  // Later errors of the stream, such as our own abort, change nothing.
  answer.body.on('error', () => undefined);
  const plain = plainHeaders(answer.headers);
  const { location } = plain;
  if (method === 'GET' && REDIRECTS.has(answer.statusCode) && location !== undefined) return { location };
  if (Number(plain['content-length']) > maxBytes) throw tooLarge(maxBytes);
  const { statusCode: status, body: stream } = answer;
  return { received: await receive({ status, headers: plain, url: url.href, body: stream }) };
}

const plainHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]));
