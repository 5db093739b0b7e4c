import type { Readable } from 'node:stream';
import { Unavailable } from '../faults.ts';
import {
  type Fetcher,
  type OutboundAnswer,
  OutboundFailure,
  type OutboundReason,
  type OutboundRequest,
} from '../outbound.ts';
import {
  type AddressGuard,
  checkedAddresses,
  findRefusal,
  isPortRefused,
  parseTarget,
} from './address-guard.ts';
import { readBody, tooLarge } from './body.ts';
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
    const late = AbortSignal.timeout(request.timeoutMs);
    const signal = AbortSignal.any([closing.signal, late]);
    try {
      return await exchange(request, options, signal, receive);
    } catch (error) {
      if (error instanceof OutboundFailure || error instanceof Unavailable) throw error;
      throw failure(late.aborted ? 'timeout' : 'connection_failed', 'no answer', error);
    }
  };
  return {
    fetch: (request) =>
      guarded(request, async ({ body, ...answer }) => {
        const encoding = answer.headers['content-encoding'] ?? '';
        return { ...answer, bytes: await readBody(body, encoding, request.maxBytes) };
      }),
    download: (request, file) =>
      guarded(request, async ({ body, ...answer }) => {
        if (answer.status !== 200) return { ...answer, file: null };
        const { saveBody } = await import('./save-body.ts');
        const encoding = answer.headers['content-encoding'] ?? '';
        return { ...answer, file: await saveBody(body, encoding, request.maxBytes, file) };
      }),
    findRefusal: (url) => findRefusal(url, options),
    close: () => closing.abort(new Error('the service is ending')),
  };
}

/** What becomes of an answer that is no redirect, while its connection is open. */
type Receive<T> = (answer: Omit<OutboundAnswer, 'bytes'> & { body: Readable }) => Promise<T>;

async function exchange<T>(
  request: OutboundRequest,
  options: AddressGuard,
  signal: AbortSignal,
  receive: Receive<T>,
): Promise<T> {
  let target = checkedUrl(request.url, request, options);
  let headers: Readonly<Record<string, string>> = request.headers ?? {};
  for (let hops = 0; ; hops++) {
    const addresses = await checkedAddresses(parseTarget(target), options, signal);
    const hop = await oneHop(target, addresses, { ...request, headers }, signal, receive);
    if ('received' in hop) return hop.received;
    if (hops === MAX_REDIRECTS) throw failure('too_many_redirects', `more than ${MAX_REDIRECTS}`);
    const next = checkedUrl(URL.parse(hop.location, target)?.href ?? '', request, options);
    // What the caller meant for one server is not for another.
    if (next.origin !== target.origin) headers = {};
    target = next;
  }
}

function checkedUrl(text: string, { httpsOnly = false }: OutboundRequest, options: AddressGuard): URL {
  const url = URL.parse(text);
  if (!url) throw failure('url_refused', 'not a URL');
  const schemes = httpsOnly ? ['https:'] : ['https:', 'http:'];
  if (!schemes.includes(url.protocol)) throw failure('url_refused', `scheme ${url.protocol.slice(0, 20)}`);
  if (url.username !== '' || url.password !== '') throw failure('url_refused', 'credentials in the URL');
  if (url.hostname === '') throw failure('url_refused', 'no host');
  if (isPortRefused(url, options)) throw failure('url_refused', `port ${url.port}`);
  return url;
}

async function oneHop<T>(
  url: URL,
  addresses: readonly string[],
  asked: OutboundRequest,
  signal: AbortSignal,
  receive: Receive<T>,
): Promise<Hop<T>> {
  const connection = await openConnection(addresses);
  try {
    return await Promise.race([exchangeOver(connection, url, asked, signal, receive), connection.broken]);
  } finally {
    await connection.close();
  }
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
  // Errors after what was asked for, such as our own cut, change nothing.
  answer.body.on('error', () => undefined);
  const plain = plainHeaders(answer.headers);
  const { location } = plain;
  if (method === 'GET' && REDIRECTS.has(answer.statusCode) && location !== undefined) return { location };
  if (Number(plain['content-length']) > maxBytes) throw tooLarge(maxBytes);
  const { statusCode: status, body: stream } = answer;
  return { received: await receive({ status, headers: plain, url: url.href, body: stream }) };
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function failure(reason: OutboundReason, detail: string, cause?: unknown): OutboundFailure {
  return new OutboundFailure(reason, detail, cause);
}
