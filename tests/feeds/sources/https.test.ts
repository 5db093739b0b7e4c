import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../../lib/outside/faults.ts';
import { startHttpsServers } from '../../support/servers/https-server.ts';
import { freePort } from '../../support/servers/ports.ts';
import { startFetching } from './fetch-from.ts';

const servers = await startHttpsServers();
const { trusted } = servers;
const { path, fetchFrom, findFault } = await startFetching();
afterAll(() => servers.stop());
beforeEach(() => rm(path, { force: true }));

const MODIFIED = 'Sat, 21 Nov 2026 03:00:00 GMT';

describe('a file', () => {
  test('that would leave our own disk too little is not its server’s fault', async () => {
    trusted.answer = (_, response) => response.end('a file');
    const fetched = fetchFrom(trusted.origin, {}, { minFreeBytes: Number.MAX_SAFE_INTEGER });
    await expect(fetched).rejects.toBeInstanceOf(Unavailable);
  });

  test('comes to the disk as it was sent, with its hash, size, time and tag', async () => {
    const bytes = randomBytes(3_000_000);
    trusted.answer = (_, response) =>
      response.writeHead(200, { etag: '"v1"', 'last-modified': MODIFIED }).end(bytes);
    expect(await fetchFrom(`${trusted.origin}/out/my%20trucks.csv?x=1`)).toEqual({
      bytes: 3_000_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      fileTime: Date.UTC(2026, 10, 21, 3),
      etag: '"v1"',
      lastModified: MODIFIED,
    });
    expect(bytes.equals(await readFile(path))).toBe(true);
  });

  test('that is compressed on the way stays compressed; another coding than gzip is refused', async () => {
    const zipped = gzipSync('VIN\nA\n');
    trusted.answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped);
    await fetchFrom(trusted.origin);
    expect(zipped.equals(await readFile(path))).toBe(true);
    trusted.answer = (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(zipped);
    expect((await findFault(trusted.origin)).reason).toBe('encoding_unreadable');
  });

  test('is asked for on condition, and answered not_modified only then', async () => {
    let seen: IncomingMessage['headers'] = {};
    trusted.answer = (request, response) => {
      seen = request.headers;
      response.writeHead(304).end();
    };
    const conditions = { etag: '"v1"', lastModified: MODIFIED };
    expect(await fetchFrom(trusted.origin, {}, { conditions })).toBe('not_modified');
    expect(seen).toMatchObject({ 'if-none-match': '"v1"', 'if-modified-since': MODIFIED });
    expect((await findFault(trusted.origin)).reason).toBe('http_status');
  });

  test('is asked for with Basic authentication, which goes to no other server', async () => {
    const seen: (string | undefined)[] = [];
    trusted.answer = (request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/away')
        response.writeHead(302, { location: `https://localhost:${trusted.port}/` });
      response.end('VIN\n');
    };
    const allow = [`127.0.0.1:${trusted.port}`, `localhost:${trusted.port}`];
    await fetchFrom(`${trusted.origin}/away`, { username: 'joe', password: 'gehéim:1' }, { allow });
    expect(seen).toEqual([`Basic ${Buffer.from('joe:gehéim:1').toString('base64')}`, undefined]);
  });
});

describe('a fault says what it is, whether to try again, and what to do', () => {
  test.each([
    [401, 'auth_failed', false],
    [404, 'not_found', false],
    [204, 'http_status', true],
    [429, 'http_status', true],
  ])('status %i is %s', async (status, reason, transient) => {
    trusted.answer = (_, response) => response.writeHead(status).end();
    const fault = await findFault(trusted.origin);
    expect(fault).toMatchObject({ reason, transient, message: expect.stringContaining(String(status)) });
    expect(fault.fix).not.toBe('');
  });

  test('a certificate of a stranger, or for another name, is certificate_refused', async () => {
    expect(await findFault(servers.untrusted.origin)).toMatchObject({
      reason: 'certificate_refused',
      transient: false,
    });
    const named = await findFault(`https://127.0.0.2:${trusted.port}/`);
    expect(named.reason).toMatch(/^(certificate_refused|connection_failed)$/);
  });
});

describe('the guard of everything outbound holds for files too', () => {
  test('plain HTTP, a private address, and a redirect to one', async () => {
    const findReason = async (url: string, allow: string[]) => (await findFault(url, {}, { allow })).reason;
    expect(await findReason('http://dealer.test/trucks.csv', [])).toBe('url_refused');
    expect(await findReason('https://10.0.0.1/trucks.csv', [])).toBe('address_refused');
    trusted.answer = (_, response) => response.writeHead(302, { location: 'https://169.254.169.254/' }).end();
    expect((await findFault(trusted.origin)).reason).toBe('address_refused');
  });

  test('planted fault: what OUTBOUND_ALLOW names passes, plain HTTP as well', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect((await findFault(url, {}, { allow: [] })).reason).toBe('url_refused');
    expect((await findFault(url)).reason).toBe('connection_failed');
  });
});
