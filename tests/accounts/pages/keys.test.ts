import { expect, test } from 'vitest';
import type { Principal } from '../../../lib/accounts/keys/principal.ts';
import { rememberBriefly } from '../../../lib/accounts/remember.ts';
import { signedIn } from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { type Answer, startService } from '../../support/service/service.ts';

/** Keys as owners manage them. */

let aheadMs = 0;

const now = () => Date.now() + aheadMs;
const service = await startService(() => ({
  principals: rememberBriefly<Principal>(now, ({ expiresAt }) => expiresAt),
  clock: { now },
}));
const account = await service.newAccount();
const owner = await signedIn(service, account);

const KEYS = '/dashboard/settings/keys';
const readKey = (text: string) => /ctis_[sw]k_live_\w{36}/.exec(text)?.[0] ?? '';
const call = async (token: string) => (await service.call('GET', '/v1/account', { token })).status;
const findPath = async (key: string) => {
  const [row] = await queryRows<{ id: string }>('select id from api_keys where prefix = $1', [
    key.slice(0, 17),
  ]);
  return `${KEYS}/${row?.id}`;
};

/** The answer of the form shows the key; no page and no cookie has it. */
async function takeMade({ status, headers, text }: Answer): Promise<string> {
  expect([status, headers.get('cache-control')], text).toEqual([200, 'no-store']);
  const key = readKey(text);
  expect([...owner.cookies.values(), ...headers.values()].join()).not.toContain(key);
  expect(readKey((await owner.get(await findPath(key))).text)).toBe('');
  return key;
}

const newKey = async (fields: Record<string, string | string[]> = {}) =>
  takeMade(await owner.post(KEYS, 'create', { name: 'DMS sync', kind: 'secret', ...fields }));

test('a key is shown once, and does what was chosen', async () => {
  const key = await newKey({ scopes: ['inventory:read'], expires_at: '2098-12-31' });
  const { body } = await service.call('GET', '/v1/account', { token: key });
  expect(body.key.expires_at).toBe('2099-01-01T00:00:00.000Z');
  expect((await service.call('GET', '/v1/leads', { token: key })).status).toBe(403);
  const { text } = await owner.get(KEYS);
  expect([text.includes(key), text.includes(key.slice(0, 17))]).toEqual([false, true]);
  expect(text).toContain('Read trucks and dealers');
});

test('a rotated key’s old one works for a day and not five seconds longer', async () => {
  const old = await newKey();
  const next = await takeMade(await owner.post(await findPath(old), 'rotate'));
  expect(next).not.toBe(old);
  const end = async (seconds: number) => {
    const ends = `update api_keys set expires_at = now() + make_interval(secs => $2) where prefix = $1`;
    await queryRows(ends, [old.slice(0, 17), seconds]);
    aheadMs += 5_000;
    return [await call(old), await call(next)];
  };
  expect([await call(old), await call(next)]).toEqual([200, 200]);
  expect(await end(2)).toEqual([200, 200]);
  expect(await end(-1)).toEqual([401, 200]);
});

test('the sites of a widget key are changed in place, and where it was seen is shown', async () => {
  const key = await newKey({ kind: 'publishable', allowed_origins: 'WWW.Dealer.Example/trucks' });
  const path = await findPath(key);
  expect((await owner.get(path)).text).toContain('https://www.dealer.example');
  const bad = await owner.post(path, 'change', { name: 'Site', allowed_origins: 'ftp://x' });
  expect([bad.status, bad.text.includes('aria-invalid="true"')]).toEqual([400, true]);
  await owner.post(path, 'change', { name: 'Site', allowed_origins: 'https://new.example' });
  await account.call('POST', '/v1/dealers', { slug: 'seen', name: 'Seen' });
  const visit = async (origin: string) => {
    const from = { token: key, headers: { origin } };
    return (await service.call('GET', '/v1/widget/inventory?dealerSlug=seen&visitorId=v-1', from)).status;
  };
  expect([await visit('https://www.dealer.example'), await visit('https://new.example')]).toEqual([403, 200]);
  expect((await owner.get(path)).text).toMatch(/Last used.*new\.example/s);
});

test('each act stands in the activity with its person, and hostile names stay text', async () => {
  const hostile = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';
  await newKey({ name: hostile });
  for (const path of [KEYS, '/dashboard/activity']) {
    const { text } = await owner.get(path);
    expect(text).not.toMatch(/<script>alert|<img/);
    expect(text).toContain('&lt;script&gt;');
  }
  const { text } = await owner.get('/dashboard/activity');
  expect(text).toContain('Key created');
  expect(text).toContain(`owner-${account.id}@dealer.example`);
});

test('a key for a web site needs its site, and comes with the tag to copy', async () => {
  await account.call('POST', '/v1/dealers', { slug: 'tagged', name: 'Tagged' });
  const bare = await owner.post(KEYS, 'create', { name: 'Site', kind: 'publishable', scopes: ['leads'] });
  expect([bare.status, bare.text.includes('must name the site')]).toEqual([400, true]);
  expect(bare.text).toMatch(/value="leads" checked/);
  const fields = { name: 'Site', kind: 'publishable', allowed_origins: 'a.example', dealers: 'tagged' };
  const { text } = await owner.post(KEYS, 'create', fields);
  expect(text).toContain(`data-dealer=&quot;tagged&quot; data-key=&quot;${readKey(text)}&quot;`);
  expect((await owner.get('/dashboard/settings/widget')).text).toContain(readKey(text).slice(0, 17));
});

test('owners have a ceiling of keys that work at a time, however fast they ask; the operator has none', async () => {
  const small = await service.newAccount({ tier: 'starter' });
  const person = await signedIn(service, small);
  const create = () => person.post(KEYS, 'create', { name: 'One more', kind: 'secret' });
  const operatorsKey = () =>
    service.admin('POST', '/api/admin/keys', { account_id: small.id, kind: 'secret' });
  for (let made = 0; made < 16; made += 1) expect((await operatorsKey()).status).toBe(201);
  const statuses = (await Promise.all(Array.from({ length: 5 }, create))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect((await create()).text).toContain('At most 20 keys of this account work at a time');
  expect((await operatorsKey()).status).toBe(201);
});
