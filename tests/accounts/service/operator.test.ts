import { describe, expect, test } from 'vitest';
import { queryRows } from '../../support/service/database.ts';
import { ADMIN_TOKEN, type Answer, startService } from '../../support/service/service.ts';

const service = await startService();
const account = await service.newAccount();

const admin = (method: string, path: string, json?: unknown) =>
  service.admin(method, `/api/admin${path}`, json);
const isIn = async (token: string) => (await service.call('GET', '/v1/dealers', { token })).status === 200;

describe('accounts', () => {
  test('are created with defaults, read and changed', async () => {
    const created = await admin('POST', '/accounts', { name: ' Lone Star ', tier: 'enterprise' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^acc_[0-9a-f]{24}$/),
      name: 'Lone Star',
      tier: 'enterprise',
      limit_multiplier: 1,
      min_feed_cadence_minutes: 60,
      suspended: false,
      in_market: true,
      test: false,
      erasing: false,
      erase_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const { id } = created.body;
    expect((await admin('GET', `/accounts/${id}`)).body).toEqual(created.body);
    const change = { name: 'Renamed', tier: 'starter', limit_multiplier: 7, min_feed_cadence_minutes: 15 };
    expect((await admin('PATCH', `/accounts/${id}`, change)).body).toMatchObject({
      id,
      ...change,
      suspended: false,
    });
  });

  test.each([
    {},
    { name: 'X' },
    { name: '', tier: 'pro' },
    { name: 'X', tier: 'gold' },
    { name: 'X', tier: 'pro', limit_multiplier: 0 },
    { name: 'X', tier: 'pro', limit_multiplier: 101 },
    { name: 'X', tier: 'pro', min_feed_cadence_minutes: 0 },
  ])('%j is INVALID_PAYLOAD, on creation and on change', async (body) => {
    const changed =
      Object.keys(body).length > 1 ? [await admin('PATCH', `/accounts/${account.id}`, body)] : [];
    for (const answer of [await admin('POST', '/accounts', body), ...changed])
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
  });
});

test('tier, multiplier and suspension hold on the very next request', async () => {
  const own = await service.newAccount({ limit_multiplier: 1 });
  const policy = async () => (await own.call('GET', '/v1/dealers')).headers.get('ratelimit-policy');
  expect(await policy()).toBe('"requests";q=60;w=60');
  await admin('PATCH', `/accounts/${own.id}`, { limit_multiplier: 10 });
  expect(await policy()).toBe('"requests";q=600;w=60');
  await admin('PATCH', `/accounts/${own.id}`, { suspended: true });
  const refused = await own.call('GET', '/v1/dealers');
  expect([refused.status, refused.body.error.details.reason]).toEqual([401, 'account_suspended']);
  const second = (await admin('POST', '/keys', { account_id: own.id, kind: 'secret' })).body;
  expect(await isIn(second.key)).toBe(false);
  await admin('PATCH', `/accounts/${own.id}`, { suspended: false });
  expect(await isIn(second.key)).toBe(true);
});

describe('the audit trail', () => {
  const readTrail = (answer: Answer) =>
    queryRows<{ action: string; target: string; detail: Record<string, unknown> }>(
      'select action, target, detail from audit where request_id = $1',
      [answer.headers.get('x-request-id')],
    );

  test('has one row for every call, reads included, under its request id, and never a secret', async () => {
    const created = await admin('POST', '/accounts', { name: 'Audited', tier: 'pro' });
    const { id } = created.body;
    const key = await admin('POST', '/keys', { account_id: id, kind: 'secret' });
    const calls: [Answer, string, string][] = [
      [created, 'account.create', id],
      [key, 'key.create', key.body.id],
      [await admin('GET', '/accounts'), 'account.list', '*'],
      [await admin('GET', `/accounts/${id}`), 'account.read', id],
      [await admin('GET', '/accounts/acc_absent'), 'account.read', 'acc_absent'],
      [await admin('PATCH', `/accounts/${id}`, { suspended: true }), 'account.change', id],
      [await admin('GET', `/keys?account_id=${id}`), 'key.list', id],
      [await admin('DELETE', `/keys/${key.body.id}`), 'key.revoke', key.body.id],
    ];
    for (const [answer, action, target] of calls) {
      const rows = await readTrail(answer);
      expect(rows, action).toEqual([{ action, target, detail: expect.any(Object) }]);
      expect(JSON.stringify(rows)).not.toContain(key.body.key.slice(-20));
    }
    const [changed] = await readTrail(calls[5]?.[0] ?? created);
    expect(changed?.detail).toEqual({ suspended: true });
  });
});

test('without an ADMIN_TOKEN every operator call is 401', async () => {
  const closed = await startService(({ settings }) => ({ settings: { ...settings, adminToken: null } }));
  for (const token of [ADMIN_TOKEN, 'null', 'undefined', ''])
    expect((await closed.call('GET', '/api/admin/accounts', { token, ip: '198.19.0.1' })).status).toBe(401);
});
