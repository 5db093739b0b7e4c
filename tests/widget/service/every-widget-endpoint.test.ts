import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../lib/http/endpoint.ts';
import { Unavailable } from '../../../lib/outside/faults.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import type { Sample } from '../../support/samples/samples.ts';
import { expectRefused, sampleFor, sendTo } from '../../support/service/endpoint-calls.ts';
import { type Answer, type Call, startService } from '../../support/service/service.ts';

/** What every widget route owes the page it is called from, and the dealer whose key stands in that page. */

const PAGE = 'https://dealer.example';
const BROWSER = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36',
};

const service = await startService();
const account = await service.newAccount();
const { limiter, localLimiter } = service.ports;
/** FAIR_USE=observe: refuses nobody. */
const observing = await startService(({ settings }) => ({
  settings: { ...settings, fairUse: 'observe' },
  limiter,
  localLimiter,
}));

const newKey = async (allowed_origins: string[], kind = 'publishable') =>
  (await service.admin('POST', '/api/admin/keys', { account_id: account.id, kind, allowed_origins })).body;
const key = (await newKey([PAGE, 'http://trucks.test'])).key;
const WIDGET = ENDPOINTS.filter(({ guard }) => guard === 'widget');
const makeSample = (endpoint: Endpoint) => sampleFor({ service, account }, endpoint);

/** Calls of an endpoint: as they are, and from a page on the key's list in a browser unless `call` says otherwise. */
const makeCalls = (endpoint: Endpoint, on = service) => {
  const ask = async (call: Call = {}, sample: Partial<Sample> = {}) =>
    sendTo({ service: on, account }, endpoint, { ...(await makeSample(endpoint)), ...sample }, call);
  const fromPage = ({ headers = {}, ...call }: Call = {}, sample: Partial<Sample> = {}) =>
    ask({ token: key, headers: { origin: PAGE, ...BROWSER, ...headers }, ...call }, sample);
  return { ask, fromPage };
};

function expectServed({ status, text }: Answer): void {
  expect(status, text).toBeLessThan(300);
}

function expectReadableBy(origin: string, { headers }: Answer): void {
  expect(headers.get('access-control-allow-origin')).toBe(origin);
  expect(headers.get('access-control-expose-headers')).toBe('x-request-id, Retry-After');
  expect(headers.get('vary')).toContain('Origin');
}

function expectForbidden(answer: Answer, reason: string): void {
  expectRefused(answer, 403, 'FORBIDDEN');
  expect(answer.body.error.details.reason).toBe(reason);
}

describe.each(WIDGET)('$id', (endpoint) => {
  const { ask, fromPage } = makeCalls(endpoint);
  const { path, perAddress } = { path: endpoint.path, ...endpoint.widget };
  if (!perAddress) throw new Error('no quota');

  test('a page on the key’s list is answered, and may read the answer and the refusal', async () => {
    for (const origin of [PAGE, 'https://DEALER.example']) {
      const answer = await fromPage({ headers: { origin } });
      expectServed(answer);
      expectReadableBy(origin, answer);
    }
    const response = await fromPage({ token: null });
    expectRefused(response, 401, 'UNAUTHORIZED');
    expectReadableBy(PAGE, response);
  });

  test('a publishable key may be the parameter `key` of a request without headers; a secret one may not', async () => {
    const call = async (parameter: string) => {
      const sample = await makeSample(endpoint);
      const mark = sample.path.includes('?') ? '&' : '?';
      return fromPage({ token: null }, { ...sample, path: `${sample.path}${mark}key=${parameter}` });
    };
    expectServed(await call(key));
    expectRefused(await call(account.key), 401, 'UNAUTHORIZED');
  });

  test.each([
    'https://dealer.example.evil.example',
    'http://dealer.example',
    `${PAGE}:8443`,
    'null',
    `${PAGE}/`,
  ])('the origin %s is 403 FORBIDDEN; the page may read why', async (origin) => {
    const response = await fromPage({ headers: { origin } });
    expectForbidden(response, 'origin_not_listed');
    expectReadableBy(origin, response);
  });

  test('no origin is 403 FORBIDDEN, unless a page of the service’s own, which sends none with a GET, is listed', async () => {
    expectForbidden(await ask({ token: key, headers: BROWSER }), 'origin_missing');
    const headers = { ...BROWSER, 'sec-fetch-site': 'same-origin' };
    expectServed(await ask({ token: key, headers }));
    const { key: other } = await newKey([PAGE]);
    expectRefused(await ask({ token: other, headers }), 403, 'FORBIDDEN');
  });

  test.each([{ origin: PAGE }, { 'sec-fetch-site': 'cross-site' }])(
    'a secret key that comes from a browser is refused, with the advice to revoke it: %j',
    async (headers) => {
      const response = await ask({ token: account.key, headers: { ...headers } });
      expectRefused(response, 403, 'FORBIDDEN');
      expect(response.body.error.message).toMatch(/public now.*Revoke it/);
    },
  );

  test('a secret key counts in `requests` here as everywhere, malformed calls too; a page’s key has no bucket', async () => {
    const { key: token } = await newKey([], 'secret');
    await ask({ token });
    const { status, headers } = await ask({ token }, { path: `${path}?typo=1` });
    expect([status, headers.get('ratelimit')]).toEqual([400, expect.stringMatching(/^"requests";r=5998;/)]);
    expect((await fromPage()).headers.get('ratelimit')).toBeNull();
  });

  test('a preflight is 204 without a token, whatever the page: its request is checked', async () => {
    const origin = 'https://second.example';
    const headers = { origin, 'access-control-request-method': endpoint.method };
    const allowed = await service.call('OPTIONS', path, { headers });
    expectReadableBy(origin, allowed);
    expect(allowed.headers.get('access-control-allow-methods')).toContain(endpoint.method);
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization');
  });

  test('a missing body or query is 400, before the origin is checked', async () => {
    const sample = endpoint.body ? { path, json: {} } : { path };
    const response = await fromPage({ headers: { origin: 'https://evil.example' } }, sample);
    expectRefused(response, 400, endpoint.body ? 'INVALID_BODY' : 'INVALID_PARAMS');
  });

  test('a slug that cannot be one is refused as an unknown one is', async () => {
    const sample = await makeSample(endpoint);
    const body = sample.json as { dealerSlug: string } | undefined;
    for (const dealerSlug of ['nobody-has-this', "x'; drop", 'x'.repeat(150), '\u0001']) {
      const query = sample.path.replace(/dealerSlug=[^&]*/, `dealerSlug=${encodeURIComponent(dealerSlug)}`);
      const response = await fromPage({}, { path: query, ...(body && { json: { ...body, dealerSlug } }) });
      expectForbidden(response, 'not_yours');
    }
  });

  test('an address over its quota is 429 with the wait and unread, also from others of its /64; others go on', async () => {
    const net = `2001:db8:${Math.floor(Math.random() * 65_000).toString(16)}:1`;
    const sendJunk = (end: number) =>
      fromPage({ ip: `${net}:aaaa::${end}` }, endpoint.body ? { path, json: 'no object' } : { path });
    for (let n = 0; n < perAddress.limit; n += 1) expect((await sendJunk(1)).status).toBe(400);
    const response = await sendJunk(2);
    expectRefused(response, 429, 'RATE_LIMITED');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expectServed(await fromPage({ ip: `${net.slice(0, -1)}2::1` }));
    expectServed(await ask({ ip: `${net}::1` }));
    const observed = makeCalls(endpoint, observing).fromPage;
    expectServed(await observed({ ip: `${net}::1`, headers: { 'user-agent': 'curl/8.5.0' } }));
    expect(observing.log.at(-1)).toMatchObject({ over_limit: perAddress.name });
  });

  test.each(['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'curl/8.5.0', ''])(
    'a known bot is refused where bots are, and served elsewhere: %j',
    async (agent) => {
      const answer = await fromPage({ headers: { 'user-agent': agent } });
      if (endpoint.widget?.bots === 'refused') expectRefused(answer, 429, 'RATE_LIMITED');
      else expectServed(answer);
    },
  );
});

test('only POSTs of a page ask the limiter that all instances share', async () => {
  const requests: string[] = [];
  const shared = await startService(({ limiter }) => ({
    limiter: {
      ...limiter,
      local: false,
      take(quota, subject) {
        requests.push(quota.name);
        return limiter.take(quota, subject);
      },
    },
  }));
  for (const endpoint of WIDGET) {
    requests.length = 0;
    await makeCalls(endpoint, shared).fromPage();
    const expectedRequests = expect.arrayContaining([endpoint.widget?.perAddress.name]);
    expect(requests, endpoint.id).toEqual(endpoint.method === 'GET' ? [] : expectedRequests);
  }
});

test('any page may read an outage, because no key can be checked then', async () => {
  const failing = await startService(({ principals }) => ({
    principals: { ...principals, read: () => Promise.reject(new Unavailable('database')) },
  }));
  const origin = 'https://elsewhere.example';
  for (const endpoint of WIDGET) {
    const answer = await makeCalls(endpoint, failing).fromPage({ headers: { origin } });
    expectRefused(answer, 500, 'INTERNAL_ERROR');
    expectReadableBy(origin, answer);
  }
});
