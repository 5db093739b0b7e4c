import { afterAll, expect, test } from 'vitest';
import { startImageServer } from '../../support/servers/image-server.ts';
import { signedIn, toPlainText } from '../../support/service/dashboard.ts';
import { startService } from '../../support/service/service.ts';

/** The dashboard's check of a dealer's page. */

const server = await startImageServer();
const service = await startService(server.ports);
const account = await service.newAccount();
const browser = await signedIn(service, account);
await account.call('POST', '/v1/dealers', { slug: 'lone-star', name: 'Lone Star Trucks' });
afterAll(() => server.close());

async function check(html: string | null, from = browser): Promise<string> {
  const page = html === null ? 'http://10.0.0.1/' : server.add(Buffer.from(html));
  const { text } = await from.post('/dashboard/settings/widget', 'check', { page });
  return toPlainText(/<ul class="tasks"[\s\S]*?<\/ul>/.exec(text)?.[0] ?? text);
}

const newKey = async (allowed_origins: string[]): Promise<string> => {
  const json = { account_id: account.id, kind: 'publishable', allowed_origins };
  return (await service.admin('POST', '/api/admin/keys', json)).body.key;
};
const tag = (key: string, dealer = 'lone-star', src = 'http://trucks.test/widget.js') =>
  `<script async src="${src}" data-dealer="${dealer}" data-key="${key}"></script>`;

test('says that a page is fine, and what of the tag, key, dealer, origin or policy is not', async () => {
  const { origin } = new URL(server.add(404));
  const key = await newKey([origin]);
  const good = await check(`<html><body>${tag(key)}`);
  expect(good).not.toContain('change');
  expect(good).toContain('names Lone Star Trucks');
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'self'">`;
  expect(await check(policy + tag(key))).toContain(
    'does not name http://trucks.test: add it to script-src, connect-src and img-src',
  );
  expect(await check(tag(await newKey(['https://www.dealer.example'])))).toContain(`does not list ${origin}`);
  expect(await check(tag(account.key))).toContain('secret key, and public now');
  expect(await check(tag(`${key}x`, '<b>'))).toMatch(/not copied whole.*“&lt;b&gt;”, which is none/);
  expect(await check(tag(key, 'lone-star', 'https://elsewhere.example/widget.js'))).toContain(
    'must be http://trucks.test/widget.js',
  );
  expect(await check(`<!-- ${tag(key)} --><p>No tag`)).toContain('no tag of the widget');
});

test('reads public addresses only, and not too many pages in a minute', async () => {
  expect(await check(null)).toContain('could not be read: address_refused');
  for (let times = 0; times < 10; times++) await check('');
  expect(await check('')).toContain('Too many pages were checked');
});

test('two megabytes of whatever take no more than their length', async () => {
  const other = await signedIn(service, await service.newAccount());
  for (const text of [
    '<script',
    '<script ',
    '<!--',
    '<meta a="',
    '<script a=',
    '</script',
    '<script /widget.js ',
  ]) {
    const started = performance.now();
    expect(await check(text.repeat(2_000_000 / text.length), other)).toContain('can be read');
    expect(performance.now() - started, text).toBeLessThan(2_000);
  }
});
