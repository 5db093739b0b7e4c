import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../lib/http/endpoint.ts';
import { Unavailable } from '../../../lib/outside/faults.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { type Sample, uniqueIp } from '../../support/samples/samples.ts';
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

const newKey = async (allowed_origins: string[], kind = 'publishable') =>
  (await service.admin('POST', '/api/admin/keys', { account_id: account.id, kind, allowed_origins })).body;
const key = (await newKey([PAGE, 'http://trucks.test'])).key;
const makeSample = (endpoint: Endpoint) => sampleFor({ service, account }, endpoint);
/** From a page on the key's list, in a browser, unless `call` says otherwise. */
const send = (endpoint: Endpoint, sample: Sample, { headers = {}, ...call }: Call = {}) =>
  sendTo({ service, account }, endpoint, sample, {
    token: key,
    headers: { origin: PAGE, ...BROWSER, ...headers },
    ...call,
  });

function expectReadableBy(origin: string, { headers }: Answer): void {
  expect(headers.get('access-control-allow-origin')).toBe(origin);
  expect(headers.get('access-control-expose-headers')).toBe('x-request-id, Retry-After');
  expect(headers.get('vary')).toContain('Origin');
}

describe.each(ENDPOINTS.filter(({ guard }) => guard === 'widget'))('$id', (endpoint) => {
  test('a page on the key’s list is answered, and may read the answer and the refusal', async () => {
    const sample = await makeSample(endpoint);
    for (const origin of [PAGE, 'https://DEALER.example']) {
      const answer = await send(endpoint, await makeSample(endpoint), { headers: { origin } });
      expect(answer.status, answer.text).toBeLessThan(300);
      expectReadableBy(origin, answer);
    }
    const refused = await send(endpoint, sample, { token: null });
    expectRefused(refused, 401, 'UNAUTHORIZED');
    expectReadableBy(PAGE, refused);
  });

  test('a publishable key may be the parameter `key` of a request without headers; a secret one may not', async () => {
    const { path, json } = await makeSample(endpoint);
    const call = (parameter: string) =>
      send(
        endpoint,
        { path: `${path}${path.includes('?') ? '&' : '?'}key=${parameter}`, json },
        { token: null },
      );
    const answer = await call(key);
    expect(answer.status, answer.text).toBeLessThan(300);
    expectReadableBy(PAGE, answer);
    expectRefused(await call(account.key), 401, 'UNAUTHORIZED');
    expectRefused(await call(`${key.slice(0, -1)}!`), 401, 'UNAUTHORIZED');
  });

  test('any other origin, or none, is 403 FORBIDDEN; the page may read why', async () => {
    const sample = await makeSample(endpoint);
    const origins = [
      'https://dealer.example.evil.example',
      'http://dealer.example',
      `${PAGE}:8443`,
      'null',
      `${PAGE}/`,
    ];
    for (const origin of origins) {
      const refused = await send(endpoint, sample, { headers: { origin } });
      expectRefused(refused, 403, 'FORBIDDEN');
      expect(refused.body.error.details.reason).toBe('origin_not_listed');
      expectReadableBy(origin, refused);
    }
    const absent = await sendTo({ service, account }, endpoint, sample, { token: key, headers: BROWSER });
    expectRefused(absent, 403, 'FORBIDDEN');
    expect(absent.body.error.details.reason).toBe('origin_missing');
  });

  test('a page on the service’s own origin, which sends no Origin with a GET, counts as that origin', async () => {
    const headers = { ...BROWSER, 'sec-fetch-site': 'same-origin' };
    const own = await sendTo({ service, account }, endpoint, await makeSample(endpoint), {
      token: key,
      headers,
    });
    expect(own.status, own.text).toBeLessThan(300);
    const { key: other } = await newKey([PAGE]);
    const sample = await makeSample(endpoint);
    expectRefused(
      await sendTo({ service, account }, endpoint, sample, { token: other, headers }),
      403,
      'FORBIDDEN',
    );
  });

  test('a secret key that comes from a browser is refused, with the advice to revoke it', async () => {
    const sample = await makeSample(endpoint);
    for (const headers of [
      { origin: PAGE },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]) {
      const refused = await sendTo({ service, account }, endpoint, sample, { token: account.key, headers });
      expectRefused(refused, 403, 'FORBIDDEN');
      expect(refused.body.error.message).toMatch(/public now.*Revoke it/);
    }
  });

  test('a secret key counts in `requests` here as everywhere, malformed calls too; a page’s key has no bucket', async () => {
    const { key: secret } = await newKey([], 'secret');
    const call = { token: secret, headers: {} };
    const first = await sendTo({ service, account }, endpoint, await makeSample(endpoint), call);
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=6000;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"requests";r=5999;/);
    const path = `${endpoint.path}?typo=1`;
    const bad = await sendTo({ service, account }, endpoint, { ...(await makeSample(endpoint)), path }, call);
    expect([bad.status, bad.headers.get('ratelimit')?.split(';')[1]]).toEqual([400, 'r=5998']);
    expect((await send(endpoint, await makeSample(endpoint))).headers.get('ratelimit')).toBeNull();
  });

  test('a preflight is 204 without a token, whatever the page: its request is checked', async () => {
    const { path } = await makeSample(endpoint);
    const headers = { origin: 'https://second.example', 'access-control-request-method': endpoint.method };
    const allowed = await service.call('OPTIONS', path, { ip: uniqueIp(), headers });
    expect([allowed.status, allowed.text]).toEqual([204, '']);
    expectReadableBy('https://second.example', allowed);
    expect(allowed.headers.get('access-control-allow-methods')).toContain(endpoint.method);
    expect(allowed.headers.get('access-control-allow-headers')).toContain('authorization');
    expect(allowed.headers.get('access-control-max-age')).toMatch(/^\d+$/);
  });

  test('without a body or query to speak of it is 400, before the origin is judged', async () => {
    const path = endpoint.path;
    const headers = { origin: 'https://evil.example' };
    const json = endpoint.body ? { json: {} } : {};
    const refused = await sendTo({ service, account }, endpoint, { path }, { token: key, headers, ...json });
    expectRefused(refused, 400, endpoint.body ? 'INVALID_BODY' : 'INVALID_PARAMS');
  });

  test('a slug that cannot be one is refused as an unknown one is', async () => {
    const { path, json } = await makeSample(endpoint);
    const body = json as { dealerSlug: string } | undefined;
    const slug = body?.dealerSlug ?? new URL(path, PAGE).searchParams.get('dealerSlug') ?? '';
    const texts = new Set<string>();
    for (const other of ['nobody-has-this', "x'; drop", 'ÄÖ', 'x'.repeat(150), '\u0001']) {
      const refused = await send(endpoint, {
        path: path.replace(`dealerSlug=${slug}`, `dealerSlug=${encodeURIComponent(other)}`),
        ...(body ? { json: { ...body, dealerSlug: other } } : {}),
      });
      expectRefused(refused, 403, 'FORBIDDEN');
      texts.add(refused.text);
    }
    expect(texts.size).toBe(1);
  });

  test('an address over its quota is 429 with the wait, also from other addresses of its /64; others go on', async () => {
    const quota = endpoint.widget?.perAddress;
    if (!quota) throw new Error('no quota');
    const net = `2001:db8:${Math.floor(Math.random() * 65_000).toString(16)}:1`;
    for (let taken = 0; taken < quota.limit; taken += 1)
      await service.ports.limiter.take(quota, `${net}::/64`);
    const refused = await send(endpoint, await makeSample(endpoint), { ip: `${net}:aaaa::1` });
    expectRefused(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expectReadableBy(PAGE, refused);
    const other = await send(endpoint, await makeSample(endpoint), { ip: `${net.slice(0, -1)}2::1` });
    expect(other.status, other.text).toBeLessThan(300);
    const server = await sendTo({ service, account }, endpoint, await makeSample(endpoint), {
      ip: `${net}::1`,
    });
    expect(server.status, server.text).toBeLessThan(300);
  });

  test.runIf(endpoint.body)('bodies that come too fast are refused unread', async () => {
    const ip = uniqueIp();
    const quota = endpoint.widget?.perAddress;
    if (!quota) throw new Error('no quota');
    const junk = { path: endpoint.path, json: 'no object' };
    for (let sent = 0; sent < quota.limit; sent += 1)
      expectRefused(await send(endpoint, junk, { ip }), 400, 'INVALID_BODY');
    expectRefused(await send(endpoint, junk, { ip }), 429, 'RATE_LIMITED');
  });

  test('a known bot is refused where bots are, and served elsewhere', async () => {
    for (const agent of [
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'curl/8.5.0',
      '',
    ]) {
      const answer = await send(endpoint, await makeSample(endpoint), { headers: { 'user-agent': agent } });
      if (endpoint.widget?.bots === 'refused') expectRefused(answer, 429, 'RATE_LIMITED');
      else expect(answer.status, answer.text).toBeLessThan(300);
    }
  });
});

test('only what a page sends asks the limiter that all instances share', async () => {
  const asked: string[] = [];
  const shared = await startService(({ limiter }) => ({
    limiter: {
      ...limiter,
      local: false,
      take(quota, subject) {
        asked.push(quota.name);
        return limiter.take(quota, subject);
      },
    },
  }));
  for (const endpoint of ENDPOINTS.filter(({ guard }) => guard === 'widget')) {
    asked.length = 0;
    const call = { token: key, headers: { origin: PAGE, ...BROWSER }, ip: uniqueIp() };
    await sendTo({ service: shared, account }, endpoint, await makeSample(endpoint), call);
    const { perAddress } = endpoint.widget ?? {};
    if (endpoint.method === 'GET') expect(asked, endpoint.id).toEqual([]);
    else expect(asked, endpoint.id).toContain(perAddress?.name);
  }
});

test('an outage can be read by any page: no key can be judged then', async () => {
  const failing = await startService(({ principals }) => ({
    principals: { ...principals, read: () => Promise.reject(new Unavailable('database')) },
  }));
  for (const endpoint of ENDPOINTS.filter(({ guard }) => guard === 'widget')) {
    const call = { token: key, headers: { origin: 'https://elsewhere.example', ...BROWSER } };
    const sample = await makeSample(endpoint);
    const answer = await sendTo({ service: failing, account }, endpoint, sample, call);
    expectRefused(answer, 500, 'INTERNAL_ERROR');
    expectReadableBy('https://elsewhere.example', answer);
  }
});

test('FAIR_USE=observe counts and refuses nobody', async () => {
  const lenient = await startService(({ settings }) => ({ settings: { ...settings, fairUse: 'observe' } }));
  for (const endpoint of ENDPOINTS.filter(({ guard }) => guard === 'widget')) {
    const quota = endpoint.widget?.perAddress;
    const ip = uniqueIp();
    if (!quota) throw new Error('no quota');
    for (let taken = 0; taken < quota.limit; taken += 1) await lenient.ports.limiter.take(quota, ip);
    const sample = await sampleFor({ service: lenient, account }, endpoint);
    const answer = await sendTo({ service: lenient, account }, endpoint, sample, {
      ip,
      token: key,
      headers: { origin: PAGE, 'user-agent': 'curl/8.5.0' },
    });
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(lenient.log.at(-1)).toMatchObject({ over_limit: quota.name });
  }
});
