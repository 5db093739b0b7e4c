import { describe, expect, test } from 'vitest';
import { AUTH_FAILURES, SECRET_CALLS } from '../../../lib/http/guards/authenticate.ts';
import { memoryLimiter } from '../../../lib/limiter/memory.ts';
import { uniqueIp, uniqueSlug } from '../../support/samples/samples.ts';
import { cleanTruck, cleanTrucks } from '../../support/samples/trucks.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  CRON_SECRET,
  startService,
  type TestAccount,
} from '../../support/service/service.ts';
import { stoppedLimits } from '../../support/service/stopped-limits.ts';

/** Fair use over the wire; the limiter's own exactness has its suite in tests/limiter. */

const service = await startService(stoppedLimits);

const newAccount = (limit_multiplier = 1) => service.newAccount({ limit_multiplier });
const readRemaining = ({ headers }: Answer) => Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);
const readBucket = ({ headers }: Answer) => headers.get('ratelimit-policy');
const batch = (account: TestAccount, count = 1) =>
  account.call('POST', '/v1/inventory?return=summary', { records: cleanTrucks(count) });

describe('the requests bucket', () => {
  test('of 60 a minute is shared by PATCH and GET inventory, dealers, and single posts, and no batch', async () => {
    const account = await newAccount();
    const truck = cleanTruck();
    const slug = uniqueSlug();
    const calls = [
      () => account.post(truck),
      () => account.call('GET', `/v1/inventory/${truck.vin}`),
      () => account.call('HEAD', `/v1/inventory/${truck.vin}`),
      () => account.call('PATCH', '/api/v1/inventory', { vin: truck.vin, status: 'sold' }),
      () => account.call('POST', '/v1/dealers', { slug, name: 'X' }),
      () => account.call('PATCH', '/v1/dealers', { slug, name: 'Y' }),
      () => account.call('GET', '/v1/dealers'),
      () => account.call('GET', '/v1/inventory/1FUJGLDR0HZZZZZZZ'),
    ];
    for (let made = 1; made <= 60; made += 1) {
      const answer = await calls[made % calls.length]?.();
      expect(answer?.status).not.toBe(429);
      if (!answer) continue;
      expect([readBucket(answer), readRemaining(answer)]).toEqual(['"requests";q=60;w=60', 60 - made]);
    }
    for (const call of calls) expect((await call()).status).toBe(429);
    expect((await batch(account)).status).toBe(200);
  });

  test('counts by key, not by account or address', async () => {
    const account = await newAccount();
    const second = (
      await service.admin('POST', '/api/admin/keys', { account_id: account.id, kind: 'secret' })
    ).body;
    for (let made = 0; made < 60; made += 1) await account.call('GET', '/v1/dealers');
    expect((await account.call('GET', '/v1/dealers')).status).toBe(429);
    expect((await service.call('GET', '/v1/dealers', { token: second.key })).status).toBe(200);
  });
});

test('the batches bucket of 10 a minute counts requests with records, empty, dry and too large ones too, and stores nothing beyond them', async () => {
  const account = await newAccount();
  for (let made = 1; made <= 10; made += 1) {
    const answer = await (made === 5
      ? account.post({ records: Array(501).fill(null) })
      : batch(account, made % 3));
    expect([answer.status, readBucket(answer), readRemaining(answer)]).toEqual([
      made === 5 ? 400 : 200,
      '"batches";q=10;w=60',
      10 - made,
    ]);
  }
  const truck = cleanTruck();
  const refused = await account.post({ records: [truck] });
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(refused.body.error.details).toMatchObject({
    reason: 'over_limit',
    bucket: 'batches',
    limit: 10,
    window_seconds: 60,
  });
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

test('a refused request is not counted, and whoever waits Retry-After is admitted', async () => {
  let now = 0;
  const clocked = await startService(() => ({ limiter: memoryLimiter({ now: () => now }) }));
  const account = await newAccount();
  const get = () => clocked.call('GET', '/v1/dealers', { token: account.key });
  for (let made = 0; made < 60; made += 1) await get();
  const refused = await get();
  const wait = Number(refused.headers.get('retry-after'));
  expect([refused.status, wait >= 1 && wait <= 60, Number.isInteger(wait)]).toEqual([429, true, true]);
  for (let tried = 0; tried < 100; tried += 1) await get();
  now = wait * 1_000;
  expect((await get()).status).toBe(200);
});

describe('observe', async () => {
  const watching = await startService(({ settings }) => ({
    ...stoppedLimits(),
    settings: { ...settings, fairUse: 'observe' },
  }));

  test('never refuses and says over_limit in the log instead, for keys and addresses', async () => {
    const account = await watching.newAccount({ limit_multiplier: 1 });
    const statuses = new Set<number>();
    for (let made = 0; made < 63; made += 1) statuses.add((await account.call('GET', '/v1/dealers')).status);
    expect([...statuses]).toEqual([200]);
    const over = watching.log.filter(({ over_limit }) => over_limit !== undefined);
    expect(over.map(({ over_limit: name }) => name)).toEqual(['requests', 'requests', 'requests']);
    const ip = uniqueIp();
    for (let made = 0; made < 300; made += 1) await watching.ports.limiter.take(AUTH_FAILURES, ip);
    expect((await watching.call('GET', '/v1/dealers', { ip })).status).toBe(401);
    expect(watching.log.at(-1)).toMatchObject({ over_limit: 'auth-failures', status: 401 });
  });

  test('takes no token of the operator either after too many wrong ones', async () => {
    const ip = uniqueIp();
    const call = (token: string) => watching.call('GET', '/api/admin/accounts', { ip, token });
    for (let made = 0; made < SECRET_CALLS.limit; made += 1) await call(`${ADMIN_TOKEN}${made}`);
    expect((await call(ADMIN_TOKEN)).status).toBe(429);
    expect((await watching.admin('GET', '/api/admin/accounts')).status).toBe(200);
  });
});

test('failed authentication counts an IPv6 subscriber once, by its /64, 300 a minute', async () => {
  const fail = (tail: string) => service.call('GET', '/v1/dealers', { ip: `2001:db8:7:7:${tail}` });
  for (let made = 0; made < 300; made += 1)
    expect((await fail(`1:2:3:${made.toString(16)}`)).status).toBe(401);
  expect((await fail('ffff::1')).status).toBe(429);
  expect((await service.call('GET', '/v1/dealers', { ip: '2001:db8:7:8::1' })).status).toBe(401);
});

describe.each([
  ['the operator’s', '/api/admin/accounts', ADMIN_TOKEN],
  ['the cron’s', '/api/cron/due', CRON_SECRET],
  ['the operator’s on a stray path', '/api/nowhere', ADMIN_TOKEN],
])('%s token', (_, path, right) => {
  const call = (ip: string, token: string) => service.call('GET', path, { ip, token });

  test('is refused like every other after 600 calls from its address, and not for wrong keys', async () => {
    const ip = uniqueIp();
    for (let made = 0; made < AUTH_FAILURES.limit; made += 1)
      await service.ports.limiter.take(AUTH_FAILURES, ip);
    expect((await call(ip, right)).status).toBeLessThan(405);
    for (let made = 1; made < SECRET_CALLS.limit; made += 1)
      expect((await call(ip, `${right}${made}`)).status).toBe(401);
    const [wrong, guessed] = [await call(ip, `${right}x`), await call(ip, right)];
    expect([wrong.status, guessed.status]).toEqual([429, 429]);
    expect(guessed.body).toEqual(wrong.body);
    expect(guessed.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect((await call(uniqueIp(), right)).status).toBeLessThan(405);
  });
});

test('a refusal of a remote limiter, which is asked beside a read, holds for reads and writes', async () => {
  const remote = await startService(() => ({
    limiter: {
      local: false,
      take: async () => ({ allowed: false, remaining: 0, resetSeconds: 30 }),
      ping: async () => undefined,
    },
  }));
  const account = await newAccount();
  const as = { token: account.key };
  const truck = cleanTruck();
  expect((await remote.call('POST', '/v1/inventory', { ...as, json: truck })).status).toBe(429);
  for (const vin of [truck.vin, 'short'])
    expect((await remote.call('GET', `/v1/inventory/${vin}`, as)).status).toBe(429);
  expect((await account.call('GET', `/v1/inventory/${truck.vin}`)).status).toBe(404);
});

test('operator and health have no bucket', async () => {
  for (const path of ['/api/admin/accounts', '/api/health?deep=1'])
    expect((await service.admin('GET', path)).headers.get('ratelimit')).toBeNull();
});
