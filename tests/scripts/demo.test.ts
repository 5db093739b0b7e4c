import { execSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { STAGE_CODES } from '../../lib/errors.ts';
import { dealerRows, type ExpectedOutcome } from '../../scripts/demo/dealer-file.ts';
import { run, testFolder } from '../local/processes.ts';
import { listenHttp } from '../support/servers/ports.ts';

const start = (DATA_DIR: string, PORT: string, ...options: string[]) =>
  run('scripts/demo/main.ts', options, { env: { DATA_DIR, PORT } });

/** What a run that goes well prints. */
async function runOnce(dataDir: string, port: string): Promise<string> {
  const { exit, output } = start(dataDir, port, '--once');
  expect((await exit).code, output()).toBe(0);
  return output();
}

/** The number that stands behind a name of the summary. */
const readCount = (name: string, stdout: string) =>
  Number(new RegExp(`^ +${name} +([\\d,]+)`, 'm').exec(stdout)?.[1]?.replaceAll(',', ''));

const rows = dealerRows(2_500, new Date().getUTCFullYear());
const countRows = (...outcomes: ExpectedOutcome[]) =>
  rows.filter(({ outcome }) => outcomes.includes(outcome)).length;

test('the demo lists what is good, says how to mend the rest, and finds everything unchanged the second time', async () => {
  const dataDir = await testFolder();
  // Somebody else has the port that the demo is asked to use.
  const occupant = await listenHttp(createServer());
  onTestFinished(occupant.close);
  const port = String(occupant.port);
  const first = await runOnce(dataDir, port);
  const counts = (printed: string) =>
    ['created', 'merged', 'unchanged', 'rejected'].map((name) => readCount(name, printed));
  const rejected = countRows(...STAGE_CODES.validate);
  expect(counts(first)).toEqual([countRows('stored', 'warned'), countRows('repeated'), 0, rejected]);
  for (const code of STAGE_CODES.validate)
    expect(first, code).toMatch(new RegExp(`^ +${countRows(code)} +${code} +\\S+`, 'm'));
  for (const line of [
    /available → sold/,
    /morning +succeeded: 60 new, 0 changed, 0 unchanged, 0 delisted, 0 rejected/,
    /evening +succeeded: 5 new, 8 changed, 46 unchanged, 6 delisted, 0 rejected/,
    /night +held: came in short: 35 trucks would go/,
  ])
    expect(first).toMatch(line);
  expect(first).not.toMatch(new RegExp(`127.0.0.1:${port}/|ctis_[sw]k_(live|test)_`));
  const file = join(dataDir, 'demo.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { key } = JSON.parse(await readFile(file, 'utf8'));
  const [, readKey = ''] = /^ +KEY=\$\((.+)\)$/m.exec(first) ?? [];
  expect(execSync(readKey, { encoding: 'utf8' }).trim()).toBe(key);

  const second = await runOnce(dataDir, port);
  expect(counts(second)).toEqual([0, 0, rows.length - rejected, rejected]);
  expect(second).toMatch(/sold → sold/);
}, 180_000);

test('the demo stays with a dealer’s site, whose widget may ask the service for the trucks', async () => {
  const { child, exit, waitForOutput } = start(await testFolder(), '0');
  const [, site = ''] = await waitForOutput(/The dealer’s site +(\S+)[\s\S]*keeps running/);
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
  child.kill('SIGTERM');
  expect((await exit).code).toBe(0);
}, 120_000);
