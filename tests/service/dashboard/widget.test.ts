import { expect, test } from 'vitest';
import { signedIn, toPlainText } from '../../support/service/dashboard.ts';
import { startService } from '../../support/service/service.ts';

/** The check of a page of a dealer's site: what keeps the widget from working there. */

let page = '';
let policy = '';
const service = await startService(({ fetcher }) => ({
  fetcher: {
    ...fetcher,
    fetch: async ({ url }) => ({
      url,
      status: 200,
      headers: policy === '' ? {} : { 'content-security-policy': policy },
      bytes: new TextEncoder().encode(page),
    }),
  },
}));
const account = await service.newAccount();
const owner = await signedIn(service, account);
await account.call('POST', '/v1/dealers', { slug: 'lone-star', name: 'Lone Star' });
const made = await service.admin('POST', '/api/admin/keys', {
  account_id: account.id,
  kind: 'publishable',
  allowed_origins: ['https://www.dealer.example'],
});
const key: string = made.body.key;

const tag = (attributes: string) =>
  `<script async src="http://trucks.test/widget.js" ${attributes}></script>`;
const GOOD = tag(`data-dealer=lone-star data-key = "${key}"`);

async function check(html: string, header = '', site = 'https://www.dealer.example', browser = owner) {
  [page, policy] = [html, header];
  const { text } = await browser.post('/dashboard/settings/widget', 'check', { page: `${site}/trucks` });
  const [, list = ''] = /<ul class="tasks"[^>]*>(.*?)<\/ul>/s.exec(text) ?? [];
  expect(list, text).toContain('can be read');
  return toPlainText(list);
}

test('a page on which all is well has nothing to change', async () => {
  const text = await check(`<!-- --><META name=a><p>${GOOD}`, 'script-src http://trucks.test');
  expect(text).toContain('may be used on https://www.dealer.example');
  expect(text).toContain('data-dealer names Lone Star');
  expect(text).not.toContain('change ');
});

test.each([
  [`<!-- ${GOOD} -->`, 'has no tag of the widget'],
  [GOOD.replace('http://trucks.test', ''), 'src is /widget.js. It must be http://trucks.test/widget.js'],
  [tag('data-dealer="other" data-key="x"'), '“other”, which is none of your dealers’ slugs'],
  [tag('data-key="ctis_sk_live_x"'), 'is a secret key, and public now'],
  [tag(`data-key="${key.slice(0, -1)}"`), 'was not copied whole'],
  [
    `<meta http-equiv='Content-Security-Policy' content="default-src 'self'">`,
    'does not name http://trucks.test',
  ],
])('%s: %s', async (html, words) => {
  expect(await check(html)).toContain(words);
});

test('a policy in a header, and a site that the key does not list, are named', async () => {
  expect(await check(GOOD, "default-src 'none'")).toContain('Content-Security-Policy does not name');
  expect(await check(GOOD, '', 'https://other.example')).toContain('does not list https://other.example');
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
    await check(text.repeat(2_000_000 / text.length), '', undefined, other);
    expect(performance.now() - started, text).toBeLessThan(2_000);
  }
});
