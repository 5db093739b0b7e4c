import { expect, test } from 'vitest';
import { newBrowser, signInByCode, type TestBrowser } from '../../support/service/dashboard.ts';
import { queryRows } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

const EMAIL = 'owner@known.example';
const mails: { to_: string[]; text: string }[] = [];
const service = await startService(({ settings }) => ({
  mailer: {
    async send({ to, text }) {
      mails.push({ to_: [to], text });
    },
  },
  settings: { ...settings, mail: 'smtp', publicUrl: 'http://trucks.test' },
}));
const account = await service.newAccount();
const invite = (email: string) =>
  service.admin('POST', '/api/admin/sign-in-links', { account_id: account.id, email });
await invite(EMAIL);

const ask = (browser: TestBrowser, email = EMAIL) => browser.post('/dashboard/sign-in', 'send', { email });

test('a network that uses up its codes for a mailbox keeps nobody out on another, and all together get 30', async () => {
  const email = 'owner@elsewhere.example';
  await invite(email);
  const codes = () => queryRows('select from sign_in_codes where email = $1', [email]);
  for (let asked = 0; asked < 29; asked += 1) await ask(newBrowser(service, '198.51.100.1'), email);
  expect(await codes()).toHaveLength(5);
  await signInByCode(newBrowser(service, '198.51.100.2'), email, { mails });
  for (let network = 3; network < 10; network += 1)
    for (let asked = 0; asked < 5; asked += 1) await ask(newBrowser(service, `198.51.100.${network}`), email);
  expect(await codes()).toHaveLength(30);
});

test('strangers who use up a mailbox’s codes do not keep out a browser that signed in to it before', async () => {
  const owner = newBrowser(service);
  await signInByCode(owner, EMAIL, { mails });
  await owner.post('/dashboard/sign-out', 'sign_out');
  const codes = () => mails.filter(({ to_ }) => to_[0] === EMAIL);
  for (let asked = 0; asked < 8; asked += 1) await ask(newBrowser(service));
  await expect.poll(() => codes().length).toBe(5);
  await signInByCode(owner, EMAIL, { mails });
  expect(codes()).toHaveLength(6);

  const forger = newBrowser(service);
  const known = owner.cookies.get('known') ?? '';
  forger.cookies.set('known', known.slice(0, -1) + (known.endsWith('-') ? '_' : '-'));
  await ask(forger);
  expect(codes()).toHaveLength(6);
});
