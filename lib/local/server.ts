import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { createVisitReader, type Proxies } from './proxies.ts';
import { readCode, StartFault } from './start-fault.ts';

export interface RunningServer {
  port: number;
  /** Stops accepting, lets running requests finish for at most `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** The wanted port cannot be used; `message` says which and what to do. */
export class PortTaken extends StartFault {}

const LIMITS = {
  /** Time for the head of a request. */
  headersTimeout: 10_000,
  /** Time for a client to take the next bytes of its answer. */
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
  const respond = getRequestListener((request) => fetch(request));
  const answers = new WeakMap<Duplex, ServerResponse>();
  const isBusy = (socket: Duplex) => answers.get(socket)?.closed === false;

  const server = createServer({
    headersTimeout,
    requestTimeout: 60_000,
    keepAliveTimeout: 30_000,
    // How often Node checks these timeouts; its default is 30 s.
    connectionsCheckingInterval: 1_000,
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
  // A client that does not read keeps its answer in memory. A handler that still works may take longer.
  server.setTimeout(writeTimeout, (socket) => {
    if (!isBusy(socket) || socket.writableLength > 0) socket.destroy();
  });
  server.maxConnections = maxConnections;
  return { port: await listen(server, host, port), close: (graceMs) => close(server, graceMs) };
}

/** Overwrites what a client sent under this name, because limits count by it. */
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
