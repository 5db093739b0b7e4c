import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { goodTruck } from '../support/service/service.ts';
import { endAll, run } from './processes.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ADMIN_TOKEN = 'operator';
const BANNER = /(http:\/\/127\.0\.0\.1:\d+)\n[\s\S]*Stop/;
/** 5 s of a machine that has time for it. That nothing waited for the batch shows in its being cut off. */
const MAX_END_MS = 20_000;
let folder: string;

// Each new database takes seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ctis-machine-'));
  // The database's user has to get through where root runs the tests.
  await chmod(folder, 0o755);
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
  const lock = await lockListings();
  const batch = send(`${url}/v1/inventory`, key, { records: [goodTruck()] }).catch(() => 'cut');
  expect((await send(`${url}/v1/inventory/${truck.vin}`, key)).status).toBe(200);
  const sent = performance.now();
  npm.kill('SIGTERM');
  await once(npm, 'close');
  expect(performance.now() - sent).toBeLessThan(MAX_END_MS);
  expect(await batch).toBe('cut');
  await lock.end().catch(() => undefined);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();

  const again = run('lib/local/main.ts', ['--no-docs'], { cwd: ROOT, env: environment() });
  const [, next = ''] = await again.said(BANNER);
  expect((await send(`${next}/v1/inventory/${truck.vin}`, key)).status).toBe(200);
});

/** Has every write of listings wait. */
async function lockListings(): Promise<pg.Client> {
  const read = (path: string) => readFile(join(folder, 'data', path), 'utf8');
  const [, , , port] = (await read('postgres/postmaster.pid')).split('\n');
  const password = (await read('secrets/POSTGRES_PASSWORD')).trim();
  const client = new pg.Client(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
  client.on('error', () => {});
  await client.connect();
  await client.query('begin; lock table listings in exclusive mode');
  return client;
}

async function newKey(url: string): Promise<string> {
  const { id } = await (
    await send(`${url}/api/admin/accounts`, ADMIN_TOKEN, { name: 'M', tier: 'pro' })
  ).json();
  const body = { account_id: id, kind: 'secret' };
  return (await (await send(`${url}/api/admin/keys`, ADMIN_TOKEN, body)).json()).key;
}
