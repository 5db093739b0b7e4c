import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { toEnvelope } from '../errors.ts';
import { createVisitReader, type Proxies } from './proxies.ts';
import { readCode, StartFault } from './start-fault.ts';

export interface RunningServer {
  port: number;
  /** Stops accepting, lets running requests finish for at most `graceMs` (3,000), then cuts what is left. */
  close(graceMs?: number): Promise<void>;
}

/** The wanted port cannot be used; `message` says which and what to do. */
export class PortTaken extends StartFault {}

const LIMITS = {
  /** For the head of a request to arrive. */
  headersTimeout: 10_000,
  /** For a client to take the next bytes of its answer. */
  writeTimeout: 60_000,
  /** Each costs some 20 kB. */
  maxConnections: 2_000,
};

/** Listens on `host`:`port` and answers with `fetch`, which never rejects. Throws `PortTaken`. */
export async function startServer(options: {
  fetch(request: Request): Response | Promise<Response>;
  host: string;
  port: number;
  proxies?: Proxies;
  limits?: Partial<typeof LIMITS>;
}): Promise<RunningServer> {
  const { fetch, host, port, proxies = { trusted: [], publicUrl: null } } = options;
  const { headersTimeout, writeTimeout, maxConnections } = { ...LIMITS, ...options.limits };
  const readVisit = createVisitReader(proxies);
  let origin = proxies.publicUrl ?? '';
  const respond = getRequestListener((request) => fetch(request), {
    errorHandler: () => toRefusal(400, origin),
  });
  const answers = new WeakMap<Duplex, ServerResponse>();
  const isBusy = (socket: Duplex) => answers.get(socket)?.closed === false;

  const server = createServer({
    headersTimeout,
    requestTimeout: 60_000,
    keepAliveTimeout: 30_000,
    // How often those are looked at: by default every 30 s.
    connectionsCheckingInterval: 1_000,
    // A missing Host is refused with the envelope, which Node's own refusal lacks.
    requireHostHeader: false,
  });
  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    // Pipelined requests would be answered all at once: few bytes would fill the memory.
    if (isBusy(socket)) return void socket.destroy();
    answers.set(socket, outgoing);
    if (!server.listening) outgoing.setHeader('connection', 'close');
    const visit = readVisit(incoming);
    setHeader(incoming, 'x-real-ip', visit.ip);
    if (visit.origin) incoming.url = visit.origin + incoming.url;
    void respond(incoming, outgoing);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isLost = error.code === 'ECONNRESET' || !socket.writable;
    if (isLost || answers.get(socket)?.headersSent === true) socket.destroy();
    else void refuse(socket, error.code ?? '', origin);
  });
  // Who does not read keeps an answer in memory; what still works on one may take longer.
  server.setTimeout(writeTimeout, (socket) => {
    if (!isBusy(socket) || socket.writableLength > 0) socket.destroy();
  });
  server.maxConnections = maxConnections;
  const bound = await listen(server, host, port);
  origin ||= `http://${host}:${bound}`;
  return { port: bound, close: (graceMs = 3_000) => close(server, graceMs) };
}

/** What a client sends under this name is thrown away: limits count by it. */
function setHeader({ headers, rawHeaders }: IncomingMessage, name: string, value: string): void {
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if (rawHeaders[at]?.toLowerCase() === name) rawHeaders.splice(at, 2);
  rawHeaders.push(name, value);
  headers[name] = value;
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    await once(server.listen(port, host), 'listening');
    return (server.address() as AddressInfo).port;
  } catch (error) {
    const code = readCode(error);
    const remedy = `choose another one with PORT=${port < 65_535 ? port + 1 : 3_000}`;
    if (code === 'EADDRINUSE')
      throw new PortTaken(`Port ${port} on ${host} is already in use: end what runs there, or ${remedy}.`);
    if (code === 'EACCES') throw new PortTaken(`Port ${port} is not open to this user: ${remedy}.`);
    throw error;
  }
}

/** `Server.close` ends only connections that are idle at that moment: those that become idle later are swept. */
async function close(server: Server, graceMs: number): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(cut);
}

const FIX =
  'Send HTTP/1.1 with a Host, an encoded path, one Content-Length, at most 16 KiB of headers within 10 seconds, and the rest within 60.';

/** What no handler sees: a request of which Node or Hono can make none. */
function toRefusal(status: number, origin: string): Response {
  const message = 'The request cannot be read.';
  const details = { reason: 'malformed', fix: FIX };
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': `req_${crypto.randomUUID()}`,
  };
  const body = toEnvelope({ code: 'INVALID_PARAMS', message, details }, origin);
  return Response.json(body, { status, headers });
}

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers on the bare socket, since there is no response object yet, and closes it. */
async function refuse(socket: Duplex, errorCode: string, origin: string): Promise<void> {
  const refusal = toRefusal(STATUSES[errorCode] ?? 400, origin);
  const { status, headers } = refusal;
  const body = await refusal.text();
  headers.set('content-length', String(Buffer.byteLength(body)));
  headers.set('connection', 'close');
  const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  socket.end(`${start}${head.join('')}\r\n${body}`, () => socket.destroy());
}
