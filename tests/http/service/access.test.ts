import { describe, expect, test } from 'vitest';
import { makeKey } from '../../../lib/accounts/keys/api-key.ts';
import { AUTH_FAILURES } from '../../../lib/http/guards/authenticate.ts';
import { toQuota } from '../../../lib/http/guards/fair-use.ts';
import { listBuckets } from '../../../lib/http/openapi/openapi-responses.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { guardFor } from '../../support/oracles/conforms.ts';
import { SAMPLES, type Sample, tokenFor, uniqueIp } from '../../support/samples/samples.ts';
import { endpointCalls, expectRefused } from '../../support/service/endpoint-calls.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  CRON_SECRET,
  goodTruck,
  startService,
  type TestAccount,
} from '../../support/service/service.ts';

/** Who may call an endpoint, and how often: the same for every one of them. */

const service = await startService();
const account = await service.newAccount();

const { makeSample, send } = endpointCalls({ service, account });

/** An answer without what differs from call to call. */
const toBytes = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'ratelimit'),
});

describe.each(ENDPOINTS.filter(({ guard }) => guard !== 'anyone'))('$id', (endpoint) => {
  test('no token and every malformed Authorization header is 401, before anything else is looked at', async () => {
    const sample = await makeSample(endpoint);
    const good = tokenFor(guardFor(endpoint, sample.path), account) ?? '';
    const ip = uniqueIp();
    const malformed = [
      '',
      'Bearer',
      'Bearer ',
      good,
      `Basic ${good}`,
      `Token ${good}`,
      `Bearer${good}`,
      `Bearer: ${good}`,
      `Bearer ${good} x`,
      `Bearer "${good}"`,
      `Bearer ${good},`,
      `Bearer\t${good}`,
      `Bearer ${good}\u00e9`,
      'Bearer null',
      'Bearer undefined',
      `Bearer ${'x'.repeat(8_000)}`,
      `Bearer ${good.slice(0, -1)}`,
    ];
    for (const authorization of [null, ...malformed]) {
      const headers: Record<string, string> = authorization === null ? {} : { authorization };
      const answer = await send(endpoint, sample, { token: null, headers, ip });
      expectRefused(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    const bad = await send(endpoint, sample, { token: null, raw: endpoint.body ? '{' : '', ip }).catch(
      () => null,
    );
    if (endpoint.body && bad) expectRefused(bad, 401, 'UNAUTHORIZED');
  });

  test('the scheme is matched in any case', async () => {
    const sample = await makeSample(endpoint);
    const authorization = `bEARER  ${tokenFor(guardFor(endpoint, sample.path), account)}`;
    const answer = await send(endpoint, sample, { token: null, headers: { authorization } });
    expect(answer.status, answer.text).toBeLessThan(300);
  });

  test('an unknown key, a wrong checksum and the token of another guard are 401', async () => {
    const sample = await makeSample(endpoint);
    const guard = guardFor(endpoint, sample.path);
    const unknown = makeKey('secret', 'live', crypto.getRandomValues(new Uint8Array(64)));
    const mistyped = account.key.slice(0, -1) + (account.key.endsWith('0') ? '1' : '0');
    const others = { 'secret-key': account.key, operator: ADMIN_TOKEN, cron: CRON_SECRET };
    const own = tokenFor(guard, account);
    const foreign = Object.values(others).filter((token) => token !== own);
    for (const token of [unknown, mistyped, ...foreign])
      expectRefused(await send(endpoint, sample, { token }), 401, 'UNAUTHORIZED');
  });

  test('an address that fails 300 times a minute gets 429 with the wait, and its valid credential still works', async () => {
    const sample = await makeSample(endpoint);
    const ip = uniqueIp();
    for (let failed = 0; failed < AUTH_FAILURES.limit; failed += 1)
      await service.ports.limiter.take(AUTH_FAILURES, ip);
    const refused = await send(endpoint, sample, { token: null, ip });
    expectRefused(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(refused.headers.get('ratelimit-policy')).toBe('"auth-failures";q=300;w=60');
    const valid = await send(endpoint, sample, { ip });
    expect(valid.status, valid.text).toBeLessThan(300);
  });
});

/** A dealer of somebody else is as one that there is not. */
async function foreignDealer(other: TestAccount, { path, json }: Sample): Promise<void> {
  const absent = await other.call('POST', path, { ...(json as object), dealerSlug: 'nobody-has-this' });
  expectRefused(absent, 403, 'FORBIDDEN');
  expect(toBytes(await other.call('POST', path, json))).toEqual(toBytes(absent));
}

async function foreignSlug(other: TestAccount, { path }: Sample): Promise<void> {
  const absent = await other.call('GET', path.replace(/dealerSlug=[^&]+/, 'dealerSlug=nobody-has-this'));
  expectRefused(absent, 403, 'FORBIDDEN');
  expect(toBytes(await other.call('GET', path))).toEqual(toBytes(absent));
}

/** What another seller's key sees, by operation id; of all others it finds what is not there. */
const FOREIGN: Record<string, (other: TestAccount, sample: Sample) => Promise<void>> = {
  async postInventory(other, { json }) {
    await account.post(json);
    const own = await other.post(json);
    expect([own.status, own.body.outcome]).toEqual([201, 'created']);
  },
  async patchInventory(other, { path, json }) {
    const absent = await other.call('PATCH', path, { ...(json as object), vin: ABSENT_VIN });
    expectRefused(absent, 404, 'NOT_FOUND');
    expect(toBytes(await other.call('PATCH', path, json))).toEqual(toBytes(absent));
  },
  async deleteInventory(other, { path }) {
    expect((await other.call('DELETE', path)).status).toBe(204);
    expect((await account.call('GET', path)).status).toBe(200);
  },
  async getOwnAccount(other, { path }) {
    const { status, text, body } = await other.call('GET', path);
    expect([status, body.id]).toEqual([200, other.id]);
    expect(text).not.toContain(account.id);
  },
  async getIssues(other, { path }) {
    expect((await other.call('GET', path)).body).toEqual({ issues: [], next_cursor: null });
  },
  async searchInventory(other) {
    const found = await other.call('GET', '/v1/inventory?status=available,sold,delisted');
    expect(found.body).toMatchObject({ listings: [], count: { value: 0, exact: true }, next_cursor: null });
  },
  async postDealers(other, { path, json }) {
    await account.call('POST', path, json);
    expect((await other.call('POST', path, json)).status).toBe(201);
  },
  async patchDealers(other, { path, json }) {
    const absent = await other.call('PATCH', path, { slug: 'nobody-has-this', city: 'Waco' });
    expect(absent.status).toBe(404);
    expect(toBytes(await other.call('PATCH', path, json))).toEqual(toBytes(absent));
  },
  async postFeeds(other, { path, json }) {
    const own = await other.call('POST', path, json);
    expect([own.status, own.body.last_run]).toEqual([201, null]);
  },
  async postFeedPreview(other, { path, json }) {
    const truck = goodTruck();
    await account.post(truck);
    const sample = `VIN,Year,Make,Class\n${truck.vin},2019,Freightliner,8\n`;
    const told = await other.call('POST', path, { ...(json as object), sample });
    expect(told.body.verdict.results[0].outcome).toBe('created');
  },
  async getFeeds(other, { path }) {
    await account.call('POST', '/v1/feeds', { name: 'Mine', url: 'https://feeds.invalid/a.csv' });
    expect((await other.call('GET', path)).body.feeds).toEqual([]);
  },
  getMarketTrends: isNotNamed,
  getMarketPrices: isNotNamed,
  getWidgetInventory: foreignSlug,
  getWidgetForms: foreignSlug,
  postWidgetLead: foreignDealer,
  postWidgetChat: foreignDealer,
  async getLeads(other) {
    expect((await other.call('GET', '/v1/leads')).body).toEqual({ leads: [], next_cursor: null });
  },
  async deleteLead(other, sample) {
    await isAbsent('DELETE', other, sample);
    expect((await account.call('DELETE', sample.path)).status).toBe(204);
  },
  async getDealers(other, { path }) {
    await account.call('POST', path, { slug: `mine-${Date.now()}`, name: 'Mine' });
    expect((await other.call('GET', path)).body.dealers).toEqual([]);
  },
};

async function isNotNamed(other: TestAccount, { path }: Sample): Promise<void> {
  const { status, text } = await other.call('GET', path);
  expect(status).toBe(200);
  expect(text).not.toContain(account.id);
}

const ABSENT_VIN = '1FUJGLDR0HZZZZZZZ';

/** A foreign truck, lead, dealer, feed or run is answered as one that is not there. */
async function isAbsent(method: string, other: TestAccount, { path, json }: Sample): Promise<void> {
  const nowhere = path
    .replace(/(feed|run|lead)_[0-9a-f]+/g, '$1_0123456789abcdef01234567')
    .replace(/\/dealers\/[^/?]+/, '/dealers/nobody-has-this')
    .replace(/\b[A-Z0-9]{17}\b/, ABSENT_VIN);
  expect(nowhere).not.toBe(path);
  const absent = await other.call(method, nowhere, json);
  expect(absent.status, absent.text).toBe(404);
  expect(toBytes(await other.call(method, path, json))).toEqual(toBytes(absent));
}

const newKey = async (kind: 'secret' | 'publishable') => {
  const json = { account_id: account.id, kind, allowed_origins: [] };
  return (await service.admin('POST', '/api/admin/keys', json)).body;
};
const ofKeys = ENDPOINTS.filter(({ guard }) => guard === 'secret-key' || guard === 'widget');

describe.each(ofKeys)('$id', (endpoint) => {
  test('a revoked key is refused on the very next request', async () => {
    const key = await newKey('secret');
    const before = await send(endpoint, await makeSample(endpoint), { token: key.key });
    expect(before.status, before.text).toBeLessThan(300);
    expect((await service.admin('DELETE', `/api/admin/keys/${key.id}`)).status).toBe(204);
    expectRefused(await send(endpoint, await makeSample(endpoint), { token: key.key }), 401, 'UNAUTHORIZED');
  });

  test('a suspended account is refused at once, and let in again at once', async () => {
    const other = await service.newAccount();
    const visit = async () => {
      // Made while the account is still in order: what is refused then is the account, not the request.
      const sample = suspended ? kept : await SAMPLES[endpoint.id]?.({ service, account: other });
      kept = sample ?? { path: '' };
      return send(endpoint, kept, { token: other.key });
    };
    const suspend = (to: boolean) =>
      service.admin('PATCH', `/api/admin/accounts/${other.id}`, { suspended: to });
    let suspended = false;
    let kept: Sample = { path: '' };
    expect((await visit()).status).toBeLessThan(300);
    await suspend(true);
    suspended = true;
    expectRefused(await visit(), 401, 'UNAUTHORIZED');
    await suspend(false);
    suspended = false;
    expect((await visit()).status).toBeLessThan(300);
  });

  test('another account’s key finds nothing of it, in the same bytes as what does not exist', async () => {
    const [other, sample] = [await service.newAccount(), await makeSample(endpoint)];
    await (FOREIGN[endpoint.id]?.(other, sample) ?? isAbsent(endpoint.method, other, sample));
  });
});

describe.each(ofKeys.filter(({ guard }) => guard === 'secret-key'))('$id', (endpoint) => {
  test('a publishable key is 403 FORBIDDEN outside the widget routes, also when its account is fine', async () => {
    const { key } = await newKey('publishable');
    expectRefused(await send(endpoint, await makeSample(endpoint), { token: key }), 403, 'FORBIDDEN');
  });

  test('malformed calls with a valid key count in its bucket', async () => {
    const sample = await makeSample(endpoint);
    const { key } = await newKey('secret');
    const call = { token: key, ...(endpoint.body ? { raw: '{' } : {}) };
    const path = endpoint.body ? sample.path : `${sample.path}${sample.path.includes('?') ? '&' : '?'}typo=1`;
    const remaining = async () => {
      const refused = await send(endpoint, { ...sample, path }, call);
      expect(refused.status, refused.text).toBe(400);
      return Number(/;r=(\d+);/.exec(refused.headers.get('ratelimit') ?? '')?.[1]);
    };
    const first = await remaining();
    expect(await remaining()).toBe(first - 1);
  });

  test('over the limit is 429 with whole seconds to wait and the limit told; nothing is done', async () => {
    const sample = await makeSample(endpoint);
    const { key, id } = await newKey('secret');
    const [bucket = 'requests'] = listBuckets(endpoint);
    const quota = toQuota(bucket, { limit_multiplier: 100 });
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
