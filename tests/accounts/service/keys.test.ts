import { describe, expect, test } from 'vitest';
import { rememberBriefly } from '../../../lib/accounts/remember.ts';
import type { Sql, Statement } from '../../../lib/db/sql.ts';
import { TEST_VINS } from '../../../lib/inventory/test-faults.ts';
import { deliverLeads } from '../../../lib/leads/delivery/deliver.ts';
import { hashSecret } from '../../../lib/outside/secrets/hash-secret.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { tablesContaining } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';
import { useStore } from '../../support/service/store.ts';

/** Keys as the operator makes them, what each is limited to, and when it ends. */

const service = await startService();
const account = await service.newAccount();

const newKey = (limits: object, account_id = account.id) =>
  service.admin('POST', '/api/admin/keys', { account_id, kind: 'secret', ...limits });
const revoke = async ({ id }: { id: string }, from = service) =>
  expect((await from.admin('DELETE', `/api/admin/keys/${id}`)).status).toBe(204);
const readStatus = async (token: string, from = service) =>
  (await from.call('GET', '/v1/dealers', { token })).status;
const callWith =
  ({ key }: { key: string }) =>
  (method: string, path: string, json?: unknown) =>
    service.call(method, path, { token: key, ...(json === undefined ? {} : { json }) });

test('a secret key is shown once, with its limits, which the list has too; what is stored is a hash', async () => {
  const limits = {
    name: 'DMS sync',
    scopes: ['inventory:read'],
    dealers: ['north'],
    expires_at: '2099-01-01T00:00:00.000Z',
  };
  const { body } = await newKey({ ...limits, scopes: ['inventory:read', 'inventory:read'] });
  expect(body).toMatchObject({ ...limits, last_used_at: null });
  const { key, ...rest } = body;
  expect(key).toMatch(/^ctis_sk_live_[0-9A-Za-z]{36}$/);
  expect(await readStatus(key)).toBe(200);
  expect(await tablesContaining(key)).toEqual([]);
  expect(await tablesContaining(key.slice('ctis_sk_live_'.length, -6))).toEqual([]);
  expect(await tablesContaining(hashSecret(key))).toEqual(['public.api_keys']);
  const list = await service.admin('GET', `/api/admin/keys?account_id=${account.id}`);
  expect(list.body.keys).toContainEqual({ ...rest, key: null, last_used_at: expect.any(String) });
  expect(list.text).not.toContain(key.slice(-10));
  expect(key.startsWith(rest.prefix)).toBe(true);
});

test.each([
  { scopes: [] },
  { scopes: ['all'] },
  { dealers: ['a', 'b'] },
  { expires_at: '2027-02-31T00:00:00Z' },
])('the limit %j is INVALID_PAYLOAD, naming it', async (limit) => {
  const { error } = (await newKey(limit)).body;
  expect(error.code).toBe('INVALID_PAYLOAD');
  expect(error.details.field).toMatch(Object.keys(limit)[0] ?? '');
});

test('a publishable key carries its origins, in lower case and once each', async () => {
  const allowed_origins = ['https://Dealer.example', 'https://dealer.example', 'http://localhost:3000'];
  const { body } = await newKey({ kind: 'publishable', allowed_origins });
  expect(body).toMatchObject({
    key: expect.stringMatching(/^ctis_wk_live_/),
    allowed_origins: ['https://dealer.example', 'http://localhost:3000'],
  });
  for (const origin of ['dealer.example', 'https://dealer.example/', 'https://*', 'https://a.example\n'])
    expect((await newKey({ kind: 'publishable', allowed_origins: [origin] })).status, origin).toBe(400);
});

describe('a revoked key is refused', () => {
  test('on the next request, also when one with it is under way meanwhile', async () => {
    const { sql } = await useStore();
    const paused = Promise.withResolvers<void>();
    const lookUp = Promise.withResolvers<void>();
    const slow: Sql = {
      ...sql,
      async query<Row>(statement: Statement, params?: readonly unknown[]) {
        const rows = await sql.query<Row>(statement, params);
        if (!statement.text.includes('from api_keys k join accounts')) return rows;
        lookUp.resolve();
        await paused.promise;
        return rows;
      },
    };
    const instance = await startService(() => ({ db: slow }));
    const { body } = await newKey({});
    const underWay = readStatus(body.key, instance);
    await lookUp.promise;
    await revoke(body, instance);
    paused.resolve();
    await underWay;
    expect(await readStatus(body.key, instance)).toBe(401);
  });

  test('5 seconds later by other instances', async () => {
    let now = 0;
    const instance = await startService(() => ({ principals: rememberBriefly(() => now) }));
    const { body } = await newKey({});
    expect(await readStatus(body.key, instance)).toBe(200);
    await revoke(body);
    now = 5_000;
    expect(await readStatus(body.key, instance)).toBe(401);
  });
});

test('a key of one dealer reads and changes that dealer’s trucks only', async () => {
  for (const slug of ['north', 'south']) await account.call('POST', '/v1/dealers', { slug, name: slug });
  const [foreignTruck, own] = [cleanTruck({ dealer: 'south' }), cleanTruck()];
  await account.post(foreignTruck);
  const call = callWith((await newKey({ dealers: ['north'] })).body);
  expect((await call('POST', '/v1/inventory', own)).body).toMatchObject({ outcome: 'created', warnings: [] });
  expect((await call('GET', `/v1/inventory/${own.vin}`)).body.dealer).toBe('north');
  const results = await call('GET', '/v1/inventory?fields=vin');
  expect(results.body.listings).toEqual([{ vin: own.vin }]);
  expect((await call('GET', '/v1/inventory?fields=vin&dealer=south')).body.listings).toEqual([]);
  const absent = [
    call('POST', '/v1/inventory', { ...foreignTruck, price: 51_234 }),
    call('GET', `/v1/inventory/${foreignTruck.vin}`),
    call('PATCH', '/v1/inventory', { vin: foreignTruck.vin, status: 'sold' }),
    call('GET', '/v1/dealers/south'),
    call('PATCH', '/v1/dealers', { slug: 'south', name: 'Mine' }),
  ];
  expect((await Promise.all(absent)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  await call('DELETE', `/v1/inventory/${foreignTruck.vin}`);
  const listing = await account.call('GET', `/v1/inventory/${foreignTruck.vin}`);
  expect(listing.body).toMatchObject({ dealer: 'south', status: 'available', price: foreignTruck.price });
  expect((await call('GET', '/v1/dealers')).body.dealers).toMatchObject([{ slug: 'north' }]);
});

test('a test account has test keys, is out of the market, provokes each code, and sends no mail', async () => {
  const testAccount = await service.admin('POST', '/api/admin/accounts', {
    name: 'Try',
    tier: 'pro',
    test: true,
  });
  expect(testAccount.body).toMatchObject({ test: true, in_market: false });
  const patched = await service.admin('PATCH', `/api/admin/accounts/${testAccount.body.id}`, {
    in_market: true,
  });
  expect(patched.body.in_market).toBe(false);
  const { body } = await newKey({}, testAccount.body.id);
  expect(body.key).toMatch(/^ctis_sk_test_/);
  const call = callWith(body);

  for (const [vin, code] of Object.entries(TEST_VINS)) {
    const answer = await call('POST', '/v1/inventory', cleanTruck({ vin }));
    const stages = Object.values(answer.body.error.details.stages ?? {});
    expect([answer.body.error.code, ...stages]).toContain(code);
    const other = await account.post(cleanTruck({ vin }));
    expect(other.status, 'elsewhere it is a VIN').toBe(201);
  }
  await call('POST', '/v1/dealers', { slug: 'try', name: 'Try', lead_email: 'crm@dealer.example' });
  const lead = { message: 'Hi', dealerSlug: 'try', visitorId: 'v-1', phone: '(210) 555-0142' };
  await call('POST', '/v1/widget/lead', lead);
  const mails: unknown[] = [];
  await deliverLeads({ ...service.ports, mailer: { send: async (mail) => void mails.push(mail) } });
  expect((await call('GET', '/v1/leads')).body.leads).toHaveLength(1);
  expect(JSON.stringify(mails)).not.toContain('crm@dealer.example');
});
