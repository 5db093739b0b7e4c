import { beforeEach, describe, expect, test } from 'vitest';
import { rememberBriefly } from '../../../lib/accounts/remember.ts';
import {
  inviteLink,
  keepMails,
  newBrowser,
  signedIn,
  signInByCode,
  type TestBrowser,
  toPlainText,
} from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { ADMIN_TOKEN, startService } from '../../support/service/service.ts';

/** Signing in by a code, whatever programs that read mails do with it; and how sessions end. */

let aheadMs = 0;
let serial = 0;
let email = '';

const { mails, mailer } = keepMails();
const clock = { now: () => Date.now() + aheadMs };
const service = await startService(({ settings }) => ({
  mailer,
  settings: { ...settings, mail: 'smtp', publicUrl: 'http://trucks.test' },
  sessions: rememberBriefly(clock.now),
  clock,
}));
const account = await service.newAccount();

beforeEach(async () => {
  serial += 1;
  email = `person-${serial}@dealer.example`;
  await inviteLink(service, account, { email });
  // Mails leave after the answer: those of a test must not arrive in the next one.
  await service.settled();
  mails.length = 0;
});

const CODE = '/dashboard/sign-in/code';
const PEOPLE = '/dashboard/settings/people';
const ask = (browser: TestBrowser, address = email) =>
  browser.post('/dashboard/sign-in', 'send', { email: address });
const type = (browser: TestBrowser, code: string) => browser.post(CODE, 'sign_in', { code });
const invite = (browser: TestBrowser, invited = email, role = 'owner') =>
  browser.post(PEOPLE, 'invite', { email: invited, role });
/** 303: it leads to the sign-in. */
const visit = async (browser: TestBrowser) => (await browser.get('/dashboard')).status;

/** Asks for a code, and waits for its mail, which leaves after the answer. */
async function askForCode(browser: TestBrowser, path = '/dashboard/sign-in'): Promise<string> {
  expect((await browser.post(path, 'send', { email })).headers.get('location')).toContain(CODE);
  await service.settled();
  // Mails of acts before, such as an invitation, may leave after it.
  return mails.map(({ text }) => /Your code is (\d{4} \d{4})/.exec(text)?.[1] ?? '').findLast(Boolean) ?? '';
}

const readPage = ({ status, text }: { status: number; text: string }) => ({ status, text });

describe('signing in by a code', () => {
  test('opens the dashboard in the browser that asked, though others followed the mail’s link and sent its form before', async () => {
    const browser = newBrowser(service);
    const code = await askForCode(browser);
    expect(mails.map(({ to_ }) => to_)).toEqual([[email]]);
    const link = /http:\/\/trucks\.test(\S+)/.exec(mails[0]?.text ?? '')?.[1];
    expect(link).toBe(`${CODE}#${code.replace(' ', '')}`);
    const scanner = newBrowser(service);
    for (let times = 0; times < 2; times += 1) expect((await scanner.get(CODE)).status).toBe(200);
    expect((await type(scanner, code)).status).toBe(400);
    expect((await type(browser, code)).headers.get('location')).toBe('/dashboard');
    expect((await browser.get('/dashboard')).text).toContain(email);
    const token = browser.cookies.get('session') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await queryRows('select * from sessions'))).not.toContain(token);
  });

  test('a wrong code, the sixth guess, another browser’s guess, an expired and a used code fail in the same bytes', async () => {
    const asking = async () => {
      const browser = newBrowser(service);
      return { browser, code: await askForCode(browser) };
    };
    const wrongCode = await asking();
    const refusal = readPage(
      await type(wrongCode.browser, wrongCode.code === '0000 0000' ? '1111 1111' : '0000 0000'),
    );
    const expectRefused = async (browser: TestBrowser, code: string) =>
      expect(readPage(await type(browser, code))).toEqual(refusal);
    expect(refusal.status).toBe(400);
    for (let guess = 2; guess <= 5; guess += 1) await expectRefused(wrongCode.browser, '0000 0001');
    await expectRefused(wrongCode.browser, wrongCode.code);
    const lateCode = await asking();
    const age = `update sign_in_codes set created_at = now() - interval '11 minutes' where email = $1`;
    await queryRows(age, [email]);
    await expectRefused(lateCode.browser, lateCode.code);
    const usedCode = await asking();
    await expectRefused(newBrowser(service), usedCode.code);
    const replay = newBrowser(service);
    replay.cookies.set('browser', usedCode.browser.cookies.get('browser') ?? '');
    expect((await type(usedCode.browser, usedCode.code)).status).toBe(303);
    await expectRefused(replay, usedCode.code);
  });

  test('an invitation to another account, and a link that the inviter opened, take nobody there', async () => {
    let code = '';
    const signIn = async (browser: TestBrowser) => {
      code = await askForCode(browser, '/dashboard/sign-in?fresh=true');
      return type(browser, code);
    };
    const choose = async (browser: TestBrowser, { text }: { text: string }, name: string) => {
      const [, person = ''] = new RegExp(`value="(\\w+)">${name}<`).exec(text) ?? [];
      expect((await browser.post(CODE, 'sign_in', { code, person })).status).toBe(303);
      return (await browser.get('/dashboard')).text;
    };
    await signIn(newBrowser(service));
    const attacker = await service.newAccount({ name: 'Attacker' });
    const link = await inviteLink(service, attacker, { email });
    const inviter = await signedIn(service, attacker, { email });
    const lured = await signedIn(service, attacker, { email });
    const browser = newBrowser(service);
    const choice = await signIn(browser);
    expect([choice.status, browser.cookies.has('session')]).toEqual([200, false]);
    expect(toPlainText(choice.text)).toMatch(/Test Trucks +Attacker invited/);
    expect(await choose(browser, choice, 'Test Trucks')).not.toContain('Attacker');
    expect((await type(browser, code)).status, 'the code is used').toBe(400);
    expect(await choose(lured, await signIn(lured), 'Attacker')).toContain('Attacker');
    expect((await newBrowser(service).get(link)).status, 'links end with a sign-in by code').toBe(404);
    aheadMs += 5_000;
    expect(await visit(inviter), 'and so do the sessions they began').toBe(303);
  });

  test('an address that nobody has gets the same answers, and no mail', async () => {
    const [member, unknown] = [newBrowser(service), newBrowser(service)];
    const stranger = `nobody-${serial}@dealer.example`;
    expect(readPage(await ask(member))).toEqual(readPage(await ask(unknown, stranger)));
    expect(readPage(await member.get(CODE))).toEqual(readPage(await unknown.get(CODE)));
    await service.settled();
    expect(mails.map(({ to_ }) => to_)).toEqual([[email]]);
  });

  const askFrom = async (network: number, times: number) => {
    for (let n = 0; n < times; n += 1) await ask(newBrowser(service, `198.51.100.${network}`));
  };
  const readSent = async () => {
    await service.settled();
    return mails.filter(({ subject }) => /sign-in code/.test(subject)).length;
  };

  test('a network that uses up its codes for a mailbox keeps nobody out on another, and all together get 30', async () => {
    await askFrom(1, 29);
    expect(await readSent()).toBe(5);
    await signInByCode(newBrowser(service, '198.51.100.2'), email, { mails });
    for (let network = 3; network < 10; network += 1) await askFrom(network, 5);
    expect(await readSent()).toBe(30);
  });

  test('strangers who use up a mailbox’s codes do not keep out a browser that signed in to it before', async () => {
    const owner = newBrowser(service);
    await signInByCode(owner, email, { mails });
    await owner.post('/dashboard/sign-out', 'sign_out');
    for (let n = 0; n < 8; n += 1) await ask(newBrowser(service));
    expect(await readSent()).toBe(5);
    await signInByCode(owner, email, { mails });
    expect(await readSent()).toBe(6);

    const forger = newBrowser(service);
    const cookie = owner.cookies.get('known') ?? '';
    forger.cookies.set('known', cookie.slice(0, -1) + (cookie.endsWith('-') ? '_' : '-'));
    await ask(forger);
    expect(await readSent()).toBe(6);
  });
});

describe('sessions', () => {
  test('the cookie is for the service alone; over HTTPS its name binds it to the host', async () => {
    const secure = await service.call('POST', '/dashboard/sign-in', {
      origin: 'https://trucks.test',
      raw: new URLSearchParams({ action: 'send', email }).toString(),
      headers: { origin: 'https://trucks.test', 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(secure.headers.getSetCookie()[0]).toMatch(
      /^__Host-browser=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('idle for seven days, or thirty days old, it is over', async () => {
    for (const [column, days] of [
      ['seen_at', 7],
      ['created_at', 30],
    ] as const) {
      const browser = await signedIn(service, account);
      const age = (interval: string) =>
        queryRows(`update sessions set ${column} = now() - $1::interval`, [interval]);
      await age(`${days} days -1 minute`);
      expect(await visit(browser)).toBe(200);
      await age(`${days} days 1 minute`);
      aheadMs += 5_000;
      expect(await visit(browser)).toBe(303);
    }
  });

  test('ended elsewhere it is over within five seconds, and at once in the process that ended it', async () => {
    const browser = await signedIn(service, account);
    expect(await visit(browser)).toBe(200);
    await queryRows('delete from sessions');
    aheadMs += 5_000;
    expect(await visit(browser)).toBe(303);
    const other = await signedIn(service, account);
    const token = other.cookies.get('session') ?? '';
    await other.post('/dashboard/sign-out', 'sign_out');
    other.cookies.set('session', token);
    expect(await visit(other)).toBe(303);
  });

  test('who signs in again, by whatever means, leaves no earlier session alive', async () => {
    const browser = await signedIn(service, account, { email });
    const link = await inviteLink(service, account, { email });
    const again = {
      link: () => browser.post(link, 'sign_in'),
      operator: () => browser.post('/dashboard/sign-in/operator', 'sign_in', { token: ADMIN_TOKEN }),
      code: async () => type(browser, await askForCode(browser)),
    };
    for (const [means, signIn] of Object.entries(again)) {
      const earlier = newBrowser(service);
      earlier.cookies.set('session', browser.cookies.get('session') ?? '');
      expect((await signIn()).status, means).toBe(303);
      // An operator's would lead to his own page.
      expect((await earlier.get('/dashboard')).headers.get('location'), means).toMatch(/sign-in/);
    }
  });

  test('an invitation goes by mail, and its link signs in once, whoever looks at it; a mailbox is sent five an hour, no seller’s words as their subject', async () => {
    const browser = await signedIn(service, account, { email });
    await service.settled();
    mails.length = 0;
    for (let at = 0; at <= 5; at += 1) {
      const { text } = await invite(browser, `boss-${serial}+${at}@victim.example`);
      expect(text.includes('on its way by mail')).toBe(at < 5);
    }
    await service.settled();
    const sentMails = mails.filter(({ to_ }) => to_[0]?.startsWith('boss'));
    expect(sentMails.map(({ subject }) => subject)).toEqual(
      Array(5).fill('You are invited to a truck inventory'),
    );
    const [link = ''] = /http:\S+link\/\S+/.exec(sentMails[0]?.text ?? '') ?? [];
    const { pathname } = new URL(link);
    for (let times = 0; times < 2; times += 1)
      expect((await newBrowser(service).get(pathname)).text).toContain('Sign in');
    for (const status of [303, 400])
      expect((await newBrowser(service).post(pathname, 'sign_in')).status).toBe(status);
    expect((await newBrowser(service).get(pathname)).status).toBe(404);
  });

  test('an invitation neither demotes who is there nor hands out the session of a colleague', async () => {
    const browser = await signedIn(service, account, { email });
    const { status, text } = await invite(browser);
    expect([status, text]).toEqual([400, expect.stringContaining('belongs to the account')]);
    expect(text).not.toContain('/dashboard/sign-in/link/');
    const invitation = { account_id: account.id, email, role: 'member' };
    const refusal = await service.admin('POST', '/api/admin/sign-in-links', invitation);
    expect(refusal.body.error).toMatchObject({ code: 'INVALID_PAYLOAD', details: { reason: 'not_allowed' } });
    expect(await queryRows('select role from people where email = $1', [email])).toEqual([{ role: 'owner' }]);
  });

  test('a sensitive act needs a sign-in of the last 15 minutes, and gets a new one', async () => {
    const browser = await signedIn(service, account, { email });
    const act = () => invite(browser, `new-${email}`, 'member');
    expect((await act()).status).toBe(200);
    await queryRows(`update sessions set created_at = now() - interval '16 minutes'`);
    aheadMs += 5_000;
    const code = await askForCode(browser, (await act()).headers.get('location') ?? '');
    const response = await browser.post(`${CODE}?next=${encodeURIComponent(PEOPLE)}`, 'sign_in', { code });
    expect(response.headers.get('location')).toBe(PEOPLE);
    expect((await act()).status).toBe(200);
  });
});
