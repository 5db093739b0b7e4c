import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { connectTo, createPorts } from '../../lib/connect.ts';
import { readEnv } from '../../lib/env.ts';
import { createApp } from '../../lib/local/app.ts';
import { suiteFolder } from '../support/processes/suite-folder.ts';

/** What stands in public/ and beside it; the routes are asked by their concerns' suites. */

const root = await suiteFolder();
const FILES = {
  'secret.txt': 'not for visitors',
  'public/index.html': '<h1>home</h1>',
  'public/app.js': 'console.log(1);',
  'public/widget-page.js': 'widget();',
  'public/large.txt': 'x'.repeat(5_000),
  'public/openapi.json': '{}',
  'public/docs/index.html': '<h1>docs</h1>',
  'public/docs/errors/VIN_LENGTH.html': '<h1>an error</h1>',
  'public/docs/llms.txt': 'for models',
};
for (const [path, text] of Object.entries(FILES)) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}
const app = createApp(join(root, 'public'));
const ask = async (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
connectTo(createPorts(readEnv({ POSTGRES_URL: 'postgres://nobody@127.0.0.1:1/none', LOG: 'silent' })));

it.each([
  ['/', '<h1>home</h1>', 'text/html'],
  ['/docs', '<h1>docs</h1>', 'text/html'],
  ['/docs/', '<h1>docs</h1>', 'text/html'],
  ['/docs/errors/VIN_LENGTH', '<h1>an error</h1>', 'text/html'],
  ['/docs/errors/VIN_LENGTH.html', '<h1>an error</h1>', 'text/html'],
  ['/llms.txt', 'for models', 'text/plain'],
  ['/docs/openapi.json', '{}', 'application/json'],
])('%s is served', async (path, body, type) => {
  const response = await ask(path);
  expect([response.status, await response.text()]).toEqual([200, body]);
  expect(response.headers.get('content-type')).toContain(type);
});

it('files may be cached, are not sent again unchanged, and are compressed on request', async () => {
  const { headers } = await ask('/app.js');
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
  });
  expect((await ask('/app.js', { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
  const part = await ask('/widget-page.0123abcd.js');
  expect(Object.fromEntries(part.headers)).toMatchObject({
    'content-type': expect.stringContaining('text/javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
  });
  for (const encoding of ['gzip', null]) {
    const large = await ask('/large.txt', { 'accept-encoding': encoding ?? 'identity' });
    expect(large.headers.get('content-encoding')).toBe(encoding);
  }
});

it.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/docs/..%2f..%2fsecret.txt',
  '/docs/%2e%2e%2f%2e%2e%2fsecret.txt',
  '/..%5csecret.txt',
  '/%252e%252e/secret.txt',
  '//etc/passwd',
  '/app.js%00.html',
  '/api/../secret.txt',
])('%s does not lead out of the folder', async (path) => {
  const response = await ask(path);
  expect(await response.text()).not.toMatch(/not for visitors|root:/);
  expect([401, 404, 500]).toContain(response.status);
});
