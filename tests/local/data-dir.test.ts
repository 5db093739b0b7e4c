import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepSecret, openDataDir } from '../../lib/local/data-dir.ts';
import { endAll, run } from './processes.ts';

const script = join(import.meta.dirname, 'hold-data-dir.ts');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-dir-'));
});
afterEach(async () => {
  await endAll();
  await rm(folder, { recursive: true });
});

/** Starts a holder in a process of its own and waits until it has the folder. */
async function holder() {
  const process = run(script, [folder]);
  await process.said(/^won$/m);
  return process;
}

describe('the lock on the data folder', () => {
  it('a second process is refused, and the message says what to do', async () => {
    await holder();
    expect(() => openDataDir(folder)).toThrow(/in use by another process.*DATA_DIR=/);
  });

  it('the same process is refused a second time, and keeps what it holds', async () => {
    const dataDir = openDataDir(folder);
    expect(() => openDataDir(`${folder}/.`)).toThrow('in use by another process');
    const other = run(script, [folder]);
    await other.said(/^lost: .*is in use by/m);
    dataDir.release();
  });

  it('a released folder is free at once; releasing twice takes nothing from the next holder', async () => {
    const first = openDataDir(folder);
    first.release();
    const second = openDataDir(folder);
    first.release();
    const other = run(script, [folder]);
    await other.said(/^lost/m);
    second.release();
    await holder();
  });

  it('kill -9 gives the folder back at once, whatever the dead process left behind', async () => {
    const first = await holder();
    first.child.kill('SIGKILL');
    await first.ended;
    openDataDir(folder).release();
  });
});

describe('secrets in the data folder', () => {
  it('a secret is made once, survives, and only its owner may read it', async () => {
    expect(keepSecret(folder, 'ADMIN_TOKEN', () => 'first')).toBe('first');
    expect(keepSecret(folder, 'ADMIN_TOKEN', () => 'second')).toBe('first');
    expect((await stat(join(folder, 'secrets', 'ADMIN_TOKEN'))).mode & 0o777).toBe(0o600);
  });

  it('a secret is not written to where a link of a foreseeable name leads', async () => {
    await mkdir(join(folder, 'secrets'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'secrets', `ADMIN_TOKEN.${process.pid}`));
    expect(keepSecret(folder, 'ADMIN_TOKEN', () => 'mine')).toBe('mine');
    await expect(stat(join(folder, 'elsewhere'))).rejects.toThrow('ENOENT');
  });

  it('a folder made for the data is closed to other users', async () => {
    const dataDir = openDataDir(join(folder, 'new'));
    expect((await stat(dataDir.path)).mode & 0o777).toBe(0o700);
    dataDir.release();
  });

  it('an emptied secret is told, not silently replaced', async () => {
    keepSecret(folder, 'CRON_SECRET', () => 'x');
    await writeFile(join(folder, 'secrets', 'CRON_SECRET'), '');
    expect(() => keepSecret(folder, 'CRON_SECRET', () => 'y')).toThrow(/is empty/);
  });
});

it('a folder that cannot be made is refused with a remedy', () => {
  expect(() => openDataDir('/dev/null/data')).toThrow(/cannot be used .*DATA_DIR=/);
});
