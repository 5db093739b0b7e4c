import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hashToken } from '../../../lib/accounts/people/tokens.ts';
import { PAGES } from '../../../lib/dashboard/pages.ts';
import { PAGE_QUOTA } from '../../../lib/dashboard/session.ts';
import type { Sql } from '../../../lib/db/sql.ts';
import type { PageEntry } from '../../../lib/http/pages/page.ts';
import { PAGE_SAMPLES } from '../../support/samples/page-samples.ts';
import { cleanTruck } from '../../support/samples/trucks.ts';
import {
  inviteLink,
  newBrowser,
  ORIGIN,
  signedIn,
  signedInOperator,
} from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';
import { provideStore, useStore } from '../../support/service/store.ts';

/** What every page of the dashboard owes: generated over all of them. */

/** Statements that were sent to the database, but for BEGIN and COMMIT. */
let statements: string[] = [];

function counting(sql: Sql): Sql {
  return {
    ...sql,
    query: (statement, params) => {
      statements.push(statement.text);
      return sql.query(statement, params);
    },
    transaction: (work, role) => sql.transaction((bound) => work(counting(bound)), role),
  };
}

const store = await useStore();
provideStore({ ...store, sql: counting(store.sql) });
const service = await startService();
const account = await service.newAccount({ name: 'Heartland' });
const owner = await signedIn(service, account);
const member = await signedIn(service, account, { email: 'member@heartland.example', role: 'member' });
const operator = await signedInOperator(service);
const stranger = await signedIn(service, await service.newAccount({ name: 'Elsewhere' }));

const browserFor = ({ role }: PageEntry) => (role === 'operator' ? operator : owner);

async function samplePath({ path }: PageEntry): Promise<string> {
  const sample = await PAGE_SAMPLES[path]?.({ service, account });
  if (!sample) throw new Error(`no sample for ${path}: add one to tests/support/samples/page-samples.ts`);
  return sample;
}

/** What a page reads is counted from here on, without what goes on after earlier answers. */
async function startCounting(): Promise<void> {
  await service.settled();
  service.ports.sessions.forget();
  statements = [];
}

/** The same path with ids of the same form that nothing has. */
const toAbsent = (path: string) =>
  path
    .replace(/[A-Z0-9]{17}/, '1FUJGLDR5CSBA9999')
    .replace(/_[0-9a-f]{24}/g, '_0123456789abcdef01234567')
    .replace(/(?<=dealers\/)[\w-]+/, 'nobody-has-this');

const inner = PAGES.filter(({ role }) => role !== 'anyone');

describe.each(inner)('$path', (entry) => {
  test('without a session it leads to the sign-in, whatever API key comes along', async () => {
    const path = await samplePath(entry);
    const answer = await service.call('GET', path, { token: account.key });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/dashboard/sign-in?next=${encodeURIComponent(path)}`,
    ]);
  });

  test('it is a page of the right person, and of nobody else; it reads at most 4 statements, the session among them, and weighs at most 6 kB', async () => {
    const path = await samplePath(entry);
    await startCounting();
    const { status, bytes } = await browserFor(entry).get(path);
    expect(status).toBe(200);
    expect(statements.length, statements.join('\n---\n')).toBeLessThanOrEqual(4);
    expect(gzipSync(bytes).length).toBeLessThan(6_144);
    const byMember = (await member.get(path)).status;
    expect(byMember).toBe(entry.role === 'member' ? 200 : entry.role === 'owner' ? 403 : 404);
  });

  test('another seller’s session finds nothing of it, where it is of one thing in the same bytes as what does not exist', async () => {
    const path = await samplePath(entry);
    const { status, text } = await stranger.get(path);
    if (entry.path.includes('{')) {
      expect(status).toBe(404);
      expect(toAbsent(path)).not.toBe(path);
      expect(await stranger.get(toAbsent(path))).toMatchObject({ status, text });
    }
    for (const own of [account.id, 'Heartland', 'heartland.example', account.keyId])
      expect(text).not.toContain(own);
  });

  test('a form without our origin is refused', async () => {
    const path = await samplePath(entry);
    const browser = browserFor(entry);
    for (const origin of ['https://evil.example', 'null', ''])
      expect((await browser.post(path, 'anything', {}, { origin })).status).toBe(403);
    expect((await browser.post(path, 'anything')).status).toBe(404);
  });
});

const sensitivePages = await Promise.all(
  inner.map(async (entry) => {
    const { actions = {} } = (await entry.load()).default;
    return { ...entry, names: Object.keys(actions).filter((name) => actions[name]?.sensitive) };
  }),
);

test.each(sensitivePages.filter(({ names }) => names.length > 0))(
  '$path asks for a new sign-in before a sensitive form is filled in, and when it is sent',
  async ({ names, ...entry }) => {
    const path = await samplePath(entry);
    const browser = await (entry.role === 'operator'
      ? signedInOperator(service)
      : signedIn(service, account));
    const age = `update sessions set created_at = now() - interval '16 minutes' where token_hash = $1`;
    await queryRows(age, [hashToken(service.ports, browser.cookies.get('session') ?? '')]);
    const { status, text } = await browser.get(path);
    expect([status, / required/.test(text)]).toEqual([200, false]);
    const to = `/dashboard/sign-in?fresh=true&next=${encodeURIComponent(path)}`;
    for (const name of names) expect((await browser.post(path, name)).headers.get('location'), name).toBe(to);
  },
);

test.each([
  ['inventory?q=ST-40041', 4],
  ['inventory?q=near+Dallas,+TX', 4],
  ['market?make=Freightliner', 4],
  ['market?make=Freightliner&view=trends', 9],
])('%s reads at most %i statements', async (path, max) => {
  await account.post(cleanTruck({ stock_number: 'ST-40041', city: 'Dallas', state: 'TX' }));
  await startCounting();
  expect((await owner.get(`/dashboard/${path}`)).status).toBe(200);
  expect(statements.length, statements.join('\n---\n')).toBeLessThanOrEqual(max);
});

test('the overview names every reason why trucks are rejected, and leads to the trucks of each', async () => {
  const seller = await service.newAccount();
  const add = `insert into issues (account_id, source, subject, has_whole_vin, code, fix)
    select $1, 'api', sha256(n::text::bytea), false, 'CODE_' || n, '' from generate_series(1, 9) n`;
  await queryRows(add, [seller.id]);
  const { text } = await (await signedIn(service, seller)).get('/dashboard');
  expect(text.match(/href="\/dashboard\/issues\?code=/g)).toHaveLength(9);
  expect(text).toContain('<a href="/dashboard/issues">Rejected <b>9</b></a>');
});

test('a session opens nothing under /v1 and /api', async () => {
  const cookie = `session=${owner.cookies.get('session')}`;
  for (const path of ['/v1/account', '/v1/inventory', '/api/admin/accounts', '/v1/leads'])
    expect((await service.call('GET', path, { headers: { cookie } })).status).toBe(401);
});

test('a page that there is not is 404, and another method 405', async () => {
  expect((await newBrowser(service).get('/dashboard/x/y')).status).toBe(404);
  expect((await service.call('DELETE', '/dashboard')).status).toBe(405);
});

test('a suspended account’s people see that it is, and nothing else', async () => {
  const other = await service.newAccount();
  await service.admin('PATCH', `/api/admin/accounts/${other.id}`, { suspended: true });
  const { status, text } = await (await signedIn(service, other)).get('/dashboard');
  expect([status, text]).toEqual([403, expect.stringContaining('The account is suspended.')]);
  expect(text).toContain('mailto:support@trucks.test');
  expect(text).not.toContain('Go to the overview');
});

test('the operator finds an account by part of its name, its id or a person, and reads all by name', async () => {
  const make = async (name: string) => (await service.newAccount({ name })).id;
  const [first, second, third] = [
    await make('zz Findable'),
    await make('ZY findable'),
    await make('zx =1+1'),
  ];
  await inviteLink(service, { id: third }, { email: 'Mara@Findable.example' });
  const find = async (q: string) => {
    const { text } = await operator.get(`/dashboard/operator?q=${encodeURIComponent(q)}`);
    return [...text.matchAll(/accounts\/(acc_\w+)/g)].map(([, id]) => id);
  };
  expect(await find('findAble')).toEqual([second, first]);
  expect(await find(first)).toEqual([first]);
  expect(await find('mara@findable.EXAMPLE')).toEqual([third]);
  expect(await find('z%findable')).toEqual([]);
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await service.admin('GET', `/api/admin/accounts?limit=7${query}`);
    names.push(...body.accounts.map(({ name }: { name: string }) => name.toLowerCase()));
    cursor = body.next_cursor;
  } while (cursor !== null);
  const inOrder = ['zx =1+1', 'zy findable', 'zz findable'];
  // Other suites on this database name their accounts as they like.
  expect(names.filter((name) => inOrder.includes(name))).toEqual(inOrder);
});

test('what the operator reads is not the activity of the seller who is looked at', async () => {
  const other = await service.newAccount();
  const seller = await signedIn(service, other);
  const looking = await signedInOperator(service);
  expect((await looking.get('/dashboard')).headers.get('location')).toBe('/dashboard/operator');
  await looking.post('/dashboard/operator', 'enter', { id: other.id });
  await looking.get('/dashboard/operator');
  expect((await looking.get('/dashboard')).text).toContain('as the operator');
  const own = `/dashboard/operator/accounts/${other.id}`;
  expect((await looking.get(own)).text).not.toContain('Nothing can be changed from here');
  for (const path of ['keys', `keys/${other.keyId}`, 'people']) {
    const { text } = await looking.get(`/dashboard/settings/${path}`);
    expect(text, 'the style sheet shows no buttons').toContain('class="read-only"');
  }
  const response = await looking.post('/dashboard/settings/keys', 'create', { name: 'own', kind: 'secret' });
  expect(response.status).toBe(403);
  const { text } = await seller.get('/dashboard/activity');
  expect(text).toContain('Operator opened the account');
  expect(text).not.toContain('Account list');
  const suspension = await looking.post(own, 'suspend', { suspended: 'true' });
  expect(suspension.headers.get('location')).toBe(`${own}?done=changed`);
  expect((await looking.get(own)).text).toContain('Make it active again');
  await queryRows('update accounts set erasing_at = now() where id = $1', [other.id]);
  const erased = (await looking.get(own)).text;
  expect(erased).toContain('being erased');
  expect(erased).not.toContain('Make it active again');
});

test('a form of more fields than any page has is refused before it is read, and so is a NUL', async () => {
  const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' };
  for (const raw of ['a&'.repeat(2_001), 'a='.repeat(200_000), 'action=code&email=a%00b']) {
    const refusal = await service.call('POST', '/dashboard/sign-in', { raw, headers });
    expect(refusal.status, raw.slice(0, 30)).toBe(400);
  }
});

test('a person who asks for more than 120 pages a minute gets Retry-After, and others go on', async () => {
  const seller = await service.newAccount({ limit_multiplier: 1 });
  const hasty = await signedIn(service, seller);
  await Promise.all(Array.from({ length: PAGE_QUOTA.limit }, () => hasty.get('/dashboard/none')));
  const refusal = await hasty.get('/dashboard');
  expect([refusal.status, refusal.text.includes('load the page again')]).toEqual([429, true]);
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
  const colleague = await signedIn(service, seller, { email: 'calm@dealer.example', role: 'member' });
  expect((await colleague.get('/dashboard')).status).toBe(200);
});

test('forms of an address where nobody is signed in are counted too', async () => {
  const quiet = await startService();
  const send = () => newBrowser(quiet).post('/dashboard/none', 'none');
  const statuses = await Promise.all(Array.from({ length: PAGE_QUOTA.limit + 1 }, send));
  expect(statuses.filter(({ status }) => status === 429)).toHaveLength(1);
});
