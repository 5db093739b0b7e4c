import { execSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STAGE_CODES } from '../../../lib/errors.ts';
import { dealerRows } from '../../../scripts/demo/dealer-file.ts';

interface Run {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

let dataDir: string;
/** Holds the port that the demo is asked to use. */
let occupant: Server;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demo-'));
  occupant = createServer();
  await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  occupant.close();
  await rm(dataDir, { recursive: true, force: true });
});

function demo(...options: string[]): Promise<Run> {
  const { port } = occupant.address() as AddressInfo;
  const child = spawn(process.execPath, ['scripts/demo/main.ts', ...options], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port) },
    timeout: 90_000,
  });
  const run: Run = { exitCode: null, stdout: '', stderr: '' };
  child.stdout.on('data', (data) => {
    run.stdout += data;
  });
  child.stderr.on('data', (data) => {
    run.stderr += data;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ ...run, exitCode }));
  });
}

/** The number that stands behind a name of the summary. */
function findNumber(name: string, run: Run): number {
  const found = run.stdout.match(new RegExp(`^ +${name} +([\\d,]+)`, 'm'));
  return Number(found?.[1]?.replaceAll(',', '') ?? Number.NaN);
}

describe('npm run demo -- --once, run twice in one data folder', () => {
  const rows = dealerRows({ currentYear: new Date().getUTCFullYear() });
  const fated = (...outcomes: string[]) => rows.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const refused = fated(...STAGE_CODES.validate);

  it('creates, merges and rejects as the file foretells, tells the fixes, and finds everything unchanged', async () => {
    const first = await demo('--once');
    expect(first.stderr).toBe('');
    expect(first.exitCode).toBe(0);
    expect(findNumber('created', first)).toBe(fated('stored', 'warned'));
    expect(findNumber('merged', first)).toBe(fated('repeated'));
    expect(findNumber('unchanged', first)).toBe(0);
    expect(findNumber('rejected', first)).toBe(refused);
    expect(findNumber('warnings', first)).toBe(fated('warned'));
    for (const code of STAGE_CODES.validate) {
      const block = new RegExp(`^ +${fated(code)} +${code} +record \\d+, .+\\n +\\S.+`, 'm');
      expect(first.stdout, code).toMatch(block);
    }
    expect(first.stdout).toMatch(/available → sold/);
    expect(first.stdout).toMatch(/reconcile 60 new, 0 changed, 0 as they were, 0 delisted, 0 rejected/);
    expect(first.stdout).toMatch(/reconcile 5 new, 8 changed, 46 as they were, 6 delisted, 0 rejected/);
    expect(first.stdout).toMatch(/held +35 trucks would go/);
    const { port } = occupant.address() as AddressInfo;
    expect(first.stdout).toMatch(/curl -s http:\/\/127\.0\.0\.1:\d+\/v1\/inventory\/[A-Z0-9]{17} -H/);
    expect(first.stdout).not.toContain(`127.0.0.1:${port}`);
    expect(first.stdout).not.toMatch(/ctis_[sw]k_(live|test)_/);

    const kept = join(dataDir, 'demo.json');
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    const seller = await readFile(kept, 'utf8');
    const [, findKey = ''] = /^ +KEY=\$\((.+)\)$/m.exec(first.stdout) ?? [];
    expect(execSync(findKey, { encoding: 'utf8' }).trim()).toBe(JSON.parse(seller).key);

    const second = await demo('--once');
    expect(second.stderr).toBe('');
    expect(second.exitCode).toBe(0);
    expect(await readFile(kept, 'utf8')).toBe(seller);
    expect(findNumber('created', second)).toBe(0);
    // The truck marked sold among them: PATCH makes the service look at it again, but nothing differs.
    expect(findNumber('unchanged', second)).toBe(rows.length - refused);
    expect(findNumber('merged', second)).toBe(0);
    expect(findNumber('rejected', second)).toBe(refused);
    expect(second.stdout).toMatch(/unchanged in \d.* \(first run: \d/);
    expect(second.stdout).toMatch(/All of this took \d.* \(first run: \d/);
    expect(second.stdout).toMatch(/sold → sold/);
  }, 180_000);

  it('ends with a reason and exit code 1 when it cannot run', async () => {
    const run = await demo('--twice');
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('unknown option --twice');
  }, 60_000);
});
