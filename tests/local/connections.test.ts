import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPlatform } from '../../lib/local/platform/platform.ts';
import { type RunningServer, startServer } from '../../lib/local/server.ts';

const MAX = 10;
let server: RunningServer;
let sockets: Socket[];

beforeEach(async () => {
  const platform = await createPlatform({ root: join(import.meta.dirname, 'fixture') });
  server = await startServer({ platform, host: '127.0.0.1', port: 0, maxConnections: MAX });
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close(100);
});

/** A connection from one of this machine's own addresses, kept after the answer to its first request. */
async function open(localAddress: string, path = '/api/echo'): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  if (path === '/api/echo') await once(socket, 'data');
  return socket;
}

test('one caller who holds all connections gives one up for each that comes', async () => {
  const own = await open('127.0.0.2');
  for (let held = 0; held < 3 * MAX; held += 1) await open('127.0.0.1');
  await open('127.0.0.3');
  own.write('GET /api/echo HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(String(await once(own, 'data'))).toMatch(/^HTTP\/1.1 200/);
});

test('a connection that idles is closed before one that is being answered', async () => {
  const busy = await open('127.0.0.1', '/api/work?ms=300');
  for (let held = 0; held < 2 * MAX; held += 1) await open('127.0.0.1');
  expect(String(await once(busy, 'data'))).toMatch(/^HTTP\/1.1 200/);
});
