import type { LookupFunction } from 'node:net';
import {
  type Fetcher,
  type OutboundAnswer,
  OutboundFailure,
  type OutboundReason,
  type OutboundRequest,
} from '../../ports.ts';
import { readBody, tooLarge } from './body.ts';
import { isPublicAddress } from './public-address.ts';
import { type Resolve, resolveAllowedName, resolvePublicName } from './resolver.ts';

export interface GuardedFetcherOptions {
  /** Exceptions as `host:port`, in lower case: any address, any port. */
  allow: ReadonlySet<string>;
  /** For tests. */
  resolve?: Resolve;
  /** For tests: what else than 80 and 443 may be connected to. */
  ports?: readonly number[];
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const USER_AGENT = 'commercial-truck-inventory-service/1';

/**
 * Fetches from the public internet and from nowhere else. Each hop's URL and all its addresses are checked, and the
 * connection is made to exactly the addresses that were: a name that resolves to something else a moment later
 * (DNS rebinding) changes nothing.
 */
export function guardedFetcher(options: GuardedFetcherOptions): Fetcher {
  const closing = new AbortController();
  return {
    async fetch(request) {
      const late = AbortSignal.timeout(request.timeoutMs);
      const signal = AbortSignal.any([closing.signal, late]);
      try {
        return await exchange(request, options, signal);
      } catch (error) {
        if (error instanceof OutboundFailure) throw error;
        throw failure(late.aborted ? 'timeout' : 'connection_failed', 'no answer', error);
      }
    },
    close: () => closing.abort(new Error('the service is ending')),
  };
}

async function exchange(
  request: OutboundRequest,
  options: GuardedFetcherOptions,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  let target = checkedUrl(request.url, request, options);
  let headers: Readonly<Record<string, string>> = request.headers ?? {};
  for (let hops = 0; ; hops++) {
    const addresses = await checkedAddresses(target, options, signal);
    const hop = await oneHop(target, addresses, { ...request, headers }, signal);
    if (!('location' in hop)) return hop;
    if (hops === MAX_REDIRECTS) throw failure('too_many_redirects', `more than ${MAX_REDIRECTS}`);
    const next = checkedUrl(URL.parse(hop.location, target)?.href ?? '', request, options);
    // What the caller meant for one server is not for another.
    if (next.origin !== target.origin) headers = {};
    target = next;
  }
}

function checkedUrl(
  text: string,
  { httpsOnly = false }: OutboundRequest,
  options: GuardedFetcherOptions,
): URL {
  const url = URL.parse(text);
  if (!url) throw failure('url_refused', 'not a URL');
  const schemes = httpsOnly ? ['https:'] : ['https:', 'http:'];
  if (!schemes.includes(url.protocol)) throw failure('url_refused', `scheme ${url.protocol.slice(0, 20)}`);
  if (url.username !== '' || url.password !== '') throw failure('url_refused', 'credentials in the URL');
  if (url.hostname === '') throw failure('url_refused', 'no host');
  const ports = options.ports ?? [];
  const port = portOf(url);
  if (!isAllowed(url, options) && port !== 80 && port !== 443 && !ports.includes(port))
    throw failure('url_refused', `port ${port}`);
  return url;
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function isAllowed(url: URL, { allow }: GuardedFetcherOptions): boolean {
  return allow.has(`${url.hostname.replace(/\.$/, '')}:${portOf(url)}`);
}

/** Every address of the host; all of them have to be public. */
async function checkedAddresses(
  url: URL,
  options: GuardedFetcherOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const allowed = isAllowed(url, options);
  const literal =
    /^\[(.*)\]$/.exec(url.hostname)?.[1] ?? (/^[\d.]+$/.test(url.hostname) ? url.hostname : null);
  const resolve = options.resolve ?? (allowed ? resolveAllowedName : resolvePublicName);
  const addresses = literal === null ? await resolved(url.hostname, resolve, signal) : [literal];
  if (allowed) return addresses;
  for (const address of addresses)
    if (!(await isPublicAddress(address))) throw failure('address_refused', 'not a public address');
  return addresses;
}

async function resolved(hostname: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  try {
    const addresses = await Promise.race([resolve(hostname, signal), aborted(signal)]);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    if (signal.aborted) throw error;
    throw failure('dns_failed', 'the name does not resolve', error);
  }
  throw failure('dns_failed', 'the name has no address');
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function oneHop(
  url: URL,
  addresses: readonly string[],
  { method = 'GET', headers = {}, body, maxBytes }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer | { location: string }> {
  // A bundle knows no names of a CommonJS package.
  const { Agent, request } = (await import('undici')).default;
  // One connection for one exchange: nothing checked for one request can be reused by another.
  const agent = new Agent({ connect: { lookup: pinned(addresses) }, maxHeaderSize: 32_768, pipelining: 0 });
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers },
      body: body ?? null,
      signal,
    });
    // Errors after the interesting part, such as our own cut, are nobody's business.
    answer.body.on('error', () => undefined);
    const plain = plainHeaders(answer.headers);
    const { location } = plain;
    if (method === 'GET' && REDIRECTS.has(answer.statusCode) && location !== undefined) return { location };
    if (Number(plain['content-length']) > maxBytes) throw tooLarge(maxBytes);
    const bytes = await readBody(answer.body, plain['content-encoding'] ?? '', maxBytes);
    return { status: answer.statusCode, headers: plain, url: url.href, bytes };
  } finally {
    await agent.destroy();
  }
}

/** Answers the checked addresses, whatever the name says by now. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const [first] = all;
  return (_hostname, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, first?.address ?? '', first?.family ?? 4);
  };
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
