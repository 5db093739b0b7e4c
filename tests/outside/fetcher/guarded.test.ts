import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../../lib/outside/faults.ts';
import { guardedFetcher } from '../../../lib/outside/fetcher/guarded.ts';
import { isPublicAddress } from '../../../lib/outside/fetcher/public-address.ts';
import type { Resolve } from '../../../lib/outside/fetcher/resolver.ts';
import { type Fetcher, OutboundFailure, type OutboundRequest } from '../../../lib/outside/outbound.ts';
import * as fc from '../../support/oracles/fast-check.ts';
import { listen } from '../../support/servers/ports.ts';
import { NAMES, NAMES_TO_PRIVATE, PRIVATE_LITERALS, REFUSED_URLS } from './hostile-urls.ts';

/** Listen on both loopback addresses; no connection may ever reach them. */
let touched = 0;
/** An honest server on loopback, which OUTBOUND_ALLOW lets pass. */
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let resolvedNames: string[];

const startCanary = () =>
  createServer((_, response) => response.end('the canary')).on('connection', () => {
    touched += 1;
  });
const [four, six] = [startCanary(), startCanary()];
const canaryPort = await listen(four);
// A machine may be without IPv6.
six.on('error', () => undefined).listen({ host: '::1', port: canaryPort });
const honest = createServer((request, response) => handle(request, response));
const honestPort = await listen(honest);
afterAll(() => {
  for (const canary of [four, six]) canary.close();
  honest.closeAllConnections();
  honest.close();
});
beforeEach(() => {
  resolvedNames = [];
});

const resolve: Resolve = async (name) => {
  resolvedNames.push(name);
  const addresses = NAMES[name.replace(/\.$/, '')];
  if (!addresses) throw new Error('no such name');
  return [...addresses];
};

/** The canary's port passes as if it were 80. */
const guarded = (options: { allow?: string[]; resolve?: Resolve } = {}): Fetcher =>
  guardedFetcher({ allow: new Set(options.allow), resolve: options.resolve ?? resolve, ports: [canaryPort] });

const request = (url: string, change: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url: url.replaceAll('$', String(canaryPort)),
  maxBytes: 10_000,
  timeoutMs: 20_000,
  ...change,
});

async function catchFailure(
  fetcher: Fetcher,
  url: string,
  change: Partial<OutboundRequest> = {},
): Promise<string> {
  const failure = await fetcher.fetch(request(url, change)).then(
    (answer) => `answered ${answer.status}`,
    (error: unknown) => error,
  );
  return failure instanceof OutboundFailure ? failure.reason : String(failure);
}

const origin = () => `http://127.0.0.1:${honestPort}`;
const allowing = () => guarded({ allow: [`127.0.0.1:${honestPort}`] });

/** What becomes of a request that the honest server answers like this. */
function failWith(act: typeof handle, change: Partial<OutboundRequest> = {}): Promise<string> {
  handle = act;
  return catchFailure(allowing(), origin(), change);
}

describe('the canary', () => {
  test.each([
    ...PRIVATE_LITERALS.map((url) => [url, /^address_refused$/, true] as const),
    ...NAMES_TO_PRIVATE.map((url) => [url, /^address_refused$/, false] as const),
    ...REFUSED_URLS.map((url) => [url, /^(url|address)_refused$/, true] as const),
  ])('%j is refused unconnected: %s', async (url, reason, isUnasked) => {
    const before = touched;
    expect(await catchFailure(guarded(), url)).toMatch(reason);
    expect(touched).toBe(before);
    if (isUnasked) expect(resolvedNames).toEqual([]);
  });

  test('planted fault: without the check of resolved addresses, names would reach it', async () => {
    const before = touched;
    const fetcher = guarded({ allow: [`loopback.canary:${canaryPort}`] });
    expect((await fetcher.fetch(request('http://loopback.canary:$/'))).status).toBe(200);
    expect(touched).toBe(before + 1);
  });

  const absolute = REFUSED_URLS.filter((url) => /^\w+:/.test(url));
  test.each([...PRIVATE_LITERALS, ...NAMES_TO_PRIVATE.slice(0, 6), ...absolute])(
    'a redirect to %j is refused unconnected',
    async (url) => {
      const location = request(url).url.replace(/[^ -~]/g, encodeURIComponent);
      const before = touched;
      const reason = await failWith((_, response) => response.writeHead(302, { location }).end());
      expect(reason).toMatch(/^(url|address)_refused$/);
      expect(touched).toBe(before);
    },
  );

  test('a name that turns private after it was checked changes nothing (DNS rebinding)', async () => {
    handle = (_, response) => response.end('honest');
    let answers = 0;
    // Whoever asked again, as connecting by name does, would be sent elsewhere.
    const rebinding: Resolve = async () => (answers++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']);
    const fetcher = guarded({ resolve: rebinding, allow: [`rebind.canary:${honestPort}`] });
    const answer = await fetcher.fetch(request(`http://rebind.canary:${honestPort}/`));
    expect(Buffer.from(answer.bytes).toString()).toBe('honest');
    expect(answers).toBe(1);
  });
});

test('IPv6 beyond 2000::/3 never passes, nor does a mapped form of any IPv4 address', async () => {
  await fc.assert(
    fc.asyncProperty(fc.ipV6(), fc.ipV4(), async (v6, v4) => {
      expect(await isPublicAddress(`::ffff:${v4}`)).toBe(false);
      const first = Number.parseInt(v6.split(':')[0] || '0', 16);
      if (first >> 13 !== 1) expect(await isPublicAddress(v6)).toBe(false);
    }),
  );
});

describe('an exchange', () => {
  test('that our own disk is too full to keep is not the fault of the server', async () => {
    handle = (_, response) => response.end(Buffer.alloc(100_000));
    const download = guardedFetcher({ allow: new Set([`127.0.0.1:${honestPort}`]) }).download;
    const file = { path: '/dev/full', minFreeBytes: 0 };
    await expect(download(request(origin(), { maxBytes: 1_000_000 }), file)).rejects.toBeInstanceOf(
      Unavailable,
    );
  });

  test('follows three redirects and no fourth, relative ones too', async () => {
    handle = ({ url = '' }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    };
    expect((await allowing().fetch(request(`${origin()}/3`))).url).toBe(`${origin()}/0`);
    expect(await catchFailure(allowing(), `${origin()}/4`)).toBe('too_many_redirects');
  });

  test('takes headers meant for one server to no other, and follows no redirect of a POST', async () => {
    const tokens: (string | undefined)[] = [];
    handle = (message, response) => {
      tokens.push(message.headers.authorization);
      const location = `http://localhost:${honestPort}/`;
      if (message.url === '/away') response.writeHead(302, { location }).end();
      else response.end('ok');
    };
    const allow = [`127.0.0.1:${honestPort}`, `localhost:${honestPort}`];
    const fetcher = guarded({ resolve: async () => ['127.0.0.1'], allow });
    const headers = { authorization: 'Bearer x' };
    await fetcher.fetch(request(`${origin()}/away`, { headers }));
    expect(tokens).toEqual(['Bearer x', undefined]);
    const answer = await fetcher.fetch(request(`${origin()}/away`, { method: 'POST', body: '{}', headers }));
    expect(answer.status).toBe(302);
  });

  test('a body over the bound is cut off', async () => {
    let count = 0;
    const act: typeof handle = (_, response) => {
      const chunk = Buffer.alloc(64 * 1024);
      const pump = () => {
        while (!response.destroyed && response.write(chunk)) count += chunk.length;
      };
      response.on('drain', pump);
      pump();
    };
    expect(await failWith(act, { maxBytes: 100_000 })).toBe('too_large');
    expect(count).toBeLessThan(30_000_000);
  });

  test('a body that is compressed nevertheless is read by nobody, and refuses no POST', async () => {
    const packed =
      (status: number): typeof handle =>
      (_, response) =>
        response.writeHead(status, { 'content-encoding': 'gzip' }).end(gzipSync('fine'));
    expect(await failWith(packed(200))).toBe('encoding_unreadable');
    expect(await failWith(packed(200), { method: 'POST', body: '{}' })).toBe('answered 200');
    expect(await failWith(packed(503))).toBe('answered 503');
  });

  test.each([
    ['never answers', () => undefined],
    ['drips its body', (response: ServerResponse) => void setInterval(() => response.write('.'), 50).unref()],
    [
      'drips its headers',
      (response: ServerResponse) => void response.socket?.write('HTTP/1.1 200 OK\r\nx: '),
    ],
  ])('a server that %s is a timeout', async (_, act) => {
    expect(await failWith((_request, response) => act(response), { timeoutMs: 300 })).toBe('timeout');
    honest.closeAllConnections();
  });

  test('reserved names are never asked for', async () => {
    const fetcher = guardedFetcher({ allow: new Set() });
    for (const host of ['dealer.example', 'x.invalid', 'a.test'])
      expect(await catchFailure(fetcher, `http://${host}/`), host).toMatch(/^(dns_failed|address_refused)$/);
    for (const host of ['localhost', 'db.internal', 'printer.local'])
      expect(await catchFailure(fetcher, `http://${host}/`), host).toBe('address_refused');
  });

  test('a refused or broken connection, and an answer that is no HTTP, are connection_failed', async () => {
    const reasons = [
      await failWith((_, response) => response.socket?.destroy()),
      await failWith((_, response) => response.socket?.end('SSH-2.0-x\r\n')),
      await catchFailure(guarded({ allow: ['127.0.0.1:1'] }), 'http://127.0.0.1:1/'),
    ];
    expect(reasons).toEqual(Array(3).fill('connection_failed'));
  });
});
