import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prepareDataDir } from '../support/processes/embedded.ts';
import { goodTruck } from '../support/service/service.ts';
import { endAll, run } from './processes.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ADMIN_TOKEN = 'operator';
const BANNER = /(http:\/\/127\.0\.0\.1:\d+)\n[\s\S]*Stop/;
/** 5 s of a machine that has time for it. That nothing waited for the batches shows in one that was cut off. */
const MAX_END_MS = 20_000;
let folder: string;

// Each start of an embedded database takes seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctis-machine-'));
  await prepareDataDir(join(folder, 'data'));
});
afterEach(async () => {
  await endAll();
  await rm(folder, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}) => ({
  PORT: '0',
  DATA_DIR: join(folder, 'data'),
  ADMIN_TOKEN,
  LOG: 'silent',
  ...more,
});

async function send(url: string, token: string, json?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(url, { headers, ...(json ? { method: 'POST', body: JSON.stringify(json) } : {}) });
}

test('SIGTERM to `npm start` ends the service within 5 s, also while its database is busy', async () => {
  const npm = spawn('npm', ['start', '--', '--no-docs'], {
    cwd: ROOT,
    env: { ...process.env, ...environment() },
  });
  let output = '';
  npm.stdout.on('data', (chunk) => {
    output += chunk;
  });
  while (!BANNER.test(output)) await once(npm.stdout, 'data');
  const [, url = ''] = BANNER.exec(output) ?? [];
  const key = await newKey(url);
  const truck = goodTruck();
  expect((await send(`${url}/v1/inventory`, key, truck)).status).toBe(201);
  const records = Array.from({ length: 500 }, (_, n) => goodTruck({ images: imagesFor(n) }));
  const batches = [1, 2, 3].map(() => send(`${url}/v1/inventory`, key, { records }).catch(() => 'cut'));
  // From here on the batches are being written.
  expect((await send(`${url}/v1/inventory/${truck.vin}`, key)).status).toBe(200);
  const sent = performance.now();
  npm.kill('SIGTERM');
  await once(npm, 'close');
  expect(performance.now() - sent).toBeLessThan(MAX_END_MS);
  expect(await Promise.all(batches)).toContain('cut');
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();

  const again = run('lib/local/main.ts', ['--no-docs'], { cwd: ROOT, env: environment() });
  const [, next = ''] = await again.said(BANNER);
  expect((await send(`${next}/v1/inventory/${truck.vin}`, key)).status).toBe(200);
});

const imagesFor = (truck: number) =>
  Array.from({ length: 80 }, (_, n) => `https://photos.invalid/${truck}/${n}.jpg`);

async function newKey(url: string): Promise<string> {
  const { id } = await (
    await send(`${url}/api/admin/accounts`, ADMIN_TOKEN, { name: 'M', tier: 'pro' })
  ).json();
  const body = { account_id: id, kind: 'secret' };
  return (await (await send(`${url}/api/admin/keys`, ADMIN_TOKEN, body)).json()).key;
}

/** Of a browser in which the operator signed in. */
async function operatorCookie(url: string): Promise<string> {
  const link = await (await send(`${url}/api/admin/sign-in-links`, ADMIN_TOKEN, {})).json();
  const answer = await fetch(link.url, {
    method: 'POST',
    body: new URLSearchParams({ action: 'sign_in' }),
    redirect: 'manual',
    headers: { origin: new URL(url).origin },
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

test('a full disk refuses writes and is read; a folder that is gone ends the process', async () => {
  const first = run('lib/local/main.ts', ['--no-docs'], { cwd: ROOT, env: environment() });
  const [, url = ''] = await first.said(BANNER);
  const key = await newKey(url);
  const truck = goodTruck();
  expect((await send(`${url}/v1/inventory`, key, truck)).status).toBe(201);
  const cookie = await operatorCookie(url);
  first.child.kill('SIGTERM');
  expect(await first.ended).toEqual({ code: 0, signal: null });

  const full = environment({ MIN_FREE_DISK_MB: '999999999' });
  const second = run('lib/local/main.ts', ['--no-docs'], { cwd: ROOT, env: full });
  const [, again = ''] = await second.said(BANNER);
  const refused = await send(`${again}/v1/inventory`, key, goodTruck());
  const { code, message } = (await refused.json()).error;
  expect([refused.status, code, message]).toEqual([
    500,
    'INTERNAL_ERROR',
    expect.stringMatching('nearly full'),
  ]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send(`${again}/v1/inventory/${truck.vin}`, key)).status).toBe(200);
  const page = await fetch(`${again}/dashboard/operator/health`, { headers: { cookie } });
  expect([page.status, (await page.text()).includes('The disk is nearly full')]).toEqual([200, true]);
  const deep = await (await send(`${again}/api/health?deep=1`, ADMIN_TOKEN)).json();
  expect([deep.status, deep.parts.disk.ok, deep.parts.writes.ok]).toEqual(['degraded', false, false]);

  await rm(join(folder, 'data'), { recursive: true });
  expect((await second.ended).code).toBe(1);
  expect(second.output()).toMatch(/The data folder .* is gone/);
});

test('the last of a disk is kept for accounts that write little', async () => {
  const { bavail, bsize } = await statfs(folder);
  const third = String(Math.floor((bavail * bsize) / 3 / 1024 ** 2));
  const service = run('lib/local/main.ts', ['--no-docs'], {
    cwd: ROOT,
    env: environment({ MIN_FREE_DISK_MB: third }),
  });
  const [, url = ''] = await service.said(BANNER);
  const [greedy, modest] = [await newKey(url), await newKey(url)];
  const notes = 'A truck with much to say about it. '.repeat(200);
  const sendMuch = () =>
    send(`${url}/v1/inventory`, greedy, { records: Array.from({ length: 500 }, () => goodTruck({ notes })) });
  let answer = await sendMuch();
  for (let batch = 1; batch < 8 && answer.ok; batch += 1) answer = await sendMuch();
  const { error } = await answer.json();
  expect([error.code, error.message]).toEqual([
    'INTERNAL_ERROR',
    expect.stringMatching('little of the disk is left'),
  ]);
  expect((await send(`${url}/v1/inventory`, modest, goodTruck())).status).toBe(201);
});
