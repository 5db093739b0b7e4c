import { randomInt } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';

/** Starts a server on a free loopback port and answers that port. */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** Starts an HTTP server on a loopback port; closing it ends its connections, too. */
export async function listenHttp(server: HttpServer, port = 0) {
  const address = await listen(server, port);
  return {
    port: address,
    host: `127.0.0.1:${address}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A loopback port nobody listens on right now, of those that the system gives to nobody by itself. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  return (await isFree(port)) ? port : freePort();
}

/** Whether nobody listens on a loopback port right now. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await listen(server, port);
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** The same database URL through another port of this machine. */
export function throughPort(url: string, port: number): string {
  const other = new URL(url);
  other.hostname = '127.0.0.1';
  other.port = String(port);
  return other.href;
}
