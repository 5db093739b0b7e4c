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

/** The client that another's generator makes of public/openapi.json compiles, and works against the service. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENTS = join(ROOT, 'tests/fixtures/clients');
// Inside the tree, so that packages are found.
const folder = mkdtempSync(join(ROOT, 'node_modules/.clients-'));

let service: RunningService;
beforeAll(async () => {
  cpSync(CLIENTS, folder, { recursive: true });
  const generator = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
  const { status, stderr } = spawnSync(
    process.execPath,
    [generator, `${ROOT}public/openapi.json`, '-o', `${folder}/schema.ts`],
    { env: { ...process.env, NODE_OPTIONS: `--import=${CLIENTS}/typescript-5.mjs` }, encoding: 'utf8' },
  );
  expect(status, stderr).toBe(0);
  const env = { PORT: '0', LOG: 'silent', DATA_DIR: join(folder, 'data'), POSTGRES_URL: await newDatabase() };
  service = await startService({ env });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

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
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['with-openapi-fetch.ts'] }),
  );
  const tsc = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}

test('the program that uses it compiles, and one that leaves the VIN out would not', () => {
  expect(compile()).toBe('');
});

test('it pushes, reprices, reads and pages', async () => {
  const outfile = join(folder, 'client.mjs');
  const entry = join(folder, 'with-openapi-fetch.ts');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' });
  const env = { BASE: service.url, KEY: await createKey(service) };
  const printed = await runScript(process.execPath, [outfile], env);
  expect(JSON.parse(printed)).toEqual({
    created: 3,
    outcome: 'merged',
    price: 58_500,
    code: 'NOT_FOUND',
    vins: ['1FUJHHDR0LLKB1002', '1XKYD49X7NJ471003', '3AKJHHDR0KSKA1234'],
  });
});
