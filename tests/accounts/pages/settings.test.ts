import { afterAll, expect, test } from 'vitest';
import type { Principal } from '../../../lib/accounts/keys/principal.ts';
import { rememberBriefly } from '../../../lib/accounts/remember.ts';
import { smtpMailer } from '../../../lib/outside/mailer/smtp.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { signedIn, toPlainText } from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { type Answer, startService } from '../../support/service/service.ts';

/** What owners manage in the browser: keys, people, and dealers with their hours and the way of leads. */

let aheadMs = 0;

const smtp = await startMailServer();
const clock = { now: () => Date.now() + aheadMs };
const service = await startService(() => ({
  mailer: smtpMailer({ url: `smtp://127.0.0.1:${smtp.port}`, from: 'leads@trucks.example' }),
  principals: rememberBriefly<Principal>(clock.now, ({ expiresAt }) => expiresAt),
  clock,
}));
const account = await service.newAccount();
const owner = await signedIn(service, account);
afterAll(() => smtp.close());

const KEYS = '/dashboard/settings/keys';
const readKey = (text: string) => /ctis_[sw]k_live_\w{36}/.exec(text)?.[0] ?? '';
const call = async (token: string) => (await service.call('GET', '/v1/account', { token })).status;

/** The answer of the form shows the key, and leads to its page; no page and no cookie has it. */
async function takeMade({ status, headers, text }: Answer): Promise<[key: string, path: string]> {
  expect([status, headers.get('cache-control')], text).toEqual([200, 'no-store']);
  const key = readKey(text);
  expect([...owner.cookies.values(), ...headers.values()].join()).not.toContain(key);
  const [path = ''] = /\/dashboard\/settings\/keys\/key_\w+/.exec(text) ?? [];
  expect(readKey((await owner.get(path)).text)).toBe('');
  return [key, path];
}

const newKey = async (fields: Record<string, string | string[]> = {}) =>
  takeMade(await owner.post(KEYS, 'create', { name: 'DMS sync', kind: 'secret', ...fields }));

test('a key is shown once, and does what was chosen; a hostile name stays text, also in the activity', async () => {
  const name = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>';
  const [key] = await newKey({ name, scopes: ['inventory:read'], expires_at: '2098-12-31' });
  const { body } = await service.call('GET', '/v1/account', { token: key });
  expect(body.key.expires_at).toBe('2099-01-01T00:00:00.000Z');
  expect((await service.call('GET', '/v1/leads', { token: key })).status).toBe(403);
  for (const [path, words] of [
    [KEYS, 'Read trucks and dealers'],
    ['/dashboard/activity', 'Key created'],
  ] as const) {
    const { text } = await owner.get(path);
    expect(text).not.toMatch(new RegExp(`<script>alert|<img|${key}`));
    expect(text).toContain('&lt;script&gt;');
    expect(text).toContain(words);
  }
  expect((await owner.get(KEYS)).text).toContain(key.slice(0, 17));
});

test('a rotated key’s old one works for a day and not five seconds longer', async () => {
  const [old, path] = await newKey();
  const [successor] = await takeMade(await owner.post(path, 'rotate'));
  expect(successor).not.toBe(old);
  const statuses = async () => [await call(old), await call(successor)];
  const end = async (seconds: number) => {
    const ends = `update api_keys set expires_at = now() + make_interval(secs => $2) where prefix = $1`;
    await queryRows(ends, [old.slice(0, 17), seconds]);
    aheadMs += 5_000;
    return statuses();
  };
  expect(await statuses()).toEqual([200, 200]);
  expect(await end(60)).toEqual([200, 200]);
  expect((await owner.get('/dashboard')).text).toMatch(/needs a new one by <time datetime="\d{4}-[^"]+Z">/);
  expect(await end(-1)).toEqual([401, 200]);
});

const WIDGET = '/dashboard/settings/widget?dealer=tagged';

/** A key for a site of the dealer `tagged`, as the widget's tag has it, and its page. */
async function newSiteKey(allowed_origins: string): Promise<[key: string, path: string]> {
  await account.call('POST', '/v1/dealers', { slug: 'tagged', name: 'Tagged' });
  const form = { name: 'Site', kind: 'publishable', dealers: 'tagged', allowed_origins };
  const { headers } = await owner.post(KEYS, 'create', form);
  expect(headers.get('location')).toBe(`${WIDGET}&done=created`);
  const [path = ''] = /\/dashboard\/settings\/keys\/key_\w+/.exec((await owner.get(KEYS)).text) ?? [];
  return [readKey((await owner.get(WIDGET)).text), path];
}

test('the sites of a widget key are changed in place, and where it was seen is shown', async () => {
  const [key, path] = await newSiteKey('WWW.Dealer.Example/trucks');
  expect((await owner.get(path)).text).toContain('https://www.dealer.example');
  const change = (allowed_origins: string) => owner.post(path, 'change', { name: 'Site', allowed_origins });
  expect((await change('ftp://x')).text).toContain('aria-invalid="true"');
  await change('https://new.example');
  const visit = async (origin: string) => {
    const from = { token: key, headers: { origin } };
    return (await service.call('GET', '/v1/widget/inventory?dealerSlug=tagged&visitorId=v-1', from)).status;
  };
  expect([await visit('https://www.dealer.example'), await visit('https://new.example')]).toEqual([403, 200]);
  expect((await owner.get(path)).text).toMatch(/Last used.*new\.example/s);
});

test('a key for a web site needs its site', async () => {
  const { text } = await owner.post(KEYS, 'create', { name: 'Site', kind: 'publishable', scopes: 'leads' });
  expect(text).toContain('must name the site');
  expect(text).toMatch(/value="leads" checked/);
});

test('whoever sees the widget’s page copies its tag whole at any time, of each of many dealers, while the key works', async () => {
  const [key, path] = await newSiteKey('a.example');
  const addLots = `insert into dealers (account_id, slug, name) select $1, 'lot-' || n, 'Lot' from generate_series(1, 200) n`;
  await queryRows(addLots, [account.id]);
  expect((await owner.get('/dashboard/settings/dealers')).text).toContain('Show more');
  const member = await signedIn(service, account, { email: 'member@dealer.example', role: 'member' });
  const tag = (key: string) =>
    `data-dealer=&quot;tagged&quot; data-key=&quot;${key}&quot;&gt;&lt;/script&gt;</code>`;
  for (const browser of [owner, member]) expect((await browser.get(WIDGET)).text).toContain(tag(key));
  await owner.post(path, 'rotate');
  const { text } = await owner.get(WIDGET);
  const successor = readKey(text);
  expect(successor).not.toBe(key);
  for (const each of [successor, key]) expect(text).toContain(tag(each));
  await owner.post(path, 'revoke');
  expect((await owner.get(WIDGET)).text).not.toContain(key);
});

test('owners have a ceiling of keys that work at a time, however fast they ask; the operator has none', async () => {
  const small = await service.newAccount({ tier: 'starter' });
  const person = await signedIn(service, small);
  const create = () => person.post(KEYS, 'create', { name: 'One more', kind: 'secret' });
  const operatorsKey = async () => {
    const json = { account_id: small.id, kind: 'secret' };
    expect((await service.admin('POST', '/api/admin/keys', json)).status).toBe(201);
  };
  for (let count = 0; count < 16; count += 1) await operatorsKey();
  const answers = await Promise.all(Array.from({ length: 5 }, create));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect((await create()).text).toContain('At most 20 keys of this account work at a time');
  await operatorsKey();
});

test('owners invite no more people than an account of their tier may have, also several at once', async () => {
  const account = await service.newAccount({ tier: 'starter' });
  const owner = await signedIn(service, account);
  const invite = (email: string) =>
    owner.post('/dashboard/settings/people', 'invite', { email, role: 'owner' });
  const add = `insert into people (id, account_id, email, role)
    select 'per_' || $1 || n, $1, n || '@dealer.example', 'member' from generate_series(1, 47) n`;
  await queryRows(add, [account.id]);
  const several = await Promise.all(['a', 'b', 'c', 'd'].map((name) => invite(`${name}@dealer.example`)));
  expect(several.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
  const refusal = several.find(({ status }) => status === 400);
  expect(refusal?.text).toContain('at most 50 people');
  const count = 'select count(*)::int as count from people where account_id = $1';
  expect(await queryRows(count, [account.id])).toEqual([{ count: 50 }]);
  expect((await invite('1@dealer.example')).status, 'who is there gets another link').toBe(200);
});

const PATH = '/dashboard/settings/dealers/lone-star';

const response = await owner.post('/dashboard/settings/dealers', 'create', { name: 'Lone Star' });
expect(response.headers.get('location')).toBe(`${PATH}?done=created`);

const readStored = async () => (await account.call('GET', '/v1/dealers/lone-star')).body;
const save = (fields: Record<string, string>) =>
  owner.post(PATH, 'change', { name: 'Lone Star', city: 'Dallas', state: 'TX', ...fields });

test('opening hours are written as days, and shown a day on a line', async () => {
  const fields = { hours: 'Mon-Fri 8am-5pm, Sat 9am-1pm', closed_on: '2026-12-25', reply_minutes: '10' };
  expect((await save({ ...fields, phone: ' ', lead_email_format: '' })).status).toBe(303);
  expect(await readStored()).toMatchObject({
    hours: { fri: [{ opens: '08:00', closes: '17:00' }], closed_on: ['2026-12-25'] },
    time_zone: 'America/Chicago',
    reply_minutes: 10,
    phone: null,
  });
  expect((await owner.get(PATH)).text).toContain('Thu 8am-5pm\nFri 8am-5pm\nSat 9am-1pm</textarea>');
  await save({ ...fields, phone: '(210) 555-0142' });
  expect((await owner.get('/dashboard/activity')).text).toContain('>fields: phone</div>');
});

test('all that is wrong is said at once, by the names on the page', async () => {
  const refusal = await save({
    hours: 'by appointment',
    email: 'nobody',
    lead_webhook_url: 'https://me:secret@x.example',
  });
  expect(refusal.status).toBe(400);
  const text = toPlainText(refusal.text);
  expect(text).toContain('Nothing was saved. Change this:');
  expect(text).toMatch(
    /“E-mail address” .*“Opening hours” is not clear at “by appointment”.*“Leads by webhook to” must/,
  );
  expect(refusal.text.match(/aria-invalid="true"/g)).toHaveLength(3);
  expect(refusal.text).toContain('by appointment</textarea>');
});

test('days to close on need hours, and a place that cannot be read is said', async () => {
  const refusal = await save({ closed_on: '2026-12-25' });
  expect(refusal.status).toBe(400);
  expect(toPlainText(refusal.text)).toContain('“Closed on” needs opening hours');
  const { headers } = await save({ zip: 'abcde' });
  const { text } = await owner.get(headers.get('location') ?? '');
  expect(text).toContain('The dealer is saved, but we cannot read its state or ZIP code');
});

test('a test lead goes the way of real ones, and what stands in the way is said', async () => {
  const destination = { lead_email: 'crm@lonestar.example', lead_email_format: 'adf' };
  expect((await save(destination)).status).toBe(303);
  expect(await readStored()).toMatchObject(destination);
  expect((await owner.get(PATH)).text).toContain('<option value="adf" selected>');
  const send = (kind: string) => owner.post(PATH, 'test_lead', { kind });
  expect((await send('email')).headers.get('location')).toBe(`${PATH}?done=tested`);
  expect(smtp.mails.map(({ to_, text }) => [to_[0], text?.includes('This is a test')])).toEqual([
    ['crm@lonestar.example', true],
  ]);
  expect((await account.call('GET', '/v1/leads')).body.leads).toEqual([]);
  smtp.answer(550);
  for (const [kind, message] of [
    ['email', 'smtp 550'],
    ['webhook', 'no address'],
  ] as const)
    expect(toPlainText((await send(kind)).text)).toContain(`did not arrive: ${message}`);
});
