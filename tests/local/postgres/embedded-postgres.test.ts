import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../lib/local/postgres/embedded-postgres.ts';
import { StartFault } from '../../../lib/local/start-fault.ts';

let parent: string;
let running: EmbeddedPostgres[];
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'ctis-embedded-'));
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.stop();
  await rm(parent, { recursive: true });
});

async function start(more: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {}) {
  const server = await startEmbeddedPostgres({
    folder: join(parent, 'postgres'),
    password: 'right',
    ...more,
  });
  running.push(server);
  return server;
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('it keeps what it acknowledged, for who knows the password and comes over loopback', async () => {
  const first = await start();
  await query(first.url, 'create table kept as select 7 as id');
  expect(await query(first.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  await expect(query(first.url.replace('right', 'wrong'), 'select 1')).rejects.toThrow('password');
  await first.stop();
  expect(() => process.kill(first.pid, 0)).toThrow();
  const second = await start();
  expect(await query(second.url, 'select id from kept')).toEqual([{ id: 7 }]);
});

test('a server that was left behind is ended, and what it acknowledged stays', async () => {
  const left = await start();
  await query(left.url, 'create table kept as select 7 as id');
  const next = await start();
  await expect(query(left.url, 'select 1')).rejects.toThrow();
  expect(await query(next.url, 'select id from kept')).toEqual([{ id: 7 }]);
});

test('another process that has the pid of a server that was killed is left alone', async () => {
  const killed = await start();
  await query(killed.url, 'create table kept as select 7 as id');
  process.kill(killed.pid, 'SIGKILL');
  const other = spawn('sleep', ['600']);
  await writeFile(join(parent, 'postgres', 'postmaster.pid'), `${other.pid}\n${join(parent, 'postgres')}\n`);
  const next = await start();
  expect(await query(next.url, 'select id from kept')).toEqual([{ id: 7 }]);
  expect(other.exitCode).toBeNull();
  other.kill();
});

test('a first start that was cut off is begun anew', async () => {
  await mkdir(join(parent, 'postgres.new', 'base'), { recursive: true });
  expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('that it ended although nobody asked it to is reported once', async () => {
  const onLost = vi.fn();
  const server = await start({ onLost });
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => onLost.mock.calls).toEqual([[expect.stringContaining('postgres.log')]]);
});

test('a platform without a binary is refused by a sentence that names POSTGRES_URL', async () => {
  const { arch } = process;
  Object.defineProperty(process, 'arch', { value: 'mips' });
  try {
    await expect(start()).rejects.toThrow(/on mips: set POSTGRES_URL/);
  } finally {
    Object.defineProperty(process, 'arch', { value: arch });
  }
});

test('a database that does not start says what its log says', async () => {
  const failed = start({ settings: ['shared_buffers=much'] });
  await expect(failed).rejects.toThrow(StartFault);
  await expect(failed).rejects.toThrow('invalid value for parameter "shared_buffers"');
});

test.runIf(process.getuid?.() === 0)(
  'for root, a folder that its user may not enter is refused with a remedy',
  async () => {
    const closed = join(parent, 'closed');
    await mkdir(join(closed, 'data'), { recursive: true });
    await chmod(closed, 0o700);
    const folder = join(closed, 'data', 'postgres');
    await expect(start({ folder })).rejects.toThrow(
      /cannot be made\. PostgreSQL does not run as root: .*chmod o\+x/,
    );
  },
);
