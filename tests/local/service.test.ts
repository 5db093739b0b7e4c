import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../lib/connect.ts';
import { openDataDir } from '../../lib/local/data-dir.ts';
import { startService } from '../../lib/local/service.ts';
import { freePort, listen } from '../support/servers/ports.ts';
import { ask, BANNER, run, testFolder } from './processes.ts';

const main = join(import.meta.dirname, '../../lib/local/main.ts');
let folder: string;

beforeEach(async () => {
  folder = await testFolder();
});

/** Runs `npm start`'s script in the scratch folder, which is its data folder too unless `env` says otherwise. */
const start = (env: Record<string, string> = {}) =>
  run(main, ['--no-docs'], { cwd: folder, env: { PORT: '0', DATA_DIR: 'data', ...env } });

async function startServing(env: Record<string, string> = {}) {
  const process = start(env);
  const [banner, url = ''] = await process.waitForOutput(BANNER);
  const [, file = ''] = /ADMIN_TOKEN {2}\(generated, kept in (\S+)\)/.exec(banner) ?? [];
  const token = file && (await readFile(join(folder, file), 'utf8')).trim();
  return { process, url, token, banner };
}

describe('npm start', () => {
  it('serves the api tree with a generated token, and after kill -9 goes on at once with the same data', async () => {
    const first = await startServing();
    expect(await ask(`${first.url}/api/health`, '')).toMatchObject({ status: 200 });
    const accounts = '/api/admin/accounts';
    const account = await ask(first.url + accounts, first.token, { name: 'Kept', tier: 'pro' });
    expect(account.status).toBe(201);
    first.process.child.kill('SIGKILL');
    await first.process.exit;

    const second = await startServing();
    expect(second.token).toBe(first.token);
    const answer = await ask(`${second.url}${accounts}/${account.body.id}`, second.token);
    expect(answer).toMatchObject({ status: 200, body: { name: 'Kept' } });
    for (const secret of [second.token, '/sign-in/link/']) expect(second.banner).not.toContain(secret);
    second.process.child.kill('SIGTERM');
    expect(await second.process.exit).toEqual({ code: 0, signal: null });
  });

  it('answers no request, not even health, before the schema is migrated', async () => {
    const request = Promise.withResolvers<void>();
    const silent = createServer((socket) => {
      socket.resume();
      request.resolve();
    });
    const [port, database] = [await freePort(), await listen(silent)];
    const process = start({ PORT: String(port), POSTGRES_URL: `postgres://me@127.0.0.1:${database}/trucks` });
    await request.promise;
    await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
    expect((await process.exit).code).toBe(1);
    silent.close();
  });

  it('shows its token and a link to sign in on a terminal, and nowhere else', async () => {
    const onTerminal = '--import=data:text/javascript,process.stdout.isTTY=true';
    const { banner, token } = await startServing({ NODE_OPTIONS: onTerminal });
    expect(token).not.toBe('');
    expect(banner).toContain(`: ${token}\n`);
    expect(banner).toMatch(/Dashboard .*\/dashboard\/sign-in\/link\/\S{40}/);
  });

  it('reads .env from its working directory; the environment overrides it', async () => {
    await writeFile(join(folder, '.env'), 'ADMIN_TOKEN=from-the-file\nDATA_DIR=elsewhere\n');
    const { banner, url } = await startServing({ DATA_DIR: 'here' });
    expect(banner).toMatch(/Data .*here$/m);
    expect(banner).not.toContain('from-the-file');
    expect((await ask(`${url}/api/admin/accounts`, 'from-the-file')).status).toBe(200);
  });

  it('a fault that the user can mend is one line without a stack', async () => {
    await writeFile(join(folder, 'file'), '');
    const holder = createServer();
    const PORT = String(await listen(holder));
    const faults = [
      [{ PORT }, /^Port \d+ on 127.0.0.1 is already in use: .*PORT=\d+\.\n$/],
      [
        { PORT: 'abc' },
        /^The environment is not usable:\n {2}- PORT: must be a whole number from 0 to 65535/,
      ],
      [{ DATA_DIR: 'file' }, /^The data folder .*file cannot be used .*DATA_DIR=…\n$/],
      [
        { POSTGRES_URL: 'postgres://u:hidden@127.0.0.1:1/x' },
        /^The service could not start: .* Check POSTGRES_URL\.\n$/,
      ],
    ] as const;
    for (const [env, message] of faults) {
      const { exit, output } = start(env);
      expect([(await exit).code, output()]).toEqual([1, expect.stringMatching(message)]);
      expect(output()).not.toMatch(/\n {4}at |hidden/);
    }
    holder.close();
  });
});

it('startService holds the data folder, calls crons, waits for what goes on, and leaves nothing behind', async () => {
  const DATA_DIR = join(folder, 'data');
  const service = await startService({ env: { PORT: '0', LOG: 'silent', DATA_DIR } });
  expect(() => openDataDir(DATA_DIR)).toThrow('in use by another process');
  const cronSecret = await readFile(join(DATA_DIR, 'secrets/CRON_SECRET'), 'utf8');
  const cron = await ask(`${service.url}/api/cron/housekeeping`, cronSecret.trim());
  expect(cron).toMatchObject({ status: 200, body: { outcome: 'done' } });
  let isDone = false;
  const work = sleep(200).then(() => {
    isDone = true;
  });
  connect().background.run(work);
  await service.stop();
  await service.stop();
  expect(isDone, 'work that went on after an answer was waited for').toBe(true);
  await expect(fetch(service.url)).rejects.toThrow();
  openDataDir(DATA_DIR).release();
});
