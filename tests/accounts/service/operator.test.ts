import { beforeEach, describe, expect, test } from 'vitest';
import { sweepSignIns } from '../../../lib/accounts/people/sessions.ts';
import { uniqueIp } from '../../support/samples/samples.ts';
import { newBrowser, signedIn, signedInOperator, type TestBrowser } from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { ADMIN_TOKEN, type Answer, startService, type TestService } from '../../support/service/service.ts';

/** Accounts as the operator makes them, what is kept of his calls, and how his sessions end. */

const service = await startService();
const account = await service.newAccount({ limit_multiplier: 1 });

/** The service as it is deployed anew, with another ADMIN_TOKEN or the same. */
const deployAgain = (adminToken: string | null = ADMIN_TOKEN) =>
  startService(({ settings }) => ({ settings: { ...settings, adminToken } }));

const admin = (method: string, path: string, json?: unknown) =>
  service.admin(method, `/api/admin${path}`, json);

test('accounts are created with defaults, read and changed', async () => {
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
  const path = `/accounts/${created.body.id}`;
  expect((await admin('GET', path)).body).toEqual(created.body);
  const change = { name: 'Renamed', tier: 'starter', limit_multiplier: 7, min_feed_cadence_minutes: 15 };
  const changed = { ...created.body, ...change, updated_at: expect.any(String) };
  expect((await admin('PATCH', path, change)).body).toEqual(changed);
  expect((await admin('POST', '/accounts', { name: 'X' })).status, 'without a tier').toBe(400);
});

test.each([
  { name: '' },
  { tier: 'gold' },
  { limit_multiplier: 0 },
  { limit_multiplier: 101 },
  { min_feed_cadence_minutes: 0 },
])('%j is INVALID_PAYLOAD, on creation and on change', async (body) => {
  const json = { name: 'X', tier: 'pro', ...body };
  const refusal = { status: 400, body: { error: { code: 'INVALID_PAYLOAD' } } };
  expect(await admin('POST', '/accounts', json)).toMatchObject(refusal);
  expect(await admin('PATCH', `/accounts/${account.id}`, json)).toMatchObject(refusal);
});

test('multiplier and suspension hold on the very next request', async () => {
  const change = async (to: object) => {
    await admin('PATCH', `/accounts/${account.id}`, to);
    return account.call('GET', '/v1/dealers');
  };
  const { headers } = await change({ limit_multiplier: 10 });
  expect(headers.get('ratelimit-policy')).toBe('"requests";q=600;w=60');
  const refusal = { status: 401, body: { error: { details: { reason: 'account_suspended' } } } };
  expect(await change({ suspended: true })).toMatchObject(refusal);
  expect((await change({ suspended: false })).status).toBe(200);
});

test('every call of the operator has one audit row, reads included, under its request id, and never a secret', async () => {
  const created = await admin('POST', '/accounts', { name: 'Audited', tier: 'pro' });
  const { id } = created.body;
  const response = await admin('POST', '/keys', { account_id: id, kind: 'secret' });
  const key = response.body.id;
  const calls: [Answer, action: string, target: string, detail?: object][] = [
    [created, 'account.create', id],
    [response, 'key.create', key],
    [await admin('GET', '/accounts'), 'account.list', '*'],
    [await admin('GET', `/accounts/${id}`), 'account.read', id],
    [await admin('PATCH', `/accounts/${id}`, { suspended: true }), 'account.change', id, { suspended: true }],
    [await admin('GET', `/keys?account_id=${id}`), 'key.list', id],
    [await admin('DELETE', `/keys/${key}`), 'key.revoke', key],
    [await admin('DELETE', '/keys/key_absent'), 'key.revoke', 'key_absent'],
  ];
  for (const [{ headers }, action, target, detail = expect.any(Object)] of calls) {
    const rows = await queryRows('select action, target, detail from audit where request_id = $1', [
      headers.get('x-request-id'),
    ]);
    expect(rows, action).toEqual([{ action, target, detail }]);
    expect(JSON.stringify(rows)).not.toContain(response.body.key.slice(-20));
  }
});

test('without an ADMIN_TOKEN every operator call is 401', async () => {
  const deployment = await deployAgain(null);
  for (const token of [ADMIN_TOKEN, 'null', 'undefined', ''])
    expect((await deployment.call('GET', '/api/admin/accounts', { token, ip: '198.19.0.1' })).status).toBe(
      401,
    );
});

const HEALTH = '/dashboard/operator/health';

/** What the browser is answered by another deployment. */
function visit(deployed: TestService, { cookies }: TestBrowser, path = HEALTH) {
  const browser = newBrowser(deployed);
  browser.cookies.set('session', cookies.get('session') ?? '');
  return browser.get(path);
}

const signIn = async (browser: TestBrowser, token = ADMIN_TOKEN) =>
  (await browser.post('/dashboard/sign-in/operator', 'sign_in', { token })).status;

async function signedInByForm(): Promise<TestBrowser> {
  const browser = newBrowser(service);
  expect(await signIn(browser)).toBe(303);
  return browser;
}

describe('the operator’s sessions', () => {
  beforeEach(() => queryRows('delete from sessions where operator'));

  test('a session ends with the ADMIN_TOKEN that opened it, and so does a link', async () => {
    const [byForm, byLink] = [await signedInByForm(), await signedInOperator(service)];
    const link = new URL((await admin('POST', '/sign-in-links', {})).body.url);
    const [same, changed] = [await deployAgain(), await deployAgain('another-admin-token-of-32-letters')];
    for (const browser of [byForm, byLink]) {
      expect((await visit(same, browser)).status).toBe(200);
      expect((await visit(changed, browser)).headers.get('location')).toMatch(/sign-in/);
    }
    const open = async (deployed: TestService) => (await newBrowser(deployed).get(link.pathname)).status;
    expect([await open(changed), await open(same)]).toEqual([404, 200]);
  });

  test('a session ends after 12 hours, however much it is used; a person’s does not', async () => {
    const operator = await signedInOperator(service);
    const person = await signedIn(service, await service.newAccount());
    const begin = async (ago: string) => {
      await queryRows(`update sessions set seen_at = now(), created_at = now() - $1::interval`, [ago]);
      const later = await deployAgain();
      return [(await visit(later, operator)).status, (await visit(later, person, '/dashboard')).status];
    };
    expect(await begin('11 hours 59 minutes')).toEqual([200, 200]);
    expect(await begin('12 hours 1 minute')).toEqual([303, 200]);
    await sweepSignIns(service.ports.db);
    expect(await queryRows('select 1 as one from sessions where operator')).toEqual([]);
  });

  test('after 20 wrong tokens an hour from an address the right one does not sign in from there', async () => {
    const [attacker, other] = [newBrowser(service, uniqueIp()), newBrowser(service, uniqueIp())];
    for (let tries = 0; tries < 20; tries += 1)
      expect(await signIn(attacker, `${ADMIN_TOKEN}${tries}`)).toBe(400);
    expect([await signIn(attacker), await signIn(other)]).toEqual([400, 303]);
  });

  test('the health page lists the operator’s browsers and signs one out', async () => {
    const [own, other] = [await signedInOperator(service), await signedInByForm()];
    const { text } = await own.get(HEALTH);
    expect(text.match(/name="id" value="\w+"/g)).toHaveLength(2);
    const last = 'select id from sessions where operator order by created_at desc limit 1';
    const [{ id } = { id: '' }] = await queryRows<{ id: string }>(last);
    const response = await own.post(HEALTH, 'end_session', { id });
    expect(response.headers.get('location')).toBe(`${HEALTH}?done=ended`);
    expect([(await other.get(HEALTH)).status, (await own.get(HEALTH)).status]).toEqual([303, 200]);
  });
});
