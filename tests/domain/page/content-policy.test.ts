import { expect, test } from 'vitest';
import { findRefused } from '../../../lib/accounts/widget/content-policy.ts';
import { readTags } from '../../../lib/accounts/widget/tags.ts';

const origins = {
  service: new URL('https://api.trucks.example'),
  page: new URL('https://www.dealer.example/trucks'),
  nonce: 'Abc1',
};
const refused = (...policies: string[]) => findRefused(policies, origins);

test.each([
  ['default-src *', []],
  ['default-src https://*.trucks.example:443', []],
  ["script-src 'nonce-Abc1'; connect-src api.trucks.example", []],
  ["default-src 'self'", ['script-src', 'connect-src', 'img-src']],
  ["default-src 'none'; script-src-elem https://api.trucks.example", ['connect-src', 'img-src']],
  ['connect-src http://other.example https://api.trucks.example:8443', ['connect-src']],
])('a policy %j refuses %j', (policy, expected) => {
  expect(refused(policy)).toEqual(expected);
});

test('every policy of a page has to allow the widget', () => {
  expect(refused('default-src *', "connect-src 'self'")).toEqual(['connect-src']);
});

test('tags are found outside comments and scripts, with their attributes as browsers read them', () => {
  const html = `<!-- <script src="no.js"></script> --><META http-equiv='Content-Security-Policy' content="a &amp; b">
<script>"<script src=no.js>"</script><SCRIPT async src=/widget.js?a=1 data-key = "k>1" SRC="second"></SCRIPT><scripting src=no>`;
  expect(readTags(html)).toEqual([
    { name: 'meta', attributes: { 'http-equiv': 'Content-Security-Policy', content: 'a & b' } },
    { name: 'script', attributes: {} },
    { name: 'script', attributes: { async: '', src: '/widget.js?a=1', 'data-key': 'k>1' } },
  ]);
});

test.each(['<script', '<script ', '<!--', '<meta a="', '<script a=', '</script'])(
  'two megabytes of %j take no more than their length',
  (text) => {
    const started = performance.now();
    readTags(text.repeat(2_000_000 / text.length));
    expect(performance.now() - started).toBeLessThan(2_000);
  },
);
