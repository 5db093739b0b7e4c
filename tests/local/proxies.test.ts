import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVisitReader } from '../../lib/local/proxies.ts';
import { type RunningService, startService } from '../../lib/local/service.ts';
import { newDatabase } from '../support/postgres/suite-database.ts';
import { suiteFolder } from '../support/processes/suite-folder.ts';
import { listenHttp } from '../support/servers/ports.ts';

const PUBLIC_URL = 'https://trucks.example';
const DATA_DIR = await suiteFolder();
const FORM = { email: 'owner@dealer.example' };

/** As nginx passes requests on: by its own Host, with the visitor's address behind what the visitor said. */
async function startProxy(target: RunningService, visitor: () => string) {
  const server = createServer((incoming, outgoing) => {
    const { host: _, ...headers } = incoming.headers;
    const said = headers['x-forwarded-for'];
    const passed = {
      ...headers,
      'x-forwarded-for': [...(said ? [said] : []), visitor()].join(', '),
      'x-forwarded-proto': 'https',
    };
    const { method, url } = incoming;
    const onward = request(`${target.url}${url}`, { method: method ?? 'GET', headers: passed }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  return listenHttp(server);
}

let visitor = '203.0.113.1';
let service: RunningService;
let proxy: Awaited<ReturnType<typeof startProxy>>;

const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://${proxy.host}${path}`, { headers });
const send = (origin: string, base = `http://${proxy.host}`) =>
  fetch(`${base}/dashboard/sign-in`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ ...FORM, action: 'send' }),
    redirect: 'manual',
  });

/** How many guesses at a key this visitor may still make until one is refused. */
async function countGuesses(headers: Record<string, string> = {}): Promise<number> {
  for (let count = 0; ; count += 1) {
    const { status } = await open('/v1/account', { authorization: `Bearer nonsense`, ...headers });
    if (status === 429) return count;
  }
}

describe('behind a proxy that is trusted', () => {
  beforeAll(async () => {
    const POSTGRES_URL = await newDatabase();
    const TRUST_PROXY = '10.0.0.0/8, 127.0.0.1';
    const env = { PORT: '0', LOG: 'silent', POSTGRES_URL, DATA_DIR, TRUST_PROXY, PUBLIC_URL };
    service = await startService({ env });
    proxy = await startProxy(service, () => visitor);
  });
  afterAll(async () => {
    await proxy.close();
    await service.stop();
  });

  it('a form of the public page is taken, and its cookies are for HTTPS only', async () => {
    const answer = await send(PUBLIC_URL);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.any(String)]);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-.*; Secure/);
    expect((await send('https://elsewhere.example')).status).toBe(403);
  });

  it('each visitor has limits of his own, whatever he says of himself', async () => {
    visitor = '203.0.113.1';
    expect(await countGuesses()).toBeGreaterThan(100);
    expect(await countGuesses({ 'x-forwarded-for': '203.0.113.99' })).toBe(0);
    visitor = '203.0.113.2';
    expect((await open('/v1/account', { authorization: 'Bearer nonsense' })).status).toBe(401);
  });

  it('answers lead to the public address', async () => {
    const { error } = await (await open('/v1/account')).json();
    expect(error.details.doc_url).toBe(`${PUBLIC_URL}/docs/errors/UNAUTHORIZED.html`);
  });

  it('a browser on the machine itself still signs in without the proxy', async () => {
    expect((await send(service.url, service.url)).status).toBe(303);
  });
});

describe('the visitor’s address', () => {
  const read = createVisitReader({ trusted: ['10.0.0.0/8', '::1'], publicUrl: null });
  const toIncoming = (remoteAddress: string, headers: IncomingHttpHeaders) =>
    ({ headers, socket: { remoteAddress } }) as Parameters<typeof read>[0];
  it.each([
    ['10.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['10.0.0.1', '198.51.100.9, 203.0.113.1', '203.0.113.1'],
    ['10.0.0.1', '203.0.113.1, 10.0.0.2', '203.0.113.1'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['::1', '::ffff:203.0.113.1', '203.0.113.1'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['::ffff:10.0.0.1', '203.0.113.1', '203.0.113.1'],
  ])('from %s with %s is %s', (peer, forwarded, ip) => {
    const headers = { host: 'trucks.test', 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' };
    expect(read(toIncoming(peer, headers))).toEqual({ ip, origin: 'https://trucks.test' });
  });

  it('is the peer’s own unless a trusted proxy is between', () => {
    const stranger = toIncoming('203.0.113.5', { 'x-forwarded-for': '203.0.113.1' });
    expect(read(stranger)).toEqual({ ip: '203.0.113.5', origin: null });
    expect(read(toIncoming('::ffff:10.0.0.1', {}))).toEqual({ ip: '10.0.0.1', origin: null });
  });
});
