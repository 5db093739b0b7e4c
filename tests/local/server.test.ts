import { once } from 'node:events';
import { connect as connectSocket, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../lib/errors.ts';
import { createPlatform } from '../../lib/local/platform/platform.ts';
import { PortTaken, type RunningServer, startServer } from '../../lib/local/server.ts';
import { listen } from '../support/servers/ports.ts';
import { endAll, run } from './processes.ts';

const root = join(import.meta.dirname, 'fixture');
const script = join(import.meta.dirname, 'run-fixture.ts');
let server: RunningServer;

beforeAll(async () => {
  server = await startServer({ platform: await createPlatform({ root }), host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close(100));
afterEach(endAll);

/** Sends bytes and reads what comes until the other side closes. */
async function raw(bytes: string, port = server.port): Promise<string> {
  const socket = connectSocket(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

function expectEnvelope(answer: string, status: number, code: ErrorCode = 'INVALID_PARAMS'): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(/\r\nx-request-id: req_\w+\r\n/i);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  const { error } = JSON.parse(body);
  expect(error).toMatchObject({ code, details: { doc_url: expect.stringContaining('/docs/errors/') } });
  expect(error.details.fix).not.toBe(ERRORS[code].fix);
}

describe('what no handler ever sees', () => {
  const close = 'Connection: close\r\n\r\n';
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a header without a colon', `GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n${close}`, 400],
    [
      'two lengths',
      `POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n${close}`,
      400,
    ],
    ['headers over the limit', `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(20_000)}\r\n${close}`, 431],
    ['no Host', `GET /api/echo HTTP/1.1\r\n${close}`, 400],
    ['a Host that is none', `GET /api/echo HTTP/1.1\r\nHost: a/b@c\r\n${close}`, 400],
    ['a backslash in the path', `GET /api\\echo HTTP/1.1\r\nHost: x\r\n${close}`, 400],
  ])('%s is answered with the envelope', async (_, bytes, status) => {
    expectEnvelope(await raw(bytes), status);
  });

  it('a body whose chunks break off in garbage does not end the server', async () => {
    const bytes =
      'POST /api/echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n';
    expectEnvelope(await raw(bytes), 400);
    expect((await fetch(`http://127.0.0.1:${server.port}/api/echo`)).status).toBe(200);
  });

  it.each(['CONNECT example.com:443', 'CONNECT /api/echo'])(
    '%s is answered with the envelope',
    async (line) => {
      const answer = await raw(`${line} HTTP/1.1\r\nHost: x\r\n\r\nhello`);
      expectEnvelope(answer, 405, 'NOT_FOUND');
    },
  );

  it('a head that does not arrive in time is refused', async () => {
    const platform = await createPlatform({ root });
    const strict = await startServer({ platform, host: '127.0.0.1', port: 0, headersTimeout: 500 });
    const startedAt = performance.now();
    expectEnvelope(await raw('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', strict.port), 408);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    await strict.close(100);
  });

  it('a client that sends a long body to its end before it reads gets its answer', async () => {
    const size = 12 * 1024 * 1024;
    const head = `POST /api/headers HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n`;
    const socket = connectSocket(server.port, '127.0.0.1');
    await promisify<string, void>((bytes, sent) => socket.write(bytes, sent))(head + 'a'.repeat(size));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('an unknown expectation is passed over', async () => {
    const answer = await raw(`GET /api/echo HTTP/1.1\r\nHost: x\r\nExpect: magic\r\n${close}`);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('over a socket', () => {
  it('HTTP/1.0 needs no Host', async () => {
    const answer = await raw('GET /api/echo HTTP/1.0\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain(`"x-forwarded-host":"127.0.0.1:${server.port}"`);
  });

  it('edge headers come from the socket, however often a client sends them', async () => {
    const answer = await raw(
      'GET /v1/inventory/1XP HTTP/1.1\r\nHost: shop.example\r\nX-Real-IP: 203.0.113.1\r\nx-real-ip: 203.0.113.2\r\n' +
        'X-Forwarded-For: 203.0.113.3\r\nX-Vercel-Id: x\r\nConnection: close\r\n\r\n',
    );
    const { headers, url } = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    expect(headers).toMatchObject({
      'x-real-ip': '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'shop.example',
    });
    expect(headers).not.toHaveProperty('x-vercel-id');
    expect(url).toBe('http://shop.example/v1/inventory/1XP?vin=1XP');
  });

  it('a path spelled with dots cannot leave public/', async () => {
    for (const path of [
      '/../vercel.json',
      '/docs/../../vercel.json',
      '/.hidden',
      '/%2e%2e/%2e%2e/etc/passwd',
    ]) {
      const answer = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 404 /);
    }
  });

  it('a request with a body is read whole', async () => {
    const body = 'x'.repeat(1_000_000);
    const response = await fetch(`http://127.0.0.1:${server.port}/v1/inventory`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ name: 'v1/inventory/index', body });
  });
});

describe('the port', () => {
  it('a taken port is refused with a remedy, or another one is taken when asked', async () => {
    const platform = await createPlatform({ root });
    const at = { platform, host: '127.0.0.1', port: server.port };
    const refused = startServer(at);
    await expect(refused).rejects.toBeInstanceOf(PortTaken);
    await expect(refused).rejects.toThrow(new RegExp(`Port ${server.port} .* PORT=${server.port + 1}`));
    const other = await startServer({ ...at, whenTaken: 'free' });
    expect(other.port).not.toBe(server.port);
    expect((await fetch(`http://127.0.0.1:${other.port}/api/echo`)).status).toBe(200);
    expect(await other.close()).toBe(true);
  });

  it('a port that somebody else holds is noticed as well', async () => {
    const holder = createServer();
    const port = await listen(holder);
    const platform = await createPlatform({ root });
    await expect(startServer({ platform, host: '127.0.0.1', port })).rejects.toBeInstanceOf(PortTaken);
    holder.close();
  });
});

describe('the end', () => {
  async function start() {
    const process = run(script);
    const [, port = ''] = await process.said(/listening (\d+)/);
    return { process, origin: `http://127.0.0.1:${port}`, port: Number(port) };
  }

  it('SIGTERM lets a running request finish, then ends with 0', async () => {
    const { process, origin } = await start();
    const answer = fetch(`${origin}/api/work?ms=700`);
    await process.said(/working/);
    process.child.kill('SIGTERM');
    const response = await answer;
    expect([response.status, await response.text()]).toEqual([200, 'done']);
    expect(await process.ended).toEqual({ code: 0, signal: null });
    expect(process.output()).toContain('closed');
  });

  it('SIGTERM does not wait for connections that only idle', async () => {
    const { process, origin, port } = await start();
    await (await fetch(`${origin}/api/echo`)).text();
    const silent = connectSocket(port, '127.0.0.1');
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    process.child.kill('SIGTERM');
    expect(await process.ended).toEqual({ code: 0, signal: null });
    expect(process.output()).toContain('closed');
    silent.destroy();
  });

  it('SIGTERM ends within 5 s although a request hangs', async () => {
    const { process, origin } = await start();
    const answer = fetch(`${origin}/api/hang`).catch(() => 'cut');
    await process.said(/hanging/);
    const sent = Date.now();
    process.child.kill('SIGTERM');
    expect(await process.ended).toEqual({ code: 0, signal: null });
    // Within 5 s where the machine has time for it; without the cut it would be for ever.
    expect(Date.now() - sent).toBeLessThan(20_000);
    expect(await answer).toBe('cut');
    expect(process.output()).toContain('cut');
  });

  it('a second signal ends at once', async () => {
    const { process, origin } = await start();
    const answer = fetch(`${origin}/api/hang`).catch(() => 'cut');
    await process.said(/hanging/);
    process.child.kill('SIGINT');
    while (process.child.exitCode === null) {
      process.child.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(process.child.exitCode).toBe(1);
    expect(await answer).toBe('cut');
  });
});

describe('a client that does not read', () => {
  const size = 16_000_000;
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  async function startLarge(writeTimeout: number) {
    let answers = 0;
    const dispatch = () => {
      answers += 1;
      return new Response('x'.repeat(size));
    };
    const platform = { dispatch, log: () => undefined };
    const large = await startServer({ platform, host: '127.0.0.1', port: 0, writeTimeout });
    return { large, answers: () => answers };
  }

  it('has one answer made, whatever it asks for, and is cut off when it asks for many', async () => {
    const { large, answers } = await startLarge(60_000);
    const socket = connectSocket(large.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(request.repeat(500));
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
    expect(answers()).toBe(1);
    await large.close(100);
  });

  it('is cut off in time', async () => {
    const { large, answers } = await startLarge(200);
    const socket = connectSocket(large.port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(request);
    await expect.poll(answers).toBe(1);
    expect(await large.close(30_000), 'nothing was left to cut').toBe(true);
    socket.destroy();
  });

  it('gets pipelined answers in order once it reads', async () => {
    const last = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const { large, answers } = await startLarge(60_000);
    const text = await raw(request.repeat(3) + last, large.port);
    expect([answers(), text.match(/HTTP\/1.1 200/g)?.length]).toEqual([4, 4]);
    await large.close(100);
  });
});

describe('an answer of some size', () => {
  let large: RunningServer;
  const answer = () => new Response('x'.repeat(5_000), { headers: { 'content-type': 'application/json' } });
  beforeAll(async () => {
    const platform = { dispatch: answer, log: () => undefined };
    large = await startServer({ platform, host: '127.0.0.1', port: 0 });
  });
  afterAll(() => large.close(100));
  const ask = (header: string) =>
    raw(`GET / HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\n`, large.port);

  it.each(['gzip', 'br, gzip;q=0.5', '*'])('is gzip for Accept-Encoding: %s', async (accepted) => {
    const text = await ask(`Accept-Encoding: ${accepted}\r\n`);
    expect(text).toMatch(/\r\ncontent-encoding: gzip\r\n/i);
    expect(text).toMatch(/\r\nvary: accept-encoding\r\n/i);
  });

  it.each(['', 'Accept-Encoding: identity\r\n', 'Accept-Encoding: gzip;q=0\r\n'])(
    'is plain for “%s”',
    async (header) => {
      const text = await ask(header);
      expect(text).toContain('x'.repeat(5_000));
      expect(text).not.toMatch(/content-encoding/i);
    },
  );
});
