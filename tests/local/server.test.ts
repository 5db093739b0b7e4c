import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { PortTaken, startServer } from '../../lib/local/server.ts';
import { endAll, run } from './processes.ts';

type Options = Parameters<typeof startServer>[0];

afterEach(endAll);

async function start(fetch: Options['fetch'], limits: NonNullable<Options['limits']> = {}) {
  const server = await startServer({ fetch, host: '127.0.0.1', port: 0, limits });
  onTestFinished(() => server.close(100));
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}
const echo: Options['fetch'] = async (request) =>
  Response.json({ ip: request.headers.get('x-real-ip'), url: request.url, body: await request.text() });

function open(port: number) {
  const socket = connectSocket(port, '127.0.0.1');
  socket.on('error', () => undefined);
  return socket;
}

/** Sends bytes and reads what comes until the other side closes. */
async function raw(bytes: string, port: number): Promise<string> {
  const socket = open(port);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

const GARBAGE = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n';

it.each([
  ['a body whose chunks break off in garbage', GARBAGE, 400],
  ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['headers over the limit', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['a head that does not arrive in time', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', 408],
])('%s is refused, and the server goes on', async (_, bytes, status) => {
  const { port, url } = await start(echo, { headersTimeout: 500 });
  const startedAt = performance.now();
  expect(await raw(bytes, port)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect((await fetch(url)).status).toBe(200);
});

it('a visitor’s address is the socket’s, however often a client names another', async () => {
  const { port } = await start(echo);
  const names = 'X-Real-IP: 203.0.113.1\r\nx-real-ip: 203.0.113.2\r\nX-Forwarded-For: 203.0.113.3\r\n';
  const head = `GET /v1/x?a=b HTTP/1.1\r\nHost: shop.example\r\n${names}Connection: close\r\n\r\n`;
  expect(await raw(head, port)).toContain('{"ip":"127.0.0.1","url":"http://shop.example/v1/x?a=b"');
});

it('a port that is taken is refused with a remedy', async () => {
  const { port } = await start(echo);
  const secondServer = startServer({ fetch: echo, host: '127.0.0.1', port });
  await expect(secondServer).rejects.toBeInstanceOf(PortTaken);
  await expect(secondServer).rejects.toThrow(`PORT=${port + 1}`);
});

describe('the end', () => {
  async function startBusy(work: () => Promise<Response>) {
    const working = Promise.withResolvers<void>();
    const server = await start(() => {
      working.resolve();
      return work();
    });
    const answer = fetch(server.url).then(
      (response) => response.text(),
      () => 'cut',
    );
    await working.promise;
    return { ...server, answer };
  }

  it('lets a running request finish, does not wait for idle connections, and cuts what hangs', async () => {
    const busy = await startBusy(async () => {
      await sleep(500);
      return new Response('done');
    });
    await busy.close(30_000);
    expect(await busy.answer).toBe('done');
    await expect(fetch(busy.url)).rejects.toThrow();
    const hanging = await startBusy(() => new Promise(() => undefined));
    await hanging.close(100);
    expect(await hanging.answer).toBe('cut');
  });

  it('that hangs is over within 5 s of a signal, and at once with the second', async () => {
    const hang = async () => {
      const process = run(join(import.meta.dirname, 'hanging-end.ts'));
      await process.waitForOutput(/ready/);
      return process;
    };
    const [one, two] = [await hang(), await hang()];
    const startedMs = performance.now();
    one.child.kill('SIGTERM');
    await expect.poll(() => two.child.exitCode ?? two.child.kill('SIGINT')).toBe(1);
    expect(await one.exit).toEqual({ code: 1, signal: null });
    // Within 5 s where the machine has time for it; without the last resort it would be for ever.
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  });
});

describe('a hostile client', () => {
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  async function startLarge(writeTimeout: number) {
    let answers = 0;
    const answer = () => {
      answers += 1;
      return new Response('x'.repeat(16_000_000));
    };
    return { ...(await start(answer, { writeTimeout })), answers: () => answers };
  }

  it('that asks on before it has its answer is cut off, and one answer was made', async () => {
    const { port, answers } = await startLarge(60_000);
    await raw(request.repeat(500), port);
    expect(answers()).toBe(1);
  });

  it('that does not read is cut off in time', async () => {
    const { port, answers } = await startLarge(200);
    const socket = open(port).pause();
    socket.write(request);
    await expect.poll(answers).toBe(1);
    await sleep(1_000);
    const close = once(socket, 'close');
    socket.resume();
    await close;
    expect(socket.bytesRead).toBeLessThan(16_000_000);
  });

  it('takes no more connections than there are', async () => {
    const { port } = await start(echo, { maxConnections: 3 });
    await Promise.all([1, 2, 3].map(() => once(open(port), 'connect')));
    expect(await raw(request, port)).toBe('');
  });
});
