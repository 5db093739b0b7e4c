import { connect, createServer, type Socket } from 'node:net';
import { listen } from './ports.ts';

/**
 * - `forward`: the server is there.
 * - `refuse`: its machine is there, the server is not (connections break, new ones are refused).
 * - `swallow`: nothing comes back, not even a refusal.
 * - `slow`: every answer comes late.
 * - `asleep`: new connections are forwarded when the server is awake.
 */
export type Mode = 'forward' | 'refuse' | 'swallow' | 'slow' | 'asleep';

const SLOW_MS = 300;
const WAKING_MS = 1_700;

/** A TCP proxy in front of a loopback port that can go dark. */
export type Blackhole = Awaited<ReturnType<typeof startBlackhole>>;

export async function startBlackhole(target: number) {
  let mode: Mode = 'forward';
  const sockets = new Set<Socket>();
  /** Grows with every swallowing: a connection of an earlier age is dark for good. */
  let age = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (mode === 'swallow') client.resume();
    else if (mode === 'asleep') setTimeout(forward, WAKING_MS, client);
    else forward(client);
  });
  const forward = (client: Socket) => {
    if (client.destroyed) return;
    const born = age;
    const upstream = connect(target, '127.0.0.1');
    keep(upstream);
    client.on('data', (chunk) => born === age && upstream.write(chunk));
    // Equal delays keep the order.
    const answer = (chunk: Buffer) => void (born === age && client.writable && client.write(chunk));
    upstream.on('data', (chunk) => (mode === 'slow' ? setTimeout(answer, SLOW_MS, chunk) : answer(chunk)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => born === age && client.destroy());
  };
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const port = await listen(server);
  return {
    port,
    /** Connections that were swallowed stay dark afterwards; only new ones are forwarded. */
    async set(next: Mode) {
      if (mode === next) return;
      mode = next;
      if (next === 'swallow') age++;
      if (next === 'refuse') await close();
      else if (!server.listening) await listen(server, port);
    },
    close,
  };
}
