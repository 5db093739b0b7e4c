import { hash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../../lib/outside/faults.ts';
import { startHttpsServer, trustServers } from '../../support/servers/https-server.ts';
import { startFetching } from './fetch-from.ts';

const server = await startHttpsServer();
const { path, fetchFrom, findFault } = await startFetching();
afterAll(() => server.close());

const MODIFIED = 'Sat, 21 Nov 2026 03:00:00 GMT';
/** The last request, and what is answered to each. */
let lastRequest: IncomingMessage;
const answer = (status: number, headers: Record<string, string> = {}, body: string | Buffer = '') => {
  server.answer = (request, response) => {
    lastRequest = request;
    response.writeHead(status, headers).end(body);
  };
};
beforeEach(() => answer(200, {}, 'a file'));

describe('a file', () => {
  test('that would leave our own disk too little is not its server’s fault', async () => {
    const fetched = fetchFrom(server.origin, {}, { minFreeBytes: Number.MAX_SAFE_INTEGER });
    await expect(fetched).rejects.toBeInstanceOf(Unavailable);
  });

  test('comes to the disk as it was sent, with its hash, size, time and tag', async () => {
    const bytes = randomBytes(3_000_000);
    answer(200, { etag: '"v1"', 'last-modified': MODIFIED }, bytes);
    expect(await fetchFrom(`${server.origin}/out/my%20trucks.csv?x=1`)).toEqual({
      bytes: 3_000_000,
      sha256: hash('sha256', bytes),
      fileTime: Date.UTC(2026, 10, 21, 3),
      etag: '"v1"',
      lastModified: MODIFIED,
    });
    expect(bytes.equals(await readFile(path))).toBe(true);
  });

  test('that is compressed on the way stays compressed; another coding than gzip is refused', async () => {
    const zipped = gzipSync('VIN\nA\n');
    answer(200, { 'content-encoding': 'gzip' }, zipped);
    await fetchFrom(server.origin);
    expect(zipped.equals(await readFile(path))).toBe(true);
    answer(200, { 'content-encoding': 'br' }, zipped);
    expect((await findFault(server.origin)).reason).toBe('encoding_unreadable');
  });

  test('is asked for on condition, and answered not_modified only then', async () => {
    answer(304);
    const conditions = { etag: '"v1"', lastModified: MODIFIED };
    expect(await fetchFrom(server.origin, {}, { conditions })).toBe('not_modified');
    expect(lastRequest.headers).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': MODIFIED });
    expect((await findFault(server.origin)).reason).toBe('http_status');
  });

  test('is asked for with Basic authentication, which goes to no other server', async () => {
    const receivedHeaders: (string | undefined)[] = [];
    server.answer = ({ url, headers }, response) => {
      receivedHeaders.push(headers.authorization);
      if (url === '/away') response.writeHead(302, { location: `https://localhost:${server.port}/` });
      response.end('VIN\n');
    };
    const allow = ['127.0.0.1', 'localhost'].map((host) => `${host}:${server.port}`);
    await fetchFrom(`${server.origin}/away`, { username: 'joe', password: 'gehéim:1' }, { allow });
    expect(receivedHeaders).toEqual([`Basic ${Buffer.from('joe:gehéim:1').toString('base64')}`, undefined]);
  });
});

test.each([
  [204, 'http_status'],
  [401, 'auth_failed'],
  [404, 'not_found'],
  [429, 'http_status'],
])('status %i is %s, and what to do', async (status, reason) => {
  answer(status);
  const message = expect.stringContaining(String(status));
  expect(await findFault(server.origin)).toMatchObject({ reason, message, fix: expect.stringMatching('.') });
});

test('a certificate of a stranger, or for another name, is certificate_refused', async () => {
  const fault = { reason: 'certificate_refused' };
  trustServers(false);
  expect(await findFault(server.origin)).toMatchObject(fault);
  trustServers(true);
  const host = `dealer.example:${server.port}`;
  const guard = { allow: [host], resolve: async () => ['127.0.0.1'] };
  expect(await findFault(`https://${host}/`, {}, guard)).toMatchObject(fault);
});

test.each([
  ['url_refused', 'http://dealer.test/trucks.csv'],
  ['url_refused', 'http://127.0.0.1:8080/'],
  ['address_refused', 'https://10.0.0.1/trucks.csv'],
])('the guard of everything outbound holds for files too: %s for %s', async (reason, url) => {
  expect((await findFault(url, {}, { allow: [] })).reason).toBe(reason);
  answer(302, { location: url });
  expect((await findFault(server.origin)).reason).toBe(reason);
});

test('planted fault: what OUTBOUND_ALLOW names passes, plain HTTP as well', async () => {
  expect((await findFault('http://127.0.0.1:9/')).reason).toBe('connection_failed');
});
