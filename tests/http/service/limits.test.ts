import { expect, test } from 'vitest';
import { AUTH_FAILURES, SECRET_CALLS } from '../../../lib/http/guards/authenticate.ts';
import { BUCKETS } from '../../../lib/http/guards/fair-use.ts';
import type { Quota } from '../../../lib/limiter/limits.ts';
import { memoryLimiter } from '../../../lib/limiter/memory.ts';
import { uniqueIp, uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  CRON_SECRET,
  startService,
  type TestAccount,
  type TestService,
} from '../../support/service/service.ts';
import { stoppedLimits } from '../../support/service/stopped-limits.ts';

/** Fair use over the wire; the limiter's own exactness has its suite in tests/limiter. */

const service = await startService(stoppedLimits);

const newAccount = (limit_multiplier = 1) => service.newAccount({ limit_multiplier });
const readRemaining = ({ headers }: Answer) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);
const readBucket = ({ headers }: Answer) => headers.get('ratelimit-policy');
const batch = (account: TestAccount, count = 1) =>
  account.call('POST', '/v1/inventory?return=summary', { records: cleanTrucks(count) });

test('60 requests a minute are shared by PATCH and GET inventory, dealers and single posts; batches are not among them', async () => {
  const account = await newAccount();
  const truck = cleanTruck();
  const slug = uniqueSlug();
  const calls = [
    () => account.post(truck),
    () => account.call('HEAD', `/v1/inventory/${truck.vin}`),
    () => account.call('PATCH', '/api/v1/inventory', { vin: truck.vin, status: 'sold' }),
    () => account.call('POST', '/v1/dealers', { slug, name: 'X' }),
    () => account.call('PATCH', '/v1/dealers', { slug, name: 'Y' }),
    () => account.call('GET', '/v1/inventory/1FUJGLDR0HZZZZZZZ'),
  ];
  let left = 60;
  while (left > 0)
    for (const call of calls) {
      const answer = await call();
      left -= 1;
      expect([readBucket(answer), readRemaining(answer)]).toEqual(['"requests";q=60;w=60', left]);
    }
  for (const call of calls) expect((await call()).status).toBe(429);
  expect((await batch(account)).status).toBe(200);
});

test('10 batches a minute count requests with records, empty, dry and too large ones too, and store nothing beyond them', async () => {
  const account = await newAccount();
  for (let count = 1; count <= 10; count += 1) {
    const isLarge = count === 5;
    const answer = await batch(account, isLarge ? 501 : count % 3);
    const outcome = [answer.status, readBucket(answer), readRemaining(answer)];
    expect(outcome).toEqual([isLarge ? 400 : 200, '"batches";q=10;w=60', 10 - count]);
  }
  const truck = cleanTruck();
  const refusal = await account.post({ records: [truck] });
  expect([refusal.status, refusal.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  const details = { reason: 'over_limit', bucket: 'batches', limit: 10, window_seconds: 60 };
  expect(refusal.body.error.details).toMatchObject(details);
  const dry = await account.call('POST', '/v1/inventory?dry_run=true', { records: [] });
  expect(dry.status).toBe(429);
  expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).status).toBe(404);
  expect((await account.post(truck)).status).toBe(201);
});

test('limit_multiplier multiplies both', async () => {
  const account = await newAccount(10);
  expect(readBucket(await account.call('GET', '/v1/dealers'))).toBe('"requests";q=600;w=60');
  expect(readBucket(await batch(account))).toBe('"batches";q=100;w=60');
});

const fill = async (from: TestService, quota: Quota, subject: string) => {
  for (let count = 0; count < quota.limit; count += 1) await from.ports.limiter.take(quota, subject);
};

test('observe refuses no key and no address and logs over_limit instead, but takes no token of the operator after too many', async () => {
  const watching = await startService(({ settings }) => ({
    ...stoppedLimits(),
    settings: { ...settings, fairUse: 'observe' },
  }));
  const { key, keyId } = await watching.newAccount({ limit_multiplier: 1 });
  const ip = uniqueIp();
  const call = async (path: string, token: string | null, overLimit?: string) => {
    const { status } = await watching.call('GET', path, { token, ip });
    expect(watching.log.at(-1)?.over_limit).toBe(overLimit);
    return status;
  };
  expect(await call('/v1/dealers', key)).toBe(200);
  await fill(watching, BUCKETS.requests, keyId);
  await fill(watching, AUTH_FAILURES, ip);
  expect(await call('/v1/dealers', key, 'requests')).toBe(200);
  expect(await call('/v1/dealers', null, 'auth-failures')).toBe(401);
  await fill(watching, SECRET_CALLS, ip);
  expect(await call('/api/admin/accounts', ADMIN_TOKEN, SECRET_CALLS.name)).toBe(429);
  expect((await watching.admin('GET', '/api/admin/accounts')).status).toBe(200);
});

test('failed authentication counts an IPv6 subscriber once, by its /64, 300 a minute', async () => {
  const fail = (tail: string) => service.call('GET', '/v1/dealers', { ip: `2001:db8:7:7:${tail}` });
  for (let count = 0; count < 300; count += 1)
    expect((await fail(`1:2:3:${count.toString(16)}`)).status).toBe(401);
  expect((await fail('ffff::1')).status).toBe(429);
  expect((await service.call('GET', '/v1/dealers', { ip: '2001:db8:7:8::1' })).status).toBe(401);
});

test.each([
  ['the operator’s', '/api/admin/accounts', ADMIN_TOKEN],
  ['the cron’s', '/api/cron/due', CRON_SECRET],
  ['the operator’s on a stray path', '/api/nowhere', ADMIN_TOKEN],
])(
  '%s token is refused like every other after 600 calls from its address, and not for wrong keys',
  async (_, path, right) => {
    const call = (ip: string, token: string) => service.call('GET', path, { ip, token });
    const ip = uniqueIp();
    await fill(service, AUTH_FAILURES, ip);
    expect((await call(ip, right)).status).toBeLessThan(405);
    for (let count = 1; count < 600; count += 1)
      expect((await call(ip, `${right}${count}`)).status).toBe(401);
    const [wrongAnswer, rightAnswer] = [await call(ip, `${right}x`), await call(ip, right)];
    expect([wrongAnswer.status, rightAnswer.status]).toEqual([429, 429]);
    expect(rightAnswer.body).toEqual(wrongAnswer.body);
    expect(rightAnswer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect((await call(uniqueIp(), right)).status).toBeLessThan(405);
  },
);

test('a refusal of a remote limiter, which is asked beside a read, holds for reads and writes', async () => {
  const account = await newAccount();
  const limiter = { ...memoryLimiter({ now: () => 0 }), local: false };
  const remote = await startService(() => ({ limiter }));
  await fill(remote, BUCKETS.requests, account.keyId);
  const json = cleanTruck();
  for (const [method, path, body] of [
    ['POST', '', { json }],
    ['GET', `/${json.vin}`, {}],
    ['GET', '/short', {}],
  ] as const) {
    const { status } = await remote.call(method, `/v1/inventory${path}`, { token: account.key, ...body });
    expect(status).toBe(429);
  }
  expect((await account.call('GET', `/v1/inventory/${json.vin}`)).status).toBe(404);
});
