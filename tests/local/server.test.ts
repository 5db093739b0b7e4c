import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { PortTaken, startServer } from '../../lib/local/server.ts';
import { endAll, run } from './processes.ts';

type Options = Parameters<typeof startServer>[0];

const running: Awaited<ReturnType<typeof startServer>>[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close(100)));
  await endAll();
});

async function start(fetch: Options['fetch'], limits: NonNullable<Options['limits']> = {}) {
  const server = await startServer({ fetch, host: '127.0.0.1', port: 0, limits });
  running.push(server);
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}
const echo: Options['fetch'] = async (request) =>
  Response.json({ ip: request.headers.get('x-real-ip'), url: request.url, body: await request.text() });

/** Sends bytes and reads what comes until the other side closes. */
async function raw(bytes: string, port: number): Promise<string> {
  const socket = connectSocket(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await new Promise((closed) => socket.once('close', closed));
  return answer;
}

it('a body whose chunks break off in garbage does not end the server', async () => {
  const { port, url } = await start(echo);
  const bytes = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n';
  expect(await raw(bytes, port)).toMatch(/^HTTP\/1.1 400 /);
  expect((await fetch(url)).status).toBe(200);
});

it.each([
  ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['headers over the limit', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['a head that does not arrive in time', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', 408],
])('%s is refused', async (_, bytes, status) => {
  const { port } = await start(echo, { headersTimeout: 500 });
  const startedAt = performance.now();
  expect(await raw(bytes, port)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

describe('over a socket', () => {
  it('a visitor’s address is the socket’s, however often a client names another', async () => {
    const { port } = await start(echo);
    const names = ['X-Real-IP: 203.0.113.1', 'x-real-ip: 203.0.113.2', 'X-Forwarded-For: 203.0.113.3'];
    const answer = await raw(
      `GET /v1/x?a=b HTTP/1.1\r\nHost: shop.example\r\n${names.join('\r\n')}\r\nConnection: close\r\n\r\n`,
      port,
    );
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      ip: '127.0.0.1',
      url: 'http://shop.example/v1/x?a=b',
    });
  });

  it('a port that is taken is refused with a remedy', async () => {
    const { port } = await start(echo);
    const refused = startServer({ fetch: echo, host: '127.0.0.1', port });
    await expect(refused).rejects.toBeInstanceOf(PortTaken);
    await expect(refused).rejects.toThrow(new RegExp(`Port ${port} .* PORT=${port + 1}`));
  });
});

describe('the end', () => {
  it('lets a running request finish, and does not wait for connections that only idle', async () => {
    const working = Promise.withResolvers<void>();
    const server = await start(async () => {
      working.resolve();
      await sleep(500);
      return new Response('done');
    });
    const answer = fetch(server.url);
    await working.promise;
    const closed = server.close(30_000);
    const response = await answer;
    expect([response.status, await response.text()]).toEqual([200, 'done']);
    await closed;
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('cuts a request that hangs', async () => {
    const working = Promise.withResolvers<void>();
    const server = await start(() => {
      working.resolve();
      return new Promise(() => undefined);
    });
    const answer = fetch(server.url).catch(() => 'cut');
    await working.promise;
    await server.close(100);
    expect(await answer).toBe('cut');
  });

  it('that hangs is over within 5 s of a signal, and at once with the second', async () => {
    const [one, two] = [1, 2].map(() => run(join(import.meta.dirname, 'hanging-end.ts')));
    await Promise.all([one?.said(/ready/), two?.said(/ready/)]);
    const sent = performance.now();
    one?.child.kill('SIGTERM');
    while (two?.child.exitCode === null) {
      two.child.kill('SIGINT');
      await sleep(50);
    }
    expect(two?.child.exitCode).toBe(1);
    expect(await one?.ended).toEqual({ code: 1, signal: null });
    // Within 5 s where the machine has time for it; without the last resort it would be for ever.
    expect(performance.now() - sent).toBeLessThan(20_000);
  });
});

describe('a hostile client', () => {
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  async function startLarge(writeTimeout: number) {
    let answers = 0;
    const server = await start(
      () => {
        answers += 1;
        return new Response('x'.repeat(16_000_000));
      },
      { writeTimeout },
    );
    return { ...server, answers: () => answers };
  }

  it('that asks on before it has its answer is cut off, and one answer was made', async () => {
    const { port, answers } = await startLarge(60_000);
    await raw(request.repeat(500), port);
    expect(answers()).toBe(1);
  });

  it('that does not read is cut off in time', async () => {
    const { port, answers } = await startLarge(200);
    const socket = connectSocket(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(request);
    await expect.poll(answers).toBe(1);
    await sleep(1_000);
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(16_000_000);
  });

  it('takes no more connections than there are', async () => {
    const { port, url } = await start(echo, { maxConnections: 3 });
    const sockets = [1, 2, 3].map(() => connectSocket(port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(await raw(request, port)).toBe('');
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () =>
        fetch(url).then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBe(200);
  });
});
