import { expect, test } from 'vitest';
import { TEST_VINS } from '../../../lib/inventory/test-faults.ts';
import { deliverLeads } from '../../../lib/leads/delivery/deliver.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

const newKey = (limits: object, id = account.id) =>
  service.admin('POST', '/api/admin/keys', { account_id: id, kind: 'secret', ...limits });

test('a key says what it is limited to, when it is made and in the list', async () => {
  const limits = {
    name: 'DMS sync',
    scopes: ['inventory:read'],
    dealers: ['north'],
    expires_at: '2099-01-01T00:00:00.000Z',
  };
  const { body } = await newKey(limits);
  expect(body).toMatchObject(limits);
  const list = await service.admin('GET', `/api/admin/keys?account_id=${account.id}`);
  expect(list.body.keys.find(({ id }: { id: string }) => id === body.id)).toMatchObject(limits);
  for (const wrong of [{ scopes: [] }, { scopes: ['all'] }, { dealers: ['a', 'b'] }])
    expect((await newKey(wrong)).body.error.code).toBe('INVALID_PAYLOAD');
  for (const expires_at of ['tomorrow', '2027-02-31T00:00:00Z', '2027-02-28T25:00:00Z']) {
    const { details } = (await newKey({ expires_at })).body.error;
    expect(details, expires_at).toMatchObject({
      field: 'expires_at',
      fix: expect.stringMatching(/\d\dZ|\d{3}Z/),
    });
  }
});

test('an expired key is refused', async () => {
  const { body } = await newKey({ expires_at: '2099-01-01T00:00:00Z' });
  const read = () => service.call('GET', '/v1/account', { token: body.key });
  await queryRows(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [body.id]);
  const { error } = (await read()).body;
  expect(error.code).toBe('UNAUTHORIZED');
  expect([error.message, error.details.fix]).toEqual(Array(2).fill(expect.stringContaining('expired')));
});

test('a key of one dealer reads and changes that dealer’s trucks only', async () => {
  for (const slug of ['north', 'south']) await account.call('POST', '/v1/dealers', { slug, name: slug });
  const [theirs, own] = [cleanTruck({ dealer: 'south' }), cleanTruck()];
  await account.post(theirs);
  const { body } = await newKey({ dealers: ['north'] });
  const call = (method: string, path: string, json?: unknown) =>
    service.call(method, path, { token: body.key, ...(json === undefined ? {} : { json }) });
  expect((await call('POST', '/v1/inventory', own)).body).toMatchObject({ outcome: 'created', warnings: [] });
  expect((await call('GET', `/v1/inventory/${own.vin}`)).body.dealer).toBe('north');
  const found = await call('GET', '/v1/inventory?fields=vin');
  expect(found.body.listings).toEqual([{ vin: own.vin }]);
  expect((await call('GET', '/v1/inventory?fields=vin&dealer=south')).body.listings).toEqual([]);
  await account.patch({ vin: own.vin, status: 'sold' });
  const words = await call('GET', '/v1/inventory?fields=vin&q=freightliner+cascadia+zzyzx');
  expect(words.body.listings, 'not even with a word left out').toEqual([]);
  const absent = [
    call('POST', '/v1/inventory', { ...theirs, price: 1_234 + 50_000 }),
    call('GET', `/v1/inventory/${theirs.vin}`),
    call('PATCH', '/v1/inventory', { vin: theirs.vin, status: 'sold' }),
    call('GET', '/v1/dealers/south'),
    call('PATCH', '/v1/dealers', { slug: 'south', name: 'Mine' }),
  ];
  expect((await Promise.all(absent)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  await call('DELETE', `/v1/inventory/${theirs.vin}`);
  const kept = await account.call('GET', `/v1/inventory/${theirs.vin}`);
  expect(kept.body).toMatchObject({ dealer: 'south', status: 'available', price: theirs.price });
  expect((await call('GET', '/v1/dealers')).body.dealers.map(({ slug }: { slug: string }) => slug)).toEqual([
    'north',
  ]);
});

test('the account tells its limits, use and contents', async () => {
  const own = await service.newAccount({ tier: 'starter', limit_multiplier: 3 });
  await own.post(cleanTruck());
  const { body } = await own.call('GET', '/v1/account');
  expect(body).toMatchObject({
    id: own.id,
    tier: 'starter',
    test: false,
    limit_multiplier: 3,
    limits: { requests: { limit: 180, window_seconds: 60 }, batches: { limit: 30 }, records_per_batch: 500 },
    usage: { approximate: true, day: 2, month: 2, keys: [{ id: own.keyId, day: 2 }] },
    counts: { listings: { available: 1, sold: 0, delisted: 0 }, dealers: 0, feeds: 0, leads: 0 },
    contacts: { support: 'support@trucks.test' },
  });
});

test('a test account has test keys, is out of the market, provokes each code, and sends no mail', async () => {
  const made = await service.admin('POST', '/api/admin/accounts', { name: 'Try', tier: 'pro', test: true });
  expect(made.body).toMatchObject({ test: true, in_market: false });
  const patched = await service.admin('PATCH', `/api/admin/accounts/${made.body.id}`, { in_market: true });
  expect(patched.body.in_market).toBe(false);
  const { body } = await newKey({}, made.body.id);
  expect(body.key).toMatch(/^ctis_sk_test_/);
  const call = (method: string, path: string, json?: unknown) =>
    service.call(method, path, { token: body.key, ...(json === undefined ? {} : { json }) });

  for (const [vin, code] of Object.entries(TEST_VINS)) {
    const answer = await call('POST', '/v1/inventory', cleanTruck({ vin }));
    const stages = Object.values(answer.body.error.details.stages ?? {});
    expect([answer.body.error.code, ...stages]).toContain(code);
    const other = await account.post(cleanTruck({ vin }));
    expect(other.status, 'elsewhere it is a VIN').toBe(201);
  }
  const sample = 'vin,year,make,class\nTEST0000000000001,2020,Freightliner,8\n';
  const preview = await call('POST', '/v1/feeds/preview', { sample });
  expect([preview.status, preview.text], 'no run provokes it').toEqual([
    200,
    expect.not.stringContaining('ENRICH_FAILED'),
  ]);
  const good = cleanTruck();
  const batch = await call('POST', '/v1/inventory', {
    records: [cleanTruck({ vin: 'TEST0000000000002' }), good],
  });
  expect(batch.body).toMatchObject({
    summary: { created: 1, rejected: 1 },
    rejects_by_code: { INDEX_FAILED: 1 },
  });

  await call('POST', '/v1/dealers', { slug: 'try', name: 'Try', lead_email: 'crm@dealer.example' });
  await call('POST', '/v1/widget/lead', {
    message: 'Hi',
    dealerSlug: 'try',
    visitorId: 'v-1',
    phone: '(210) 555-0142',
  });
  const mails: unknown[] = [];
  await deliverLeads({ ...service.ports, mailer: { send: async (mail) => void mails.push(mail) } });
  const { body: leads } = await call('GET', '/v1/leads');
  expect(leads.leads).toHaveLength(1);
  expect(JSON.stringify(mails)).not.toContain('crm@dealer.example');
});
