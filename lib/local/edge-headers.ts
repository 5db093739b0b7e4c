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

function edgeHeaders(ip: string, host: string): (readonly [string, string])[] {
  return [
    ['x-real-ip', ip],
    ['x-forwarded-for', ip],
    ['x-forwarded-host', host],
    ['x-forwarded-proto', 'http'],
  ];
}

/** Stamps a Request in place. */
export function stampRequest(request: Request, ip: string): void {
  for (const name of [...request.headers.keys()]) if (isOwned(name)) request.headers.delete(name);
  for (const [name, value] of edgeHeaders(ip, hostOf(request.url))) request.headers.set(name, value);
}

/** Stamps a message of Node's server before a Request is made of it, which costs a fraction of stamping that. */
export function stampIncoming(incoming: IncomingMessage): void {
  const { headers, rawHeaders } = incoming;
  for (const name in headers) if (isOwned(name)) delete headers[name];
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2)
    if (isOwned(rawHeaders[index]?.toLowerCase() ?? '')) rawHeaders.splice(index, 2);
  for (const [name, value] of edgeHeaders(addressOf(incoming), headers.host ?? '')) {
    headers[name] = value;
    rawHeaders.push(name, value);
  }
}

/** The peer's address; an IPv4 peer on a dual-stack socket is told as IPv4. */
function addressOf(incoming: IncomingMessage): string {
  return incoming.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? '';
}

function hostOf(url: string): string {
  return url.slice(url.indexOf('//') + 2).split('/', 1)[0] ?? '';
}
