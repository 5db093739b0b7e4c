import { beforeAll, describe, expect, test } from 'vitest';
import { makeKey } from '../../lib/domain/api-key.ts';
import { ENDPOINTS } from '../../lib/endpoints/index.ts';
import { AUTH_FAILURES } from '../../lib/http/authenticate.ts';
import { BUCKETS, type Endpoint } from '../../lib/http/endpoint.ts';
import { endpointsAt, guardOf } from '../support/conforms.ts';
import { freshIp, SAMPLES, type Sample, tokenFor } from '../support/samples.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  type Call,
  CRON_SECRET,
  startService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

/** What every endpoint owes its callers. That each answer keeps its schema is checked by the harness itself. */

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startService();
  account = await service.newAccount();
});

const MIB = 1024 * 1024;
const sampleOf = async (endpoint: Endpoint): Promise<Sample> => {
  const sample = SAMPLES[endpoint.id];
  if (!sample) throw new Error(`no sample request for ${endpoint.id}: add one to tests/support/samples.ts`);
  return sample({ service, account });
};

/** A call with the endpoint's own credential unless `call` brings another, from an address of its own. */
function send(endpoint: Endpoint, { path, json }: Sample, call: Call = {}): Promise<Answer> {
  const token = tokenFor(guardOf(endpoint, path), account);
  const body = call.raw !== undefined || json === undefined ? {} : { json };
  return service.call(endpoint.method, path, { token, ip: freshIp(), ...body, ...call });
}

function expectRefused(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body?.error.code], answer.text).toEqual([status, code]);
}

/** An answer without what differs from call to call. */
const bytesOf = ({ status, text }: Answer) => ({ status, text });

test('every endpoint has a sample request', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(ENDPOINTS.map(({ id }) => id).sort());
});

const guarded = ENDPOINTS.filter(({ guard }) => guard !== 'anyone');
const keyed = ENDPOINTS.filter(({ guard }) => guard === 'secret-key');
const withBody = ENDPOINTS.filter(({ body }) => body !== undefined);
const ID = '$id';

describe.each(ENDPOINTS)(ID, (endpoint) => {
  test('a valid request succeeds, under /v1 and /api/v1 alike, and has a request id of its own', async () => {
    const paths = endpoint.path.startsWith('/v1/') ? ['', '/api'] : [''];
    const ids = new Set<string | null>();
    for (const prefix of paths) {
      const { path, json } = await sampleOf(endpoint);
      const headers = { 'x-request-id': 'caller-1' };
      const answer = await send(endpoint, { path: prefix + path, json }, { headers });
      expect(answer.status, answer.text).toBeLessThan(300);
      ids.add(answer.headers.get('x-request-id'));
    }
    expect(ids.size).toBe(paths.length);
    expect(ids).not.toContain('caller-1');
  });

  test('a method the path does not serve is 405 with Allow, and 401 without a token', async () => {
    const sample = await sampleOf(endpoint);
    const served = endpointsAt(sample.path).flatMap(({ method }) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (served.includes(method)) continue;
      const token = tokenFor(guardOf(endpoint, sample.path), account);
      const answer = await service.call(method, sample.path, { token });
      expectRefused(answer, 405, 'NOT_FOUND');
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(served.sort());
      if (token !== null)
        expectRefused(await service.call(method, sample.path, { ip: freshIp() }), 401, 'UNAUTHORIZED');
    }
  });
});

describe.each(guarded)(ID, (endpoint) => {
  test('no token and every malformed Authorization header is 401, before anything else is looked at', async () => {
    const sample = await sampleOf(endpoint);
    const good = tokenFor(guardOf(endpoint, sample.path), account) ?? '';
    const ip = freshIp();
    const malformed = [
      ...['', 'Bearer', 'Bearer ', good, `Basic ${good}`, `Token ${good}`, `Bearer${good}`, `Bearer: ${good}`],
      ...[`Bearer ${good} x`, `Bearer "${good}"`, `Bearer ${good},`, `Bearer\t${good}`, `Bearer ${good}\u00e9`],
      ...['Bearer null', 'Bearer undefined', `Bearer ${'x'.repeat(8_000)}`, `Bearer ${good.slice(0, -1)}`],
    ];
    for (const authorization of [null, ...malformed]) {
      const headers: Record<string, string> = authorization === null ? {} : { authorization };
      const answer = await send(endpoint, sample, { token: null, headers, ip });
      expectRefused(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    const bad = await send(endpoint, sample, { token: null, raw: endpoint.body ? '{' : '', ip }).catch(() => null);
    if (endpoint.body && bad) expectRefused(bad, 401, 'UNAUTHORIZED');
  });

  test('the scheme is matched in any case', async () => {
    const sample = await sampleOf(endpoint);
    const authorization = `bEARER  ${tokenFor(guardOf(endpoint, sample.path), account)}`;
    const answer = await send(endpoint, sample, { token: null, headers: { authorization } });
    expect(answer.status, answer.text).toBeLessThan(300);
  });

  test('an unknown key, a wrong checksum and the token of another guard are 401', async () => {
    const sample = await sampleOf(endpoint);
    const guard = guardOf(endpoint, sample.path);
    const unknown = makeKey('secret', crypto.getRandomValues(new Uint8Array(64)));
    const mistyped = account.key.slice(0, -1) + (account.key.endsWith('0') ? '1' : '0');
    const others = { 'secret-key': account.key, operator: ADMIN_TOKEN, cron: CRON_SECRET };
    const foreign = Object.entries(others).flatMap(([name, token]) => (name === guard ? [] : [token]));
    for (const token of [unknown, mistyped, ...foreign])
      expectRefused(await send(endpoint, sample, { token }), 401, 'UNAUTHORIZED');
  });

  test('an address that fails 300 times a minute gets 429 with the wait, and its valid credential still works', async () => {
    const sample = await sampleOf(endpoint);
    const ip = freshIp();
    for (let failed = 0; failed < AUTH_FAILURES.limit; failed += 1) await service.ports.limiter.take(AUTH_FAILURES, ip);
    const refused = await send(endpoint, sample, { token: null, ip });
    expectRefused(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(refused.headers.get('ratelimit-policy')).toBe('"auth-failures";q=300;w=60');
    const valid = await send(endpoint, sample, { ip });
    expect(valid.status, valid.text).toBeLessThan(300);
  });
});

/** What another seller's key sees of a resource, by operation id. */
const FOREIGN: Record<string, (other: TestAccount, sample: Sample) => Promise<void>> = {
  async postInventory(other, { json }) {
    await account.call('POST', '/v1/inventory', json);
    const own = await other.call('POST', '/v1/inventory', json);
    expect([own.status, own.body.outcome]).toEqual([201, 'created']);
  },
  async patchInventory(other, { path, json }) {
    const absent = { ...(json as object), vin: '1FUJGLDR0HZZZZZZZ' };
    expect(bytesOf(await other.call('PATCH', path, json))).toEqual(bytesOf(await other.call('PATCH', path, absent)));
  },
  async getInventory(other, { path }) {
    const absent = await other.call('GET', '/v1/inventory/1FUJGLDR0HZZZZZZZ');
    expect(absent.status).toBe(404);
    expect(bytesOf(await other.call('GET', path))).toEqual(bytesOf(absent));
  },
  async searchInventory(other) {
    const found = await other.call('GET', '/v1/inventory?status=available,sold,delisted');
    expect(found.body).toMatchObject({ listings: [], count: { value: 0, exact: true }, next_cursor: null });
  },
  async postDealers(other, { path, json }) {
    await account.call('POST', path, json);
    expectRefused(await other.call('POST', path, json), 400, 'INVALID_PAYLOAD');
  },
  async patchDealers(other, { path, json }) {
    const absent = await other.call('PATCH', path, { slug: 'nobody-has-this', city: 'Waco' });
    expect(absent.status).toBe(404);
    expect(bytesOf(await other.call('PATCH', path, json))).toEqual(bytesOf(absent));
  },
  async getMarketComparables(other, { path }) {
    const absent = await other.call('GET', '/v1/market-data/comparables/1FUJGLDR0HZZZZZZZ');
    expect(absent.status).toBe(404);
    expect(bytesOf(await other.call('GET', path))).toEqual(bytesOf(absent));
  },
  async getMarketTrends(other, { path }) {
    const { status, text } = await other.call('GET', path);
    expect(status).toBe(200);
    expect(text).not.toContain(account.id);
  },
  async getMarketPrices(other, { path }) {
    const { status, text } = await other.call('GET', path);
    expect(status).toBe(200);
    expect(text).not.toContain(account.id);
  },
  async getDealers(other, { path }) {
    await account.call('POST', path, { slug: `mine-${Date.now()}`, name: 'Mine' });
    expect((await other.call('GET', path)).body.dealers).toEqual([]);
  },
};

describe.each(keyed)(ID, (endpoint) => {
  const newKey = async (kind: 'secret' | 'publishable', id = account.id) =>
    (await service.admin('POST', '/api/admin/keys', { account_id: id, kind })).body;

  test('a revoked key is refused on the very next request', async () => {
    const key = await newKey('secret');
    const before = await send(endpoint, await sampleOf(endpoint), { token: key.key });
    expect(before.status, before.text).toBeLessThan(300);
    expect((await service.admin('DELETE', `/api/admin/keys/${key.id}`)).status).toBe(204);
    expectRefused(await send(endpoint, await sampleOf(endpoint), { token: key.key }), 401, 'UNAUTHORIZED');
  });

  test('a suspended account is refused at once, and let in again at once', async () => {
    const other = await service.newAccount();
    const visit = async () => {
      const sample = SAMPLES[endpoint.id]?.({ service, account: suspended ? account : other });
      return send(endpoint, (await sample) ?? { path: '' }, { token: other.key });
    };
    const suspend = (to: boolean) => service.admin('PATCH', `/api/admin/accounts/${other.id}`, { suspended: to });
    let suspended = false;
    expect((await visit()).status).toBeLessThan(300);
    await suspend(true);
    suspended = true;
    expectRefused(await visit(), 401, 'UNAUTHORIZED');
    await suspend(false);
    suspended = false;
    expect((await visit()).status).toBeLessThan(300);
  });

  test('a publishable key is 403 FORBIDDEN outside the widget routes, also when its account is fine', async () => {
    const { key } = await newKey('publishable');
    expectRefused(await send(endpoint, await sampleOf(endpoint), { token: key }), 403, 'FORBIDDEN');
  });

  test('another account’s key finds nothing of it, in the same bytes as what does not exist', async () => {
    const check = FOREIGN[endpoint.id];
    if (!check) throw new Error(`say in FOREIGN what another seller sees of ${endpoint.id}`);
    await check(await service.newAccount(), await sampleOf(endpoint));
  });

  test('over the limit is 429 with whole seconds to wait and the limit told; nothing is done', async () => {
    const sample = await sampleOf(endpoint);
    const { key, id } = await newKey('secret');
    const bucket = BUCKETS[endpoint.bucketOf(sample.json) ?? 'requests'];
    const quota = { ...bucket, limit: bucket.limit * 100 };
    for (let taken = 0; taken < quota.limit - 1; taken += 1) await service.ports.limiter.take(quota, id);
    const last = await send(endpoint, sample, { token: key });
    expect(last.status, last.text).toBeLessThan(300);
    expect(last.headers.get('ratelimit')).toMatch(/^"\w+";r=0;t=\d+$/);
    const refused = await send(endpoint, sample, { token: key });
    expectRefused(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(refused.headers.get('ratelimit-policy')).toBe(`"${quota.name}";q=${quota.limit};w=60`);
    expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`^"${quota.name}";r=0;t=\\d+$`));
  });
});

/** A body without a declared length, as chunked transfer brings it. */
function chunked(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 256 * 1024));
      at += 256 * 1024;
    },
  });
}

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe.each(withBody)(ID, (endpoint) => {
  const code = endpoint.bodyCode ?? 'INVALID_PAYLOAD';

  test('a body over 4 MiB is 400 with the reason, declared or chunked; one of 4 MiB is read', async () => {
    const sample = await sampleOf(endpoint);
    const padded = (size: number) => {
      const text = JSON.stringify(sample.json);
      return text + ' '.repeat(size - text.length);
    };
    const over = padded(4 * MIB + 1);
    const declared = await send(endpoint, sample, { raw: over, headers: { 'content-length': String(over.length) } });
    const streamed = await send(endpoint, sample, { raw: chunked(over) });
    for (const answer of [declared, streamed]) {
      expectRefused(answer, 400, code);
      expect(answer.body.error.details.reason).toContain('4 MiB');
    }
    const allowed = await send(endpoint, sample, { raw: chunked(padded(4 * MIB)) });
    expect(allowed.status, allowed.text).toBeLessThan(300);
  });

  test('a body that is no JSON object is 400 with the route’s code and a reason, whatever its Content-Type', async () => {
    const sample = await sampleOf(endpoint);
    const bodies = [
      ...['', ' ', '{', '{"a":1', '{"a":1}}', "{'a':1}", '{"a":NaN}', 'undefined', '\u0000', '\ufeff', 'a=1'],
      ...['null', 'true', '7', '"text"', '[]', '[{}]', '-0', '1e999'],
      ...[nested(33), nested(200_000), '['.repeat(200_000) + ']'.repeat(200_000), '['.repeat(200_000)],
    ];
    for (const [index, raw] of bodies.entries()) {
      const type = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'][index % 3] ?? '';
      const answer = await send(endpoint, sample, { raw, headers: { 'content-type': type } });
      expectRefused(answer, 400, code);
      expect(answer.body.error.details.reason, raw.slice(0, 20)).toEqual(expect.any(String));
    }
    const binary = new Uint8Array([0xff, 0xfe, 0x00, 0x7b, 0x80]);
    expectRefused(await send(endpoint, sample, { raw: binary }), 400, code);
    const zipped = await send(endpoint, sample, { headers: { 'content-encoding': 'gzip' } });
    expectRefused(zipped, 400, code);
  });

  test('32 levels are read, 33 are not', async () => {
    const sample = await sampleOf(endpoint);
    const withDepth = (levels: number) => ({ ...(sample.json as object), extra: JSON.parse(nested(levels - 1)) });
    const read = await send(endpoint, { ...sample, json: withDepth(32) });
    expect(read.status, read.text).toBeLessThan(300);
    expectRefused(await send(endpoint, { ...sample, json: withDepth(33) }), 400, code);
  });

  test('the body is read as JSON whatever its Content-Type says', async () => {
    for (const type of ['text/plain', 'application/xml; charset=utf-16', 'nonsense']) {
      const sample = await sampleOf(endpoint);
      const answer = await send(endpoint, sample, { headers: { 'content-type': type } });
      expect(answer.status, answer.text).toBeLessThan(300);
    }
  });
});

describe.each(ENDPOINTS.filter(({ method }) => method === 'GET'))(ID, (endpoint) => {
  test('HEAD answers as GET does, without a body', async () => {
    const sample = await sampleOf(endpoint);
    const token = tokenFor(guardOf(endpoint, sample.path), account);
    const get = await service.call('GET', sample.path, { token });
    const head = await service.call('HEAD', sample.path, { token });
    expect(head.status).toBe(get.status);
    for (const name of ['content-type', 'cache-control', 'etag', 'ratelimit-policy'])
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    if (token === null) return;
    expect((await service.call('HEAD', sample.path, { ip: freshIp() })).status).toBe(401);
  });
});

describe('stray paths', () => {
  const STRAY = ['/x', '/api', '/api/', '/api/x', '/v1', '/v1/', '/v1/x/y', '/api/v1/x', '/api/admin'];
  const MORE = ['/api/admin/nope', '/v1/inventory/A/B', '/v2/inventory', '/api/not-found', '/api/cron/nope', '/v1/%2e%2e/x'];

  test.each([...STRAY, ...MORE])('%s is 401 without a token and NOT_FOUND with one', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expectRefused(await service.call(method, path, { ip: freshIp() }), 401, 'UNAUTHORIZED');
      for (const token of [account.key, ADMIN_TOKEN])
        expectRefused(await service.call(method, path, { token }), 404, 'NOT_FOUND');
    }
  });
});
