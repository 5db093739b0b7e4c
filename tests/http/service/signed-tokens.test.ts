import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeAlertsOffUrl } from '../../../lib/accounts/alerts/alert-links.ts';
import { makeConfirmationToken } from '../../../lib/leads/confirm-address.ts';
import type { Ports } from '../../../lib/ports.ts';
import { DAY_MS } from '../../../lib/truck/time.ts';
import { newBrowser } from '../../support/service/dashboard.ts';
import { ADMIN_TOKEN, CRON_SECRET, FEED_SECRET_KEY, startService } from '../../support/service/service.ts';

/** Tokens that hold what they are about: by which secret they are signed, for what, and for how long. */

const service = await startService();
const account = await service.newAccount();
const ADDRESS = 'crm@dealer.example';

const open = (token: string, from = service) =>
  from.call('GET', `/api/confirm-address/${token}`).then(({ status }) => status);
const confirmation = (ports: Ports = service.ports) => makeConfirmationToken(ports, account.id, ADDRESS);

test.each([
  ['CRON_SECRET', CRON_SECRET],
  ['ADMIN_TOKEN', ADMIN_TOKEN],
  ['FEED_SECRET_KEY', FEED_SECRET_KEY],
])('%s itself signs nothing', async (_, key) => {
  const [text = '', signature = ''] = confirmation().split('.');
  const forged = createHmac('sha256', key).update(text).digest('base64url').slice(0, signature.length);
  expect([await open(`${text}.${forged}`), await open(`${text}.${signature}`)]).toEqual([400, 200]);
});

test('a token of one purpose is worth nothing as another', async () => {
  const settings = { ...service.ports.settings, publicUrl: '' };
  const url = makeAlertsOffUrl({ settings }, account.id, ADDRESS) ?? '';
  expect((await service.call('GET', url)).status).toBe(200);
  expect(await open(url.slice(url.lastIndexOf('/') + 1))).toBe(400);
});

test('what another FEED_SECRET_KEY signed is refused', async () => {
  const signingSecret = Buffer.alloc(32, 1).toString('base64');
  const other = await startService(({ settings }) => ({ settings: { ...settings, signingSecret } }));
  const token = confirmation(other.ports);
  expect([await open(token, other), await open(token)]).toEqual([200, 400]);
});

test('a link that confirms an address ends after 30 days', async () => {
  const token = confirmation();
  const after = (days: number) =>
    startService(({ clock }) => ({ clock: { now: () => clock.now() + days * DAY_MS } }));
  const [within, beyond] = await Promise.all([after(29.9), after(30.1)]);
  expect([await open(token, within), await open(token, beyond)]).toEqual([200, 400]);
});

test('a token stands in the path of its link, in no query, no cookie and no log line', async () => {
  const settings = { ...service.ports.settings, publicUrl: 'http://trucks.test' };
  const person = { account_id: account.id, email: 'owner@dealer.example' };
  const links = await Promise.all(
    [{}, person].map(
      async (json) => (await service.admin('POST', '/api/admin/sign-in-links', json)).body.url,
    ),
  );
  const browser = newBrowser(service);
  for (const link of [...links, makeAlertsOffUrl({ settings }, account.id, 'per_1')]) {
    const { pathname, search } = new URL(link);
    const page = await browser.get(pathname);
    expect([page.status, search, page.text.includes('<button')]).toEqual([200, '', true]);
    const token = pathname.slice(pathname.lastIndexOf('/') + 1);
    await browser.post(pathname, 'sign_in');
    expect(token.length).toBeGreaterThan(40);
    expect(JSON.stringify([...browser.cookies, ...service.log])).not.toContain(token);
  }
});
