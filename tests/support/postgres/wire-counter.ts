import { connect, createServer, type Socket } from 'node:net';
import { listen, throughPort } from '../servers/ports.ts';

/** Counts what a client says to PostgreSQL: the round trips its statements cost. */
export interface WireCounter {
  /** The same database through the counter. */
  url: string;
  /** Messages the client waits on: simple queries and Syncs, BEGIN and COMMIT included, logging in excluded. */
  count(): number;
  /** Texts of the statements run, in order; a prepared one by its text. */
  statements(): string[];
  reset(): void;
  close(): Promise<void>;
}

/** A TCP proxy that reads along, without TLS. */
export async function startWireCounter(url: string): Promise<WireCounter> {
  const upstreamUrl = new URL(url);
  const sockets = new Set<Socket>();
  let count = 0;
  let statements: string[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(upstreamUrl.port), upstreamUrl.hostname);
    const read = reader({ trip: () => count++, statement: (text) => statements.push(text) });
    client.on('data', (chunk) => {
      read(chunk);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => client.write(chunk));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket.setNoDelay());
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const port = await listen(server);
  return {
    url: throughPort(url, port),
    count: () => count,
    statements: () => [...statements],
    reset() {
      count = 0;
      statements = [];
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Heard {
  trip(): void;
  statement(text: string): void;
}

/** Takes one connection's client messages apart (PostgreSQL's protocol 3, chapter "Message Formats"). */
function reader(heard: Heard): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  const prepared = new Map<string, string>();

  const startup = (body: Buffer) => {
    // The codes of SSLRequest, GSSENCRequest and CancelRequest stand where a version would.
    started = body.readInt16BE(0) === 3;
  };

  const message = (type: string, body: Buffer) => {
    const text = (index: number) => body.toString('utf8').split('\0', index + 1)[index] ?? '';
    if (type === 'Q' || type === 'S') heard.trip();
    if (type === 'Q') heard.statement(text(0));
    if (type === 'P') prepared.set(text(0), text(1));
    if (type === 'B') heard.statement(prepared.get(text(1)) ?? '');
  };

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = started ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const body = rest.subarray(head + 4, end);
      if (started) message(rest.toString('latin1', 0, 1), body);
      else startup(body);
      rest = rest.subarray(end);
    }
  };
}
