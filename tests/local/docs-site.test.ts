import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withDocs } from '../../lib/local/docs-site.ts';
import { withOwnAddress } from '../../lib/local/own-address.ts';
import { createPlatform } from '../../lib/local/platform/platform.ts';

/** Builds when `go` appears in the root; fails when `go` says so. */
const BUILD = `
  import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  while (!existsSync('go')) await new Promise((resume) => setTimeout(resume, 5));
  if (readFileSync('go', 'utf8') === 'fail') throw new Error('no docs today');
  mkdirSync('public/docs', { recursive: true });
  writeFileSync('public/docs/index.html', '<h1>docs</h1>');`;

async function start() {
  const root = await mkdtemp(join(tmpdir(), 'docs-site-'));
  await mkdir(join(root, 'scripts/docs'), { recursive: true });
  await mkdir(join(root, 'public'));
  await writeFile(join(root, 'public/robots.txt'), 'hello');
  await writeFile(join(root, 'scripts/docs/build-site.ts'), BUILD);
  const logged: unknown[] = [];
  const { platform, stop } = withDocs(
    await createPlatform({ root, log: (entry) => logged.push(entry) }),
    root,
  );
  onTestFinished(async () => {
    stop();
    await rm(root, { recursive: true, force: true });
  });
  const ask = async (path: string) => platform.dispatch(new Request(`http://local.test${path}`));
  return { root, ask, stop, logged };
}

test('while the docs are built, whoever asks for them learns it, and everything else is answered', async () => {
  const { root, ask } = await start();
  const page = await ask('/docs/quick-start.html');
  expect([page.status, page.headers.get('refresh')]).toEqual([503, '5']);
  expect(await page.text()).toContain('being built');
  expect(await (await ask('/robots.txt')).text()).toBe('hello');
  await writeFile(join(root, 'go'), '');
  await expect.poll(async () => (await ask('/docs')).status, { timeout: 30_000 }).toBe(200);
  expect(await (await ask('/docs/')).text()).toBe('<h1>docs</h1>');
});

test('a build that fails is logged, and the docs are not found', async () => {
  const { root, ask, logged } = await start();
  await writeFile(join(root, 'go'), 'fail');
  await expect.poll(async () => (await ask('/docs')).status, { timeout: 30_000 }).toBe(404);
  expect(JSON.stringify(logged)).toContain('no docs today');
});

test('a service that stops ends the build', async () => {
  const { ask, stop, logged } = await start();
  stop();
  await expect.poll(async () => (await ask('/docs')).status, { timeout: 30_000 }).toBe(404);
  expect(logged).toEqual([]);
});

const DOCUMENT = {
  servers: [{ url: '/' }, { url: 'https://elsewhere.example/v1' }],
  paths: { '/v1/a': { servers: [{ url: '/api' }] }, '/v1/b': {} },
};

test('each caller is named the address that he called, and the document is parsed once for all', async () => {
  const responses: Response[] = [];
  const dispatch = () => {
    const response = new Response(JSON.stringify(DOCUMENT), { headers: { etag: '"1"' } });
    responses.push(response);
    return response;
  };
  const platform = withOwnAddress({ dispatch, log: () => undefined }, null);
  const ask = async (origin: string) =>
    (await platform.dispatch(new Request(`${origin}/docs/openapi.json`))).json();
  for (const origin of ['http://one.example', 'http://two.example:3000'])
    expect(await ask(origin)).toEqual({
      servers: [{ url: origin }, { url: 'https://elsewhere.example/v1' }],
      paths: { '/v1/a': { servers: [{ url: `${origin}/api` }] }, '/v1/b': {} },
    });
  expect(responses.map(({ bodyUsed }) => bodyUsed)).toEqual([true, false]);
});
