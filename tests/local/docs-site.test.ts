import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { withDocs } from '../../lib/local/docs-site.ts';
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
