import { connect, createServer, type Socket } from 'node:net';
import { listen, throughPort } from '../servers/ports.ts';

/**
 * Counts what a client says to PostgreSQL, by a TCP proxy that reads along, without TLS: messages that the client waits on
 * (simple queries and Syncs, BEGIN and COMMIT included, logging in excluded).
 */
export async function startWireCounter(url: string) {
  const upstreamUrl = new URL(url);
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(upstreamUrl.port), upstreamUrl.hostname);
    const readMessages = messageReader((type) => {
      if (type === 'Q' || type === 'S') count += 1;
    });
    client.on('data', (chunk) => {
      readMessages(chunk);
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
  return {
    /** The same database through the counter. */
    url: throughPort(url, await listen(server)),
    count: () => count,
    reset() {
      count = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads the types of one connection's client messages (PostgreSQL's protocol 3, chapter "Message Formats"). */
function messageReader(onMessage: (type: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      if (isStarted) onMessage(rest.toString('latin1', 0, 1));
      // The codes of SSLRequest, GSSENCRequest and CancelRequest stand where a version would.
      else isStarted = rest.readInt16BE(4) === 3;
      rest = rest.subarray(end);
    }
  };
}
