import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { endpointsAt, guardFor } from '../../support/oracles/conforms.ts';
import { SAMPLES, tokenFor, uniqueIp } from '../../support/samples/samples.ts';
import { endpointCalls, expectRefused, sampleFor, sendTo } from '../../support/service/endpoint-calls.ts';
import { ADMIN_TOKEN, startService } from '../../support/service/service.ts';

/** What every endpoint owes its callers. That each answer keeps its schema is checked by the harness itself. */

const service = await startService();
const account = await service.newAccount();

const { makeSample, send } = endpointCalls({ service, account });

test('every endpoint has a sample request', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(ENDPOINTS.map(({ id }) => id).sort());
});

describe.each(ENDPOINTS)('$id', (endpoint) => {
  test('a valid request succeeds, under /v1 and /api/v1 alike, and has a request id of its own', async () => {
    const paths = endpoint.path.startsWith('/v1/') ? ['', '/api'] : [''];
    const ids = new Set<string | null>();
    for (const prefix of paths) {
      const { path, json } = await makeSample(endpoint);
      const headers = { 'x-request-id': 'caller-1' };
      const answer = await send(endpoint, { path: prefix + path, json }, { headers });
      expect(answer.status, answer.text).toBeLessThan(300);
      ids.add(answer.headers.get('x-request-id'));
    }
    expect(ids.size).toBe(paths.length);
    expect(ids).not.toContain('caller-1');
  });

  test('a method the path does not serve is 405 with Allow, and 401 without a token', async () => {
    const sample = await makeSample(endpoint);
    const served = endpointsAt(sample.path).flatMap(({ method }) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (served.includes(method)) continue;
      const token = tokenFor(guardFor(endpoint, sample.path), account);
      const answer = await service.call(method, sample.path, { token });
      expectRefused(answer, 405, 'NOT_FOUND');
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(served.sort());
      if (token !== null)
        expectRefused(await service.call(method, sample.path, { ip: uniqueIp() }), 401, 'UNAUTHORIZED');
    }
  });
});

describe.each(ENDPOINTS)('$id', (endpoint) => {
  test('an unknown query parameter is 400 INVALID_PARAMS by name; what rewrites leave behind is not read', async () => {
    const stage = { service, account: await service.newAccount() };
    const sample = await sampleFor(stage, endpoint);
    const withQuery = (more: string) => ({
      ...sample,
      path: sample.path + (sample.path.includes('?') ? '&' : '?') + more,
    });
    const refusal = await sendTo(stage, endpoint, withQuery('dry_rum=true'));
    expectRefused(refusal, 400, 'INVALID_PARAMS');
    expect(refusal.body.error.details).toMatchObject({ field: 'dry_rum', reason: 'unknown_parameter' });
    const names = ['path', ...Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, name]) => name)];
    const more = names.map((name) => `${name}=x`).join('&');
    const answer = await sendTo(stage, endpoint, withQuery(more));
    expect(answer.status, answer.text).toBeLessThan(300);
  });
});

describe.each(ENDPOINTS.filter(({ method }) => method === 'GET'))('$id', (endpoint) => {
  test('HEAD answers as GET does, without a body', async () => {
    const sample = await makeSample(endpoint);
    const token = tokenFor(guardFor(endpoint, sample.path), account);
    const get = await service.call('GET', sample.path, { token });
    const head = await service.call('HEAD', sample.path, { token });
    expect(head.status).toBe(get.status);
    for (const name of ['content-type', 'cache-control', 'etag', 'ratelimit-policy'])
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    if (token === null) return;
    expect((await service.call('HEAD', sample.path, { ip: uniqueIp() })).status).toBe(401);
  });
});

describe('stray paths', () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';

  test('a browser gets a page with a search, outside of /v1 and /api', async () => {
    for (const path of ['/nowhere', '/docs/nowhere', '/docs/errors/NOWHERE']) {
      const page = await service.call('GET', path, { headers: { accept } });
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.headers.get('x-request-id')).toMatch(/^req_/);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.text).toContain('<form action="/docs/find.html" role="search">');
    }
  });

  test('below /v1 and /api, and whoever asks for no page, gets the envelope', async () => {
    for (const [path, headers] of [
      ['/v1/nowhere', { accept }],
      ['/api/nowhere', { accept }],
      ['/nowhere', { accept: 'application/json' }],
      ['/nowhere', {}],
    ] as const) {
      const refusal = await service.call('GET', path, { headers });
      expect([refusal.status, refusal.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
    }
  });

  const STRAY = ['/x', '/api', '/api/', '/api/x', '/v1', '/v1/', '/v1/x/y', '/api/v1/x', '/api/admin'];
  const MORE = [
    '/api/admin/nope',
    '/v1/inventory/A/B',
    '/v2/inventory',
    '/api/not-found',
    '/api/cron/nope',
    '/v1/%2e%2e/x',
  ];

  test.each([...STRAY, ...MORE])('%s is 401 without a token and NOT_FOUND with one', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expectRefused(await service.call(method, path, { ip: uniqueIp() }), 401, 'UNAUTHORIZED');
      for (const token of [account.key, ADMIN_TOKEN])
        expectRefused(await service.call(method, path, { token }), 404, 'NOT_FOUND');
    }
  });
});
