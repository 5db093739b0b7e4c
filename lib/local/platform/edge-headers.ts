import type { IncomingMessage } from 'node:http';

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

/** Stamps a message of Node's server before a Request is made of it, which costs a fraction of stamping that. */
export function stampIncoming(incoming: IncomingMessage): void {
  const { headers, rawHeaders } = incoming;
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    const name = rawHeaders[index] ?? '';
    if (!MAY_BE_OWNED.test(name) || !isOwned(name.toLowerCase())) continue;
    rawHeaders.splice(index, 2);
    delete headers[name.toLowerCase()];
  }
  const ip = readAddress(incoming);
  const host = headers.host ?? '';
  headers['x-real-ip'] = ip;
  headers['x-forwarded-for'] = ip;
  headers['x-forwarded-host'] = host;
  headers['x-forwarded-proto'] = PROTO;
  rawHeaders.push(
    'x-real-ip',
    ip,
    'x-forwarded-for',
    ip,
    'x-forwarded-host',
    host,
    'x-forwarded-proto',
    PROTO,
  );
}

/** The peer's address; IPv4 also for an IPv4 peer on a dual-stack socket. */
function readAddress(incoming: IncomingMessage): string {
  const address = incoming.socket.remoteAddress ?? '';
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

function readHost(url: string): string {
  return url.slice(url.indexOf('//') + 2).split('/', 1)[0] ?? '';
}
