import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { guardedFetcher } from '../../../lib/adapters/fetcher/guarded.ts';
import type { FeedConditions, FeedLimits, FeedLocation } from '../../../lib/feeds/feed-file.ts';
import { feedSource } from '../../../lib/feeds/sources/feed-source.ts';
import { Unavailable } from '../../../lib/ports/faults.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';
import { startHttpsServers } from '../../support/servers/https-server.ts';
import { freePort } from '../../support/servers/ports.ts';
import { catchFault } from './catch-fault.ts';

const servers = await startHttpsServers();
const folder = await suiteFolder();
const path = join(folder, 'file');
const allow = new Set([servers.trusted, servers.untrusted].map(({ port }) => `127.0.0.1:${port}`));
afterAll(async () => {
  await servers.stop();
});
beforeEach(() => rm(path, { force: true }));

const NOTHING: FeedConditions = { etag: null, lastModified: null };

function location(url: string, change: Partial<FeedLocation> = {}): FeedLocation {
  const none = { username: null, password: null, privateKey: null, hostKeySha256: null };
  return { protocol: 'https', url, ...none, ...change };
}

function fetchFrom(
  place: FeedLocation,
  conditions: FeedConditions = NOTHING,
  limits: Partial<FeedLimits> = {},
  allowed: ReadonlySet<string> = allow,
) {
  const guard = { allow: allowed };
  const source = feedSource(guardedFetcher(guard), guard, { now: Date.now });
  return source.fetch(place, conditions, path, {
    maxBytes: 10_000_000,
    timeoutMs: 5_000,
    minFreeBytes: 0,
    ...limits,
  });
}

describe('a file', () => {
  test('that would leave our own disk too little is not its server’s fault', async () => {
    servers.trusted.answer = (_, response) => response.end('a file');
    const fetched = fetchFrom(location(servers.trusted.origin), NOTHING, {
      minFreeBytes: Number.MAX_SAFE_INTEGER,
    });
    await expect(fetched).rejects.toBeInstanceOf(Unavailable);
  });

  test('comes to the disk as it was sent, with its hash, size, time and tag', async () => {
    const bytes = randomBytes(3_000_000);
    servers.trusted.answer = (_, response) =>
      response.writeHead(200, { etag: '"v1"', 'last-modified': 'Sat, 21 Nov 2026 03:00:00 GMT' }).end(bytes);
    expect(await fetchFrom(location(`${servers.trusted.origin}/out/my%20trucks.csv?x=1`))).toEqual({
      bytes: 3_000_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      fileTime: Date.UTC(2026, 10, 21, 3),
      etag: '"v1"',
      lastModified: 'Sat, 21 Nov 2026 03:00:00 GMT',
    });
    expect(bytes.equals(await readFile(path))).toBe(true);
  });

  test('that is compressed on the way stays compressed; another coding than gzip is refused', async () => {
    const zipped = gzipSync('VIN\nA\n');
    servers.trusted.answer = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped);
    await fetchFrom(location(servers.trusted.origin));
    expect(zipped.equals(await readFile(path))).toBe(true);
    servers.trusted.answer = (_, response) =>
      response.writeHead(200, { 'content-encoding': 'br' }).end(zipped);
    expect((await catchFault(fetchFrom(location(servers.trusted.origin)))).reason).toBe(
      'encoding_unreadable',
    );
  });

  test('is asked for on condition, and answered not_modified only then', async () => {
    let seen: IncomingMessage['headers'] = {};
    servers.trusted.answer = (request, response) => {
      seen = request.headers;
      response.writeHead(304).end();
    };
    const conditions = { etag: '"v1"', lastModified: 'Sat, 21 Nov 2026 03:00:00 GMT' };
    expect(await fetchFrom(location(servers.trusted.origin), conditions)).toBe('not_modified');
    expect(seen).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Sat, 21 Nov 2026 03:00:00 GMT',
    });
    expect((await catchFault(fetchFrom(location(servers.trusted.origin)))).reason).toBe('http_status');
  });

  test('is asked for with Basic authentication, which goes to no other server', async () => {
    const seen: (string | undefined)[] = [];
    servers.trusted.answer = (request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/away')
        response.writeHead(302, { location: `https://localhost:${servers.trusted.port}/` });
      response.end('VIN\n');
    };
    const allowed = new Set([...allow, `localhost:${servers.trusted.port}`]);
    const place = location(`${servers.trusted.origin}/away`, { username: 'joe', password: 'gehéim:1' });
    await fetchFrom(place, NOTHING, {}, allowed);
    expect(seen).toEqual([`Basic ${Buffer.from('joe:gehéim:1').toString('base64')}`, undefined]);
  });
});

describe('a fault says what it is, whether to try again, and what to do', () => {
  test.each([
    [401, 'auth_failed', false],
    [404, 'not_found', false],
    [204, 'http_status', false],
    [429, 'http_status', true],
  ])('status %i is %s', async (status, reason, transient) => {
    servers.trusted.answer = (_, response) => response.writeHead(status).end();
    const fault = await catchFault(fetchFrom(location(servers.trusted.origin)));
    expect(fault).toMatchObject({ reason, transient });
    expect(fault.message).toContain(String(status));
    expect(fault.fix).not.toBe('');
  });

  test('a certificate of a stranger, or for another name, is certificate_refused', async () => {
    const strange = await catchFault(fetchFrom(location(servers.untrusted.origin)));
    expect(strange).toMatchObject({ reason: 'certificate_refused', transient: false });
    const url = `https://127.0.0.2:${servers.trusted.port}/`;
    const named = await catchFault(
      fetchFrom(location(url), NOTHING, {}, new Set([`127.0.0.2:${servers.trusted.port}`])),
    );
    expect(named.reason).toMatch(/^(certificate_refused|connection_failed)$/);
  });

  test('too much is cut off', async () => {
    servers.trusted.answer = (_, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const pump = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pump);
      pump();
    };
    const fault = await catchFault(
      fetchFrom(location(servers.trusted.origin), NOTHING, { maxBytes: 300_000 }),
    );
    expect(fault).toMatchObject({ reason: 'too_large', transient: false });
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    expect(size).toBeLessThanOrEqual(300_000);
  });
});

describe('the guard of everything outbound holds for files too', () => {
  test('plain HTTP, a private address, and a redirect to one', async () => {
    expect((await catchFault(fetchFrom(location('http://dealer.test/trucks.csv')))).reason).toBe(
      'url_refused',
    );
    expect((await catchFault(fetchFrom(location('https://10.0.0.1/trucks.csv')))).reason).toBe(
      'address_refused',
    );
    const target = 'https://169.254.169.254/';
    servers.trusted.answer = (_, response) => response.writeHead(302, { location: target }).end();
    expect((await catchFault(fetchFrom(location(servers.trusted.origin)))).reason).toBe('address_refused');
  });

  test('planted fault: what OUTBOUND_ALLOW names passes, plain HTTP as well', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect((await catchFault(fetchFrom(location(url)))).reason).toBe('url_refused');
    const allowed = new Set([new URL(url).host]);
    expect((await catchFault(fetchFrom(location(url), NOTHING, {}, allowed))).reason).toBe(
      'connection_failed',
    );
  });
});
