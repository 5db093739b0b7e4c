import { beforeEach, expect, test } from 'vitest';
import { sweepSignIns } from '../../../lib/accounts/people/sessions.ts';
import { uniqueIp } from '../../support/samples/samples.ts';
import { newBrowser, signedIn, signedInOperator, type TestBrowser } from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { ADMIN_TOKEN, startService, type TestService } from '../../support/service/service.ts';

/** The operator's sessions: how long they last, and how they are ended. */

const HEALTH = '/dashboard/operator/health';
const service = await startService();

beforeEach(() => queryRows('delete from sessions where operator'));

/** The service as it is deployed anew, with another ADMIN_TOKEN or the same. */
const deployAgain = (adminToken = ADMIN_TOKEN) =>
  startService(({ settings }) => ({ settings: { ...settings, adminToken } }));

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

test('a session ends with the ADMIN_TOKEN that opened it, and so does a link', async () => {
  const [byForm, byLink] = [await signedInByForm(), await signedInOperator(service)];
  const link = new URL((await service.admin('POST', '/api/admin/sign-in-links', {})).body.url);
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
  for (let tried = 0; tried < 20; tried += 1)
    expect(await signIn(attacker, `${ADMIN_TOKEN}${tried}`)).toBe(400);
  expect([await signIn(attacker), await signIn(other)]).toEqual([400, 303]);
});

test('the health page lists the operator’s browsers and signs one out', async () => {
  const [own, other] = [await signedInOperator(service), await signedInByForm()];
  const { text } = await own.get(HEALTH);
  expect(text.match(/name="id" value="\w+"/g)).toHaveLength(2);
  const last = 'select id from sessions where operator order by created_at desc limit 1';
  const [{ id } = { id: '' }] = await queryRows<{ id: string }>(last);
  const ended = await own.post(HEALTH, 'end_session', { id });
  expect(ended.headers.get('location')).toBe(`${HEALTH}?done=ended`);
  expect([(await other.get(HEALTH)).status, (await own.get(HEALTH)).status]).toEqual([303, 200]);
});
