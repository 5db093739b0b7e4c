import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningService, startService } from '../../lib/local/service.ts';
import { newDatabase } from '../support/postgres/suite-database.ts';
import { runScript } from '../support/processes/run-script.ts';
import { createKey } from '../support/service/local-account.ts';

/** Clients that others' generators make of public/openapi.json compile, and work against the service. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENTS = join(ROOT, 'tests/fixtures/clients');
// Inside the tree, so that packages are found.
const folder = mkdtempSync(join(ROOT, 'node_modules/.clients-'));

let service: RunningService;
beforeAll(async () => {
  cpSync(CLIENTS, folder, { recursive: true });
  generate('openapi-typescript', 'bin/cli.js', [`${ROOT}public/openapi.json`, '-o', `${folder}/schema.ts`]);
  generate('@hey-api/openapi-ts', 'bin/run.js', [
    '-i',
    `${ROOT}public/openapi.json`,
    '-o',
    `${folder}/hey-api`,
    '--no-log-file',
  ]);
  const env = { DATA_DIR: join(folder, 'data'), POSTGRES_URL: await newDatabase() };
  service = await startService({ port: 0, quiet: true, env });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

function generate(name: string, bin: string, options: readonly string[]): void {
  const cli = join(ROOT, 'node_modules', name, bin);
  const env = { ...process.env, NODE_OPTIONS: `--import=${CLIENTS}/typescript-5.mjs` };
  const { status, stderr } = spawnSync(process.execPath, [cli, ...options], { env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

/** What the compiler of TypeScript says of the programs. */
function compile(): string {
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'preserve',
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  const files = ['with-openapi-fetch.ts', 'with-hey-api.ts'];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}

test('the programs that use them compile, and one that leaves the VIN out would not', () => {
  expect(compile()).toBe('');
});

test.each(['with-openapi-fetch', 'with-hey-api'])(
  'the one %s pushes, reprices, sells in bulk, reads and pages',
  async (name) => {
    const outfile = join(folder, `${name}.mjs`);
    const entry = join(folder, `${name}.ts`);
    await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' });
    const env = { BASE: service.url, KEY: await createKey(service) };
    const printed = await runScript(process.execPath, [outfile], env);
    expect(JSON.parse(printed)).toEqual({
      created: 3,
      outcome: 'merged',
      updated: 2,
      price: 58_500,
      code: 'NOT_FOUND',
      vins: ['1FUJHHDR0LLKB1002', '1XKYD49X7NJ471003', '3AKJHHDR0KSKA1234'],
    });
  },
);
