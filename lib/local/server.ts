import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { compressed } from './compress.ts';
import { Connections } from './connections.ts';
import { stampIncoming } from './platform/edge-headers.ts';
import type { Platform } from './platform/platform.ts';
import { createVisitReader, type Proxies } from './platform/proxies.ts';
import { type OwnAnswer, ownAnswer, toResponse } from './platform/responses.ts';
import { discardUnreadBody } from './unread-body.ts';

export interface RunningServer {
  port: number;
  /**
   * Stops accepting, lets running requests finish for at most `graceMs` (3,000), then cuts what is left. Answers
   * whether everything finished by itself.
   */
  close(graceMs?: number): Promise<boolean>;
}

/** The wanted port is in use; `message` says which and what to do. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

const GRACE_MS = 3_000;
/** Each costs some 20 kB. */
const MAX_CONNECTIONS = 2_000;
/** Requests of a connection that wait for the answer before theirs. */
const MAX_PIPELINED = 10;

/**
 * Listens on `host`:`port` and answers with the platform. `whenTaken: 'free'` takes any free port when the wanted
 * one is in use; otherwise that throws `PortTaken`.
 */
export async function startServer(options: {
  platform: Pick<Platform, 'dispatch' | 'log'>;
  host: string;
  port: number;
  whenTaken?: 'fail' | 'free';
  /** For the head of a request to arrive. */
  headersTimeout?: number;
  /** For a client to take the next bytes of its answer. */
  writeTimeout?: number;
  maxConnections?: number;
  proxies?: Proxies;
}): Promise<RunningServer> {
  const {
    platform,
    host,
    whenTaken = 'fail',
    headersTimeout = 10_000,
    writeTimeout = 60_000,
    maxConnections = MAX_CONNECTIONS,
    proxies = { trusted: [], publicUrl: null },
  } = options;
  const readVisit = createVisitReader(proxies);
  const originFor = (socket: Duplex) => proxies.publicUrl ?? `http://${connectedHost(socket as Socket)}`;
  const respond = getRequestListener(
    async (request, { incoming, outgoing }) => {
      stampIncoming(request, incoming, readVisit);
      const respond = () => platform.dispatch(request, outgoing);
      const answer = await (incoming.headers['accept-encoding'] === undefined
        ? respond()
        : compressed(request, respond));
      await discardUnreadBody(incoming);
      return answer;
    },
    { errorHandler: (error) => toResponse(unservable(error, platform)) },
  );
  const current = new WeakMap<Duplex, ServerResponse>();
  const silent = new Set<Duplex>();
  let closing = false;

  const server = createServer(
    // A missing Host is refused further down, with the envelope that Node's own refusal lacks.
    {
      requireHostHeader: false,
      headersTimeout,
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
      // How often those two are looked at: by default every 30 s.
      connectionsCheckingInterval: 1_000,
    },
    (incoming, outgoing) => {
      const { socket } = incoming;
      const before = current.get(socket);
      nameHost(incoming);
      current.set(socket, outgoing);
      silent.delete(socket);
      if (closing) outgoing.setHeader('connection', 'close');
      if (before === undefined || before.closed) void respond(incoming, outgoing);
      else inPipeline(socket, before, () => respond(incoming, outgoing));
    },
  );
  const isIdle = (socket: Duplex) => current.get(socket)?.writableEnded ?? true;
  // Whoever does not read keeps his answer in memory; what still works on one may take longer.
  server.setTimeout(writeTimeout, (socket) => {
    if (isIdle(socket) || socket.writableLength > 0) socket.destroy();
  });
  const connections = new Connections(maxConnections, isIdle);
  server.on('connection', (socket) => {
    connections.add(socket);
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseUnparsable(error, socket, current.get(socket), originFor(socket)),
  );
  server.on('connect', (_, socket) =>
    refuse(
      socket,
      current.get(socket),
      ownAnswer(405, 'NOT_FOUND', 'CONNECT is not answered: this is no proxy.', {
        details: { reason: 'method_not_allowed', fix: 'Use GET, POST, PATCH or DELETE.' },
        origin: originFor(socket),
      }),
    ),
  );
  // Unknown expectations may be passed over (RFC 9110, section 10.1.1); Node would answer a bare 417.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));

  const port = await listen(server, host, options.port, whenTaken);
  return {
    port,
    close(graceMs = GRACE_MS) {
      closing = true;
      // Connections that never sent a request do not count as idle for Node.
      for (const socket of silent) socket.destroy();
      return closeWithin(server, graceMs);
    },
  };
}

const pipelined = new WeakMap<Duplex, number>();

/** Answers of a connection are made one after the other: all at once, few bytes would fill the memory with them. */
function inPipeline(socket: Socket, before: ServerResponse, respond: () => Promise<unknown>): void {
  const waiting = (pipelined.get(socket) ?? 0) + 1;
  pipelined.set(socket, waiting);
  if (waiting > MAX_PIPELINED) socket.destroy();
  before.once('close', () => {
    pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
    if (!socket.destroyed) void respond();
  });
}

/** HTTP/1.0 knows no Host: the address that was connected to stands in for it. HTTP/1.1 without one is refused. */
function nameHost({ headers, httpVersion, rawHeaders, socket }: IncomingMessage): void {
  if (headers.host !== undefined || httpVersion !== '1.0') return;
  headers.host = connectedHost(socket);
  rawHeaders.push('Host', headers.host);
}

/** The address that a caller connected to. */
function connectedHost({
  localAddress = '127.0.0.1',
  localPort,
}: Pick<Socket, 'localAddress' | 'localPort'>) {
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}

async function listen(
  server: Server,
  host: string,
  port: number,
  whenTaken: 'fail' | 'free',
): Promise<number> {
  try {
    return await listenOnce(server, host, port);
  } catch (error) {
    if (!isErrno(error)) throw error;
    if (error.code === 'EADDRINUSE' && whenTaken === 'free' && port !== 0) return listenOnce(server, host, 0);
    const remedy = `choose another one with PORT=${port < 65_535 ? port + 1 : 3_000}`;
    if (error.code === 'EADDRINUSE')
      throw new PortTaken(`Port ${port} on ${host} is already in use: end what runs there, or ${remedy}.`);
    if (error.code === 'EACCES') throw new PortTaken(`Port ${port} is not open to this user: ${remedy}.`);
    throw error;
  }
}

function listenOnce(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(error);
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** `Server.close` ends only connections that are idle at that moment: those that become idle later are swept. */
function closeWithin(server: Server, graceMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    let cut = false;
    const deadline = setTimeout(() => {
      cut = true;
      server.closeAllConnections();
    }, graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(deadline);
      resolve(!cut);
    });
  });
}

/** A request whose head Node could read, but of which no Request can be made: a bad Host, a bad path. */
function unservable(error: unknown, platform: Pick<Platform, 'log'>): OwnAnswer {
  if (error instanceof RequestError)
    return ownAnswer(400, 'INVALID_PARAMS', 'The request’s address cannot be read.', {
      details: {
        reason: 'malformed',
        field: 'path',
        fix: 'Send a Host header, and encode the path as URLs are.',
      },
    });
  const answer = ownAnswer(500, 'INTERNAL_ERROR', 'Something went wrong on our side.');
  platform.log({ level: 'error', event: 'request failed', request_id: answer.headers['x-request-id'] });
  return answer;
}

interface ParserFault {
  status: number;
  words: string;
  fix: string;
}

const NOT_HTTP: ParserFault = {
  status: 400,
  words: 'The request is not valid HTTP.',
  fix: 'Send HTTP/1.1 with one of the methods GET, POST, PATCH and DELETE, a path, a Host and one Content-Length.',
};
const PARSER_FAULTS: Readonly<Record<string, ParserFault>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    words: 'The request’s headers are too large.',
    fix: 'Send at most 16 KiB of headers, the URL included.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    words: 'The request’s chunk extensions are too large.',
    fix: 'Send the chunks without extensions.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    words: 'The request did not arrive in time.',
    fix: 'Send the headers within 10 seconds and the whole request within 60.',
  },
};
const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

/** What the HTTP parser cannot read gets the envelope too; there is no response object yet, only the socket. */
function refuseUnparsable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  last: ServerResponse | undefined,
  origin: string,
): void {
  const { status, words, fix } = PARSER_FAULTS[error.code ?? ''] ?? NOT_HTTP;
  const details = { reason: 'malformed', fix };
  if (error.code === 'ECONNRESET') socket.destroy();
  else refuse(socket, last, ownAnswer(status, 'INVALID_PARAMS', words, { details, origin }));
}

/** Answers on the bare socket and closes it, unless an earlier answer is still under way. */
function refuse(
  socket: Duplex,
  last: ServerResponse | undefined,
  { status, headers, body }: OwnAnswer,
): void {
  const midAnswer = last?.headersSent && !last.writableEnded;
  if (!socket.writable || midAnswer) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? ''}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  );
}

function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
