import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
// Loaded before the service connects: a process that loads it meanwhile may miss its database's answer.
import '../../lib/local/app.ts';
import { createVisitReader } from '../../lib/local/proxies.ts';
import { startService } from '../../lib/local/service.ts';
import { newDatabase } from '../support/postgres/suite-database.ts';
import { suiteFolder } from '../support/processes/suite-folder.ts';

const PUBLIC_URL = 'https://trucks.example';
const DATA_DIR = await suiteFolder();

it('behind a proxy that is trusted forms, limits and links are those of each visitor at the public address', async () => {
  const POSTGRES_URL = await newDatabase();
  const TRUST_PROXY = '10.0.0.0/8, 127.0.0.1';
  const env = { PORT: '0', LOG: 'silent', POSTGRES_URL, DATA_DIR, TRUST_PROXY, PUBLIC_URL };
  const service = await startService({ env });
  onTestFinished(service.stop);
  /** As nginx passes requests on: by its own Host, with the visitor's address behind what the visitor said. */
  const passedOn = (...addresses: string[]) => ({
    'x-forwarded-for': addresses.join(', '),
    'x-forwarded-proto': 'https',
  });
  const guess = (...addresses: string[]) =>
    fetch(`${service.url}/v1/account`, {
      headers: { authorization: 'Bearer nonsense', ...passedOn(...addresses) },
    });
  const signIn = (origin: string, headers: Record<string, string> = passedOn('203.0.113.3')) =>
    fetch(`${service.url}/dashboard/sign-in`, {
      method: 'POST',
      headers: { ...headers, origin },
      body: new URLSearchParams({ email: 'owner@dealer.example', action: 'send' }),
      redirect: 'manual',
    });

  const answer = await signIn(PUBLIC_URL);
  expect([answer.status, answer.headers.getSetCookie()[0]]).toEqual([
    303,
    expect.stringMatching(/^__Host-.*; Secure/),
  ]);
  expect((await signIn('https://elsewhere.example')).status).toBe(403);
  expect((await signIn(service.url, {})).status, 'without the proxy, on the machine itself').toBe(303);

  let guesses = 0;
  while ((await guess('203.0.113.1')).status !== 429) guesses += 1;
  expect(guesses).toBeGreaterThan(100);
  expect((await guess('203.0.113.99', '203.0.113.1')).status).toBe(429);
  const other = await guess('203.0.113.2');
  expect(other.status).toBe(401);
  expect((await other.json()).error.details.doc_url).toBe(`${PUBLIC_URL}/docs/errors/UNAUTHORIZED.html`);
});

describe('the visitor’s address', () => {
  const readVisit = createVisitReader({ trusted: ['10.0.0.0/8', '::1'], publicUrl: null });
  const readFrom = (remoteAddress: string, headers: IncomingHttpHeaders) =>
    readVisit({ headers, socket: { remoteAddress } } as Parameters<typeof readVisit>[0]);

  it.each([
    ['10.0.0.1', '198.51.100.9, 203.0.113.1, 10.0.0.2', '203.0.113.1'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['::ffff:10.0.0.1', '::ffff:203.0.113.1', '203.0.113.1'],
    ['10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('from %s with %s is %s', (peer, forwarded, ip) => {
    const headers = { host: 'trucks.test', 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' };
    expect(readFrom(peer, headers)).toEqual({ ip, origin: 'https://trucks.test' });
  });

  it('is the peer’s own unless a trusted proxy is between', () => {
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    expect(readFrom('203.0.113.5', headers)).toEqual({ ip: '203.0.113.5', origin: null });
    expect(readFrom('::ffff:10.0.0.1', {})).toEqual({ ip: '10.0.0.1', origin: null });
  });
});
