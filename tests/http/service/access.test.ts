import { describe, expect, test } from 'vitest';
import { makeKey } from '../../../lib/accounts/keys/api-key.ts';
import { AUTH_FAILURES } from '../../../lib/http/guards/authenticate.ts';
import { toQuota } from '../../../lib/http/guards/fair-use.ts';
import { listBuckets } from '../../../lib/http/openapi/openapi-responses.ts';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { guardFor } from '../../support/oracles/conforms.ts';
import { createdSlug, type Sample, tokenFor, uniqueIp } from '../../support/samples/samples.ts';
import { endpointCalls, expectRefused, sampleFor, sendTo } from '../../support/service/endpoint-calls.ts';
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
      'Bearer ',
      good,
      `Basic ${good}`,
      `Bearer${good}`,
      `Bearer: ${good}`,
      `Bearer ${good} x`,
      `Bearer "${good}"`,
      `Bearer ${good},`,
      `Bearer\t${good}`,
      `Bearer ${good}\u00e9`,
      'Bearer null',
      `Bearer ${'x'.repeat(8_000)}`,
      `Bearer ${good.slice(0, -1)}`,
    ];
    for (const authorization of malformed) {
      const answer = await send(endpoint, sample, { token: null, headers: { authorization }, ip });
      expectRefused(answer, 401, 'UNAUTHORIZED');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    const bad = endpoint.body ? { raw: '{' } : {};
    expectRefused(await send(endpoint, sample, { token: null, ip, ...bad }), 401, 'UNAUTHORIZED');
  });

  test('an unknown key, a wrong checksum and the token of another guard are 401', async () => {
    const sample = await makeSample(endpoint);
    const unknownKey = makeKey('secret', 'live', crypto.getRandomValues(new Uint8Array(64)));
    const mistyped = account.key.slice(0, -1) + (account.key.endsWith('0') ? '1' : '0');
    const ownToken = tokenFor(guardFor(endpoint, sample.path), account);
    const foreign = [account.key, ADMIN_TOKEN, CRON_SECRET].filter((token) => token !== ownToken);
    for (const token of [unknownKey, mistyped, ...foreign])
      expectRefused(await send(endpoint, sample, { token }), 401, 'UNAUTHORIZED');
  });

  test('an address that fails 300 times a minute gets 429 with the wait; its valid token works, the scheme in any case', async () => {
    const sample = await makeSample(endpoint);
    const ip = uniqueIp();
    for (let attempt = 0; attempt < AUTH_FAILURES.limit; attempt += 1)
      await service.ports.limiter.take(AUTH_FAILURES, ip);
    const answer = await send(endpoint, sample, { token: null, ip });
    expectRefused(answer, 429, 'RATE_LIMITED');
    expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(answer.headers.get('ratelimit-policy')).toBe('"auth-failures";q=300;w=60');
    const authorization = `bEARER  ${tokenFor(guardFor(endpoint, sample.path), account)}`;
    const valid = await send(endpoint, sample, { token: null, headers: { authorization }, ip });
    expect(valid.status, valid.text).toBeLessThan(300);
  });
});

type Foreign = (other: TestAccount, sample: Sample, method: string) => Promise<unknown>;

/** A list, of which the account itself sees something. */
const isEmpty: Foreign = async (other, { path }) => {
  const [ownAnswer, foreign] = await Promise.all([account, other].map((one) => one.call('GET', path)));
  expect(Object.values(ownAnswer?.body)[0]).not.toEqual([]);
  expect(foreign?.body).toMatchObject({ [Object.keys(ownAnswer?.body)[0] ?? '']: [], next_cursor: null });
};

const isCreatedAnew: Foreign = async (other, { path, json }) => {
  await account.call('POST', path, json);
  expect((await other.call('POST', path, json)).status).toBe(201);
};

const isNotNamed: Foreign = async (other, { path }) => {
  const { status, text } = await other.call('GET', path);
  expect(status).toBe(200);
  expect(text).not.toContain(account.id);
};

/** A foreign truck, lead, dealer, feed or run is answered as one that there is not, and stays what it is. */
const isAbsent: Foreign = async (other, sample, method) => {
  const nowhere: Sample = JSON.parse(
    JSON.stringify(sample)
      .replace(/(feed|run|lead)_[0-9a-f]+/g, '$1_0123456789abcdef01234567')
      .replace(/dealer-\d+-\d+/, 'nobody-has-this')
      .replace(/\b[A-Z0-9]{17}\b/, '1FUJGLDR0HZZZZZZZ'),
  );
  expect(nowhere).not.toEqual(sample);
  const absent = await other.call(method, nowhere.path, nowhere.json);
  if (sample.path.startsWith('/v1/widget/')) expectRefused(absent, 403, 'FORBIDDEN');
  else expectRefused(absent, 404, 'NOT_FOUND');
  expect(toBytes(await other.call(method, sample.path, sample.json))).toEqual(toBytes(absent));
  const ownAnswer = await account.call(method, sample.path, sample.json);
  expect(ownAnswer.status, ownAnswer.text).toBeLessThan(300);
};

/** What another seller's key sees, by operation id; of all others it finds what is not there. */
const FOREIGN: Record<string, Foreign> = {
  postInventory: isCreatedAnew,
  postDealers: isCreatedAnew,
  postFeeds: isCreatedAnew,
  async deleteInventory(other, { path }) {
    expect((await other.call('DELETE', path)).status).toBe(204);
    expect((await account.call('GET', path)).status).toBe(200);
  },
  async getOwnAccount(other, sample, method) {
    await isNotNamed(other, sample, method);
    expect((await other.call(method, sample.path)).body.id).toBe(other.id);
  },
  async postFeedPreview(other, { path, json }) {
    const truck = goodTruck();
    await account.post(truck);
    const sample = `VIN,Year,Make,Class\n${truck.vin},2019,Freightliner,8\n`;
    const secondAnswer = await other.call('POST', path, { ...(json as object), sample });
    expect(secondAnswer.body.verdict.created).toBe(1);
  },
  async searchInventory(other, sample, method) {
    await isEmpty(other, sample, method);
    const foreignAnswer = await other.call(method, sample.path);
    expect(foreignAnswer.body.count).toEqual({ value: 0, exact: true });
  },
  getIssues: isEmpty,
  getFeeds: isEmpty,
  getLeads: isEmpty,
  getDealers: isEmpty,
  getMarketTrends: isNotNamed,
  getMarketPrices: isNotNamed,
};
// Something for each list.
await createdSlug({ service, account });
await account.call('POST', '/v1/feeds', { name: 'Mine', url: 'https://feeds.invalid/a.csv' });

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
    const stage = { service, account: await service.newAccount() };
    const [first, second] = [await sampleFor(stage, endpoint), await sampleFor(stage, endpoint)];
    const suspend = (suspended: boolean) =>
      service.admin('PATCH', `/api/admin/accounts/${stage.account.id}`, { suspended });
    expect((await sendTo(stage, endpoint, first)).status).toBeLessThan(300);
    await suspend(true);
    expectRefused(await sendTo(stage, endpoint, second), 401, 'UNAUTHORIZED');
    await suspend(false);
    expect((await sendTo(stage, endpoint, second)).status).toBeLessThan(300);
  });

  test('another account’s key finds nothing of it, in the same bytes as what does not exist', async () => {
    const [other, sample] = [await service.newAccount(), await makeSample(endpoint)];
    await (FOREIGN[endpoint.id] ?? isAbsent)(other, sample, endpoint.method);
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
      const answer = await send(endpoint, { ...sample, path }, call);
      expect(answer.status, answer.text).toBe(400);
      return Number(/;r=(\d+);/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
    };
    const first = await remaining();
    expect(await remaining()).toBe(first - 1);
  });

  test('over the limit is 429 with whole seconds to wait and the limit told; nothing is done', async () => {
    const sample = await makeSample(endpoint);
    const { key, id } = await newKey('secret');
    const [bucket = 'requests'] = listBuckets(endpoint);
    const quota = toQuota(bucket, { limit_multiplier: 100 });
    for (let count = 0; count < quota.limit - 1; count += 1) await service.ports.limiter.take(quota, id);
    const last = await send(endpoint, sample, { token: key });
    expect(last.status, last.text).toBeLessThan(300);
    expect(last.headers.get('ratelimit')).toMatch(/^"\w+";r=0;t=\d+$/);
    const answer = await send(endpoint, sample, { token: key });
    expectRefused(answer, 429, 'RATE_LIMITED');
    const wait = answer.headers.get('retry-after');
    expect(wait).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(answer.headers.get('ratelimit-policy')).toBe(`"${quota.name}";q=${quota.limit};w=60`);
    expect(answer.headers.get('ratelimit')).toBe(`"${quota.name}";r=0;t=${wait}`);
  });
});
