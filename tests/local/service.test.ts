import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../lib/connect.ts';
import { openDataDir } from '../../lib/local/data-dir.ts';
import { startService } from '../../lib/local/service.ts';
import { freePort, listen } from '../support/servers/ports.ts';
import { endAll, run, type Spawned } from './processes.ts';

const main = join(import.meta.dirname, '..', '..', 'lib', 'local', 'main.ts');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-'));
  // The database's user has to get through where root runs the tests.
  await chmod(folder, 0o755);
});
afterEach(async () => {
  await endAll();
  await rm(folder, { recursive: true });
});

/** Runs `npm start`'s script in the scratch folder, which is its data folder too unless `env` says otherwise. */
function start(env: Record<string, string> = {}): Spawned {
  return run(main, ['--no-docs'], { cwd: folder, env: { PORT: '0', DATA_DIR: 'data', ...env } });
}

async function started(env: Record<string, string> = {}) {
  const process = start(env);
  const [, url = ''] = await process.said(/(http:\/\/127\.0\.0\.1:\d+)\n[\s\S]*Stop/);
  const [, file] = /ADMIN_TOKEN {2}\(generated, kept in (\S+)\)/.exec(process.output()) ?? [];
  const token = file === undefined ? '' : (await readFile(join(folder, file), 'utf8')).trim();
  return { process, url, token };
}

async function ask(url: string, token: string, body?: object) {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: await response.json() };
}

/** What a start that fails tells, and its exit code. */
async function failure(env: Record<string, string>) {
  const process = start(env);
  const { code } = await process.ended;
  return { code, told: process.output() };
}

describe('npm start', () => {
  it('serves the api tree with a generated token, and after kill -9 goes on at once with the same data', async () => {
    const first = await started();
    expect(await ask(`${first.url}/api/health`, '')).toMatchObject({ status: 200 });
    const account = await ask(`${first.url}/api/admin/accounts`, first.token, { name: 'Kept', tier: 'pro' });
    expect(account.status).toBe(201);
    first.process.child.kill('SIGKILL');
    await first.process.ended;

    const second = await started();
    expect(second.token).toBe(first.token);
    const again = await ask(`${second.url}/api/admin/accounts/${account.body.id}`, second.token);
    expect(again).toMatchObject({ status: 200, body: { name: 'Kept' } });
    expect(second.process.output()).not.toContain(second.token);
    expect(second.process.output()).not.toContain('/sign-in/link/');
    second.process.child.kill('SIGTERM');
    expect(await second.process.ended).toEqual({ code: 0, signal: null });
  });

  it('answers nobody, health neither, before the schema is there', async () => {
    const asked = Promise.withResolvers<void>();
    const silent = createServer((socket) => {
      socket.resume();
      asked.resolve();
    });
    const [port, database] = [await freePort(), await listen(silent)];
    const process = start({ PORT: String(port), POSTGRES_URL: `postgres://me@127.0.0.1:${database}/trucks` });
    await asked.promise;
    const answer = fetch(`http://127.0.0.1:${port}/api/health`).then(
      ({ status }) => status,
      () => null,
    );
    expect((await process.ended).code).toBe(1);
    expect(await answer).not.toBe(200);
    silent.close();
  });

  it('shows its token and a link to sign in on a terminal, and nowhere else', async () => {
    const onTerminal = '--import=data:text/javascript,process.stdout.isTTY=true';
    const { process, token } = await started({ NODE_OPTIONS: onTerminal });
    expect(token).not.toBe('');
    expect(process.output()).toContain(`: ${token}\n`);
    expect(process.output()).toMatch(/Dashboard .*\/dashboard\/sign-in\/link\/\S{40}/);
  });

  it('reads .env from where it is started; what the environment says goes over it', async () => {
    await writeFile(join(folder, '.env'), 'ADMIN_TOKEN=from-the-file\nDATA_DIR=elsewhere\n');
    const { process, url } = await started({ DATA_DIR: 'here' });
    expect(process.output()).toMatch(/Data .*here$/m);
    expect(process.output()).not.toContain('from-the-file');
    expect((await ask(`${url}/api/admin/accounts`, 'from-the-file')).status).toBe(200);
  });

  it('what the user can put right is told in a line, without a stack', async () => {
    await writeFile(join(folder, 'file'), '');
    const holder = createServer();
    const port = await listen(holder);
    const faults = [
      [{ PORT: String(port) }, /^Port \d+ on 127.0.0.1 is already in use: .*PORT=\d+\.\n$/],
      [
        { PORT: 'abc' },
        /^The environment is not usable:\n {2}- PORT: must be a whole number from 0 to 65535/,
      ],
      [{ FAIR_USE: 'maybe' }, /^The environment is not usable:\n {2}- FAIR_USE/],
      [{ DATA_DIR: 'file' }, /^The data folder .*file cannot be used .*DATA_DIR=…\n$/],
      [
        { POSTGRES_URL: 'postgres://u:hidden@127.0.0.1:1/x' },
        /^The service could not start: .* Check POSTGRES_URL\.\n$/,
      ],
    ] as const;
    for (const [env, message] of faults) {
      const { code, told } = await failure(env);
      expect([code, told]).toEqual([1, expect.stringMatching(message)]);
      expect(told).not.toMatch(/\n {4}at |hidden/);
    }
    holder.close();
  });
});

describe('startService', () => {
  it('runs in this process, holds the data folder, and leaves nothing behind when stopped', async () => {
    const env = { PORT: '0', LOG: 'silent', DATA_DIR: join(folder, 'data') };
    const service = await startService({ env });
    let isDone = false;
    try {
      expect(await ask(`${service.url}/api/admin/accounts`, service.adminToken)).toMatchObject({
        status: 200,
      });
      expect(await readFile(join(env.DATA_DIR, 'secrets/ADMIN_TOKEN'), 'utf8')).toBe(
        `${service.adminToken}\n`,
      );
      expect(() => openDataDir(env.DATA_DIR)).toThrow('in use by another process');
      const cronSecret = await readFile(join(env.DATA_DIR, 'secrets/CRON_SECRET'), 'utf8');
      const cron = await ask(`${service.url}/api/cron/housekeeping`, cronSecret.trim());
      expect(cron).toMatchObject({ status: 200, body: { outcome: 'done' } });
      const work = sleep(200).then(() => {
        isDone = true;
      });
      connect().background.run(work);
    } finally {
      await service.stop();
    }
    await service.stop();
    expect(isDone, 'work that went on after an answer was waited for').toBe(true);
    await expect(fetch(service.url)).rejects.toThrow();
    openDataDir(env.DATA_DIR).release();
  });

  it('a start that fails gives the folder back', async () => {
    const holder = createServer();
    const port = await listen(holder);
    const env = { PORT: String(port), LOG: 'silent', DATA_DIR: join(folder, 'data') };
    await expect(startService({ env })).rejects.toThrow(/already in use/);
    openDataDir(env.DATA_DIR).release();
    holder.close();
  });
});
