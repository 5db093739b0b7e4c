import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../../lib/local/postgres/embedded-postgres.ts';
import { StartFault } from '../../../lib/local/start-fault.ts';
import { runAt } from '../../support/postgres/postgres.ts';
import { suiteFolder } from '../../support/processes/suite-folder.ts';

const parent = await suiteFolder();

async function start(name: string, more: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
  const server = await startEmbeddedPostgres({ folder: join(parent, name), password: 'right', ...more });
  onTestFinished(server.stop);
  return server;
}

test('acknowledged data outlives any end of the server; only its password opens it, over loopback alone', async () => {
  const onLost = vi.fn();
  const expectKept = async ({ url }: { url: string }) =>
    expect(await runAt(url, 'select id from kept')).toEqual([{ id: 7 }]);
  const first = await start('kept');
  await runAt(first.url, 'create table kept as select 7 as id');
  expect(await runAt(first.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  await expect(runAt(first.url.replace('right', 'wrong'), 'select 1')).rejects.toThrow('password');
  await first.stop();
  expect(() => process.kill(first.pid, 0)).toThrow();

  const left = await start('kept');
  await expectKept(left);
  // A server that a killed process left behind is ended.
  const killed = await start('kept', { onLost });
  await expect(runAt(left.url, 'select 1')).rejects.toThrow();
  await expectKept(killed);

  process.kill(killed.pid, 'SIGKILL');
  await expect.poll(() => onLost.mock.calls).toEqual([[expect.stringContaining('kept.log')]]);
  // Another process that has its pid by now is left alone.
  const other = spawn('sleep', ['600']);
  onTestFinished(() => void other.kill());
  await writeFile(join(parent, 'kept/postmaster.pid'), `${other.pid}\n${join(parent, 'kept')}\n`);
  await expectKept(await start('kept'));
  expect(other.exitCode).toBeNull();
});

test('an interrupted first start begins anew', async () => {
  await mkdir(join(parent, 'anew.new', 'base'), { recursive: true });
  expect(await runAt((await start('anew')).url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a platform without a binary is refused by a sentence that names POSTGRES_URL', async () => {
  const { arch } = process;
  Object.defineProperty(process, 'arch', { value: 'mips' });
  onTestFinished(() => void Object.defineProperty(process, 'arch', { value: arch }));
  await expect(start('mips')).rejects.toThrow(/on mips: set POSTGRES_URL/);
});

test('a database that does not start says what its log says', async () => {
  const startup = start('failed', { settings: ['shared_buffers=much'] });
  await expect(startup).rejects.toThrow(StartFault);
  await expect(startup).rejects.toThrow('invalid value for parameter "shared_buffers"');
});

test.runIf(process.getuid?.() === 0)(
  'for root, a folder that its user may not enter is refused with a remedy',
  async () => {
    await mkdir(join(parent, 'closed/data'), { recursive: true, mode: 0o700 });
    await expect(start('closed/data/postgres')).rejects.toThrow(
      /cannot be made\. PostgreSQL does not run as root: .*chmod o\+x/,
    );
  },
);
