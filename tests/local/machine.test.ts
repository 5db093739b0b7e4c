import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { keepSecret } from '../../lib/local/data-dir.ts';
import { goodTruck } from '../support/service/service.ts';
import { ask, BANNER, runCommand, testFolder } from './processes.ts';

/** 5 s of a machine that has time for it. That nothing waited for the batch shows in its being cut off. */
const MAX_END_MS = 20_000;

// A new database takes seconds on a busy machine.
test('SIGTERM to `npm start` ends the service within 5 s, also while its database is busy', {
  timeout: 240_000,
}, async () => {
  const folder = await testFolder();
  const [DATA_DIR, ADMIN_TOKEN] = [join(folder, 'data'), 'operator'];
  const npm = runCommand('npm', ['start', '--', '--no-docs'], {
    env: { HOME: folder, PORT: '0', DATA_DIR, ADMIN_TOKEN, LOG: 'silent' },
  });
  const [, url = ''] = await npm.waitForOutput(BANNER);
  const account = await ask(`${url}/api/admin/accounts`, ADMIN_TOKEN, { name: 'M', tier: 'pro' });
  const key = { account_id: account.body.id, kind: 'secret' };
  const { body } = await ask(`${url}/api/admin/keys`, ADMIN_TOKEN, key);

  // Every write of listings waits.
  const [, , , port] = (await readFile(join(DATA_DIR, 'postgres/postmaster.pid'), 'utf8')).split('\n');
  const password = keepSecret(DATA_DIR, 'POSTGRES_PASSWORD');
  const lock = new pg.Client(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
  lock.on('error', () => {});
  onTestFinished(() => lock.end().catch(() => undefined));
  await lock.connect();
  await lock.query('begin; lock table listings in exclusive mode');
  const batch = ask(`${url}/v1/inventory`, body.key, { records: [goodTruck()] }).catch(() => 'cut');
  const listWaiting = () => lock.query('select from pg_locks where not granted');
  await expect.poll(async () => (await listWaiting()).rowCount).toBeGreaterThan(0);

  const signalledMs = performance.now();
  npm.child.kill('SIGTERM');
  await npm.exit;
  expect(performance.now() - signalledMs).toBeLessThan(MAX_END_MS);
  expect(await batch).toBe('cut');
  await expect(fetch(url)).rejects.toThrow();
});
