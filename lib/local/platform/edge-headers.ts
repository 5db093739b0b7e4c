import type { IncomingMessage } from 'node:http';
import { type ReadVisit, type Visit, withoutMapping } from './proxies.ts';

/**
 * Headers the platform's edge sets itself. What a client sends under these names is thrown away, so that handlers
 * may trust them here as there.
 */
const OWNED = new Set([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
]);

function isOwned(lowerCaseName: string): boolean {
  return OWNED.has(lowerCaseName) || lowerCaseName.startsWith('x-vercel-');
}

const MAY_BE_OWNED = /^[xf]/i;
const PROTO = 'http';

/** Stamps a Request in place. */
export function stampRequest(request: Request, ip: string): void {
  for (const name of [...request.headers.keys()]) if (isOwned(name)) request.headers.delete(name);
  request.headers.set('x-real-ip', ip);
  request.headers.set('x-forwarded-for', ip);
  request.headers.set('x-forwarded-host', readHost(request.url));
  request.headers.set('x-forwarded-proto', PROTO);
}

type Incoming = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'socket'>;

/** Stamps a message of Node's server before its Request has headers, which costs a fraction of stamping those. */
export function stampIncoming(request: Request, incoming: Incoming, readVisit: ReadVisit): void {
  const { headers, rawHeaders } = incoming;
  const peer = withoutMapping(incoming.socket.remoteAddress ?? '');
  const visit = readVisit(headers, peer);
  if (visit) nameOrigin(request, visit);
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    const name = rawHeaders[index] ?? '';
    if (!MAY_BE_OWNED.test(name) || !isOwned(name.toLowerCase())) continue;
    rawHeaders.splice(index, 2);
    delete headers[name.toLowerCase()];
  }
  const { ip = peer, host = headers.host ?? '', protocol = PROTO } = visit ?? {};
  const stamps = {
    'x-real-ip': ip,
    'x-forwarded-for': ip,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol,
  };
  Object.assign(headers, stamps);
  rawHeaders.push(...Object.entries(stamps).flat());
}

/** Names the origin that the visitor called instead of the proxy's; shadowed, since another Request would cost more. */
function nameOrigin(request: Request, { protocol, host }: Visit): void {
  const { url } = request;
  const value = `${protocol}://${host}${url.slice(url.indexOf('/', url.indexOf('//') + 2))}`;
  Object.defineProperty(request, 'url', { value, configurable: true });
}

function readHost(url: string): string {
  return url.slice(url.indexOf('//') + 2).split('/', 1)[0] ?? '';
}
