import { expect, test } from 'vitest';
import { newBrowser, signInByCode, type TestBrowser } from '../../support/service/dashboard.ts';
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
await service.admin('POST', '/api/admin/sign-in-links', { account_id: account.id, email: EMAIL });

const ask = (browser: TestBrowser) => browser.post('/dashboard/sign-in', 'send', { email: EMAIL });

test('strangers who use up a mailbox’s codes do not keep out a browser that signed in to it before', async () => {
  const owner = newBrowser(service);
  await signInByCode(owner, EMAIL, { mails });
  await owner.post('/dashboard/sign-out', 'sign_out');
  for (let asked = 0; asked < 8; asked += 1) await ask(newBrowser(service));
  await expect.poll(() => mails.length).toBe(5);
  await signInByCode(owner, EMAIL, { mails });
  expect(mails).toHaveLength(6);

  const forger = newBrowser(service);
  forger.cookies.set('known', `${owner.cookies.get('known')?.slice(0, -1)}-`);
  await ask(forger);
  expect(mails).toHaveLength(6);
});
