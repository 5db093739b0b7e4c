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

test('says that a page is fine, and what of the tag, key, dealer or origin is not', async () => {
  const { origin } = new URL(server.add(404));
  const key = await newKey([origin]);
  expect(await check(`<html><body>${tag(key)}`)).toContain('are right on this page');
  for (const [html, words] of [
    [tag(await newKey(['https://www.dealer.example'])), new RegExp(`does not list ${origin}`)],
    [tag(account.key), /secret key, and public now/],
    [tag(`${key}x`, 'nobody'), /not copied whole.*“nobody”, which is none/],
    [tag(key, 'lone-star', 'https://elsewhere.example/widget.js'), /must be http:\/\/trucks.test\/widget.js/],
    ['<p>No tag', /no tag of the widget/],
  ] as const)
    expect(await check(html)).toMatch(words);
});

test('reads public addresses only, and not too many pages in a minute', async () => {
  expect(await check(null)).toContain('could not be read: address_refused');
  for (let times = 0; times < 10; times++) await check('');
  expect(await check('')).toContain('Too many pages were checked');
});

test('two megabytes of whatever take no more than their length', async () => {
  const other = await signedIn(service, await service.newAccount());
  for (const text of ['<script', '<script a=', '<script /widget.js ', '/widget.js">']) {
    const started = performance.now();
    expect(await check(text.repeat(2_000_000 / text.length), other)).toContain('tag');
    expect(performance.now() - started, text).toBeLessThan(2_000);
  }
});
