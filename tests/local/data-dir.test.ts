import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataDirTaken, DataDirUnusable, keepSecret, openDataDir } from '../../lib/local/data-dir.ts';
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
  it('a second process is refused, told who holds the folder and what to do', async () => {
    const first = await holder();
    const refused = openDataDir(folder);
    await expect(refused).rejects.toBeInstanceOf(DataDirTaken);
    await expect(refused).rejects.toThrow(new RegExp(`process ${first.child.pid} .*DATA_DIR=`));
  });

  it('the same process is refused a second time, and keeps what it holds', async () => {
    const dataDir = await openDataDir(folder);
    await expect(openDataDir(`${folder}/.`)).rejects.toThrow(/this process already/);
    const other = run(script, [folder]);
    await other.said(/^lost: .*is in use by process/m);
    dataDir.release();
  });

  it('a released folder is free at once; releasing twice takes nothing from the next holder', async () => {
    const first = await openDataDir(folder);
    first.release();
    const second = await openDataDir(folder);
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
    expect(JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8'))).toMatchObject({
      pid: first.child.pid,
    });
    (await openDataDir(folder)).release();
  });
});

describe('secrets in the data folder', () => {
  it('a secret is made once, survives, and only its owner may read it', async () => {
    const dataDir = await openDataDir(folder);
    expect(dataDir.secret('ADMIN_TOKEN', () => 'first')).toBe('first');
    dataDir.release();
    const again = await openDataDir(folder);
    expect(again.secret('ADMIN_TOKEN', () => 'second')).toBe('first');
    again.release();
    expect((await stat(join(folder, 'secrets', 'ADMIN_TOKEN'))).mode & 0o777).toBe(0o600);
  });

  it('a folder made for the data is closed to other users', async () => {
    const dataDir = await openDataDir(join(folder, 'new'));
    expect((await stat(dataDir.path)).mode & 0o777).toBe(0o700);
    dataDir.release();
  });

  it('an emptied secret is told, not silently replaced', async () => {
    keepSecret(folder, 'CRON_SECRET', () => 'x');
    await writeFile(join(folder, 'secrets', 'CRON_SECRET'), '');
    expect(() => keepSecret(folder, 'CRON_SECRET', () => 'y')).toThrow(/is empty/);
  });
});

it.each(['/proc/data', '/proc/a/b/c', '/dev/null/data'])(
  '%s is refused with a remedy, at once',
  async (path) => {
    const refused = openDataDir(path);
    await expect(refused).rejects.toBeInstanceOf(DataDirUnusable);
    await expect(refused).rejects.toThrow(/cannot be used .*DATA_DIR=/);
  },
);
