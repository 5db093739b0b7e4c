import { type ChildProcess, execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { STAGE_CODES } from '../../lib/errors.ts';
import { dealerRows, type ExpectedOutcome } from '../../scripts/demo/dealer-file.ts';
import { listenHttp } from '../support/servers/ports.ts';

async function newDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function start(dataDir: string, port: string, ...options: string[]): ChildProcess {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: port };
  const child = spawn(process.execPath, ['scripts/demo/main.ts', ...options], { env, timeout: 90_000 });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function run(dataDir: string, port: string, ...options: string[]) {
  const child = start(dataDir, port, ...options);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (data) => {
      output[name] += data;
    });
  const [exitCode] = await once(child, 'close');
  return { ...output, exitCode };
}

/** The number that stands behind a name of the summary. */
const readCount = (name: string, stdout: string) =>
  Number(new RegExp(`^ +${name} +([\\d,]+)`, 'm').exec(stdout)?.[1]?.replaceAll(',', ''));

const rows = dealerRows(2_500, new Date().getUTCFullYear());
const countRows = (...outcomes: ExpectedOutcome[]) =>
  rows.filter(({ outcome }) => outcomes.includes(outcome)).length;

test('the demo lists what is good, says how to mend the rest, and finds everything unchanged the second time', async () => {
  const dataDir = await newDataDir();
  // Somebody else has the port that the demo is asked to use.
  const occupant = await listenHttp(createServer());
  onTestFinished(occupant.close);
  const port = occupant.host.split(':')[1] ?? '';
  const first = await run(dataDir, port, '--once');
  expect(first.stderr).toBe('');
  expect(first.exitCode).toBe(0);
  const counts = (stdout: string) =>
    ['created', 'merged', 'unchanged', 'rejected'].map((name) => readCount(name, stdout));
  const rejected = countRows(...STAGE_CODES.validate);
  expect(counts(first.stdout)).toEqual([countRows('stored', 'warned'), countRows('repeated'), 0, rejected]);
  for (const code of STAGE_CODES.validate)
    expect(first.stdout, code).toMatch(new RegExp(`^ +${countRows(code)} +${code} +\\S+`, 'm'));
  expect(first.stdout).toMatch(/available → sold/);
  expect(first.stdout).toMatch(/morning +succeeded: 60 new, 0 changed, 0 unchanged, 0 delisted, 0 rejected/);
  expect(first.stdout).toMatch(/evening +succeeded: 5 new, 8 changed, 46 unchanged, 6 delisted, 0 rejected/);
  expect(first.stdout).toMatch(/night +held: came in short: 35 trucks would go/);
  expect(first.stdout).not.toContain(`127.0.0.1:${port}/`);
  expect(first.stdout).not.toMatch(/ctis_[sw]k_(live|test)_/);
  const file = join(dataDir, 'demo.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const seller = await readFile(file, 'utf8');
  const [, readKey = ''] = /^ +KEY=\$\((.+)\)$/m.exec(first.stdout) ?? [];
  expect(execSync(readKey, { encoding: 'utf8' }).trim()).toBe(JSON.parse(seller).key);

  const second = await run(dataDir, port, '--once');
  expect(second.stderr).toBe('');
  expect(counts(second.stdout)).toEqual([0, 0, rows.length - rejected, rejected]);
  expect(second.stdout).toMatch(/sold → sold/);
  expect(await readFile(file, 'utf8')).toBe(seller);
}, 180_000);

test('the demo ends with a reason and exit code 1 when it cannot run', async () => {
  const { exitCode, stderr } = await run(await newDataDir(), '0', '--twice');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('unknown option --twice');
});

test('the demo stays with a dealer’s site, whose widget may ask the service for the trucks', async () => {
  const child = start(await newDataDir(), '0');
  let stdout = '';
  for await (const data of child.stdout ?? []) {
    stdout += data;
    if (stdout.includes('keeps running')) break;
  }
  const site = /The dealer’s site +(\S+)/.exec(stdout)?.[1] ?? '';
  const home = await (await fetch(site)).text();
  const tag = /<script async src="(\S+)\/widget\.js" data-dealer="([^"]+)" data-key="([^"]+)"/.exec(home);
  const [, service = '', slug, key] = tag ?? [];
  const [, vin = ''] = /href="\/trucks\/(\w{17})"/.exec(home) ?? [];
  expect(await (await fetch(`${site}/trucks/${vin}`)).text()).toContain(
    `"vehicleIdentificationNumber":"${vin}"`,
  );
  for (const origin of [site, site.replace('127.0.0.1', 'localhost')]) {
    const query = `dealerSlug=${slug}&visitorId=v&vin=${vin}`;
    const headers = { authorization: `Bearer ${key}`, origin };
    const answer = await fetch(`${service}/v1/widget/inventory?${query}`, { headers });
    expect(answer.status).toBe(200);
    expect((await answer.json()).vehicles[0].vin).toBe(vin);
  }
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
}, 120_000);
