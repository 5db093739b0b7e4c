import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { print } from '../report.ts';

export const execute = promisify(execFile);

const PACKAGES = JSON.stringify({
  private: true,
  type: 'module',
  dependencies: {
    '@feathersjs/feathers': '5.0.50',
    '@feathersjs/knex': '5.0.50',
    '@feathersjs/koa': '5.0.50',
    directus: '12.4.0',
    knex: '3.1.0',
    pg: '8.23.1',
  },
  // Runs the scripts of extensions, needs a compiler, and is not asked for anything here.
  overrides: { 'isolated-vm': 'file:./no-sandbox' },
});
const NO_SANDBOX = JSON.stringify({ name: 'isolated-vm', version: '6.0.0', main: 'index.cjs' });

/** Installs the peers outside of the project, once a machine; answers the folder. Takes minutes and 700 MB. */
export async function installPeers(): Promise<string> {
  const folder = join(tmpdir(), 'ctis-bench-peers');
  const installed = join(folder, 'installed.json');
  const isThere = (await readFile(installed, 'utf8').catch(() => '')) === PACKAGES;
  await mkdir(join(folder, 'no-sandbox'), { recursive: true });
  await copyFile(join(import.meta.dirname, 'feathers.mjs'), join(folder, 'feathers.mjs'));
  if (isThere) return folder;
  print('Installing Feathers and Directus takes some minutes.');
  await writeFile(join(folder, 'no-sandbox', 'package.json'), NO_SANDBOX);
  await writeFile(join(folder, 'no-sandbox', 'index.cjs'), 'module.exports = { Isolate: class {} };\n');
  await writeFile(join(folder, 'package.json'), PACKAGES);
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  await execute('npm', ['install', ...options], { cwd: folder, maxBuffer: 2 ** 26 });
  await writeFile(installed, PACKAGES);
  return folder;
}
