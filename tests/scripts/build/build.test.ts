import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import {
  apiFiles,
  type BundledFile,
  bundleFunction,
  findNativePackages,
  writeBundle,
} from '../../../scripts/build.ts';
import { findUnusedAdapters, PORTS } from '../../../scripts/unused-adapters.ts';
import { TREE, writeTree } from './small-tree.ts';

const ROOT = join(import.meta.dirname, '../../..');

async function makeBundle(api: string, more: Record<string, string> = {}): Promise<BundledFile[]> {
  const root = await writeTree({ ...TREE, ...more, 'api/one.js': api });
  return bundleFunction(root, 'api/one.js');
}

it('a function that names no port ships no adapter with packages', async () => {
  const root = await writeTree({ ...TREE, 'api/none.js': 'export default {};' });
  const bringsPackages = (file: string) =>
    /(?:^import (?!type).*from|import\() ?'(?!node:|\.)/m.test(readFileSync(join(ROOT, file), 'utf8'));
  const files = globSync('lib/{outside/*/**,pipeline/vin-decoder,feeds/{files,sources}/**}/*.ts', {
    cwd: ROOT,
  });
  const folders = files.filter(bringsPackages).map((file) => file.split(sep).slice(1, 3).join('/'));
  expect(await findUnusedAdapters(root, 'api/none.js')).toEqual(
    expect.arrayContaining([...new Set(folders)]),
  );
});

/** The modules of ours that a function may come to load and that are handed ports. */
async function reachedModules(file: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['*/connect.ts'],
  });
  return Object.keys(metafile.inputs).filter(
    (path) => path.endsWith('.ts') && !/^lib\/(errors|warnings|truck)/.test(path),
  );
}

/** Without types and comments, so that a port's name stands only where it is used. */
async function readCode(file: string): Promise<string> {
  const { code } = await transform(readFileSync(join(ROOT, file), 'utf8'), { loader: 'ts' });
  return code;
}

it('every function that can reach an adapter ships it, native packages included', async () => {
  const codes = new Map<string, Promise<string>>();
  const rendering: string[] = [];
  for (const file of apiFiles(ROOT)) {
    const adapters = await findUnusedAdapters(ROOT, file);
    const ports = adapters.flatMap((folder) => PORTS[folder] ?? []);
    for (const path of await reachedModules(file)) {
      if (!codes.has(path)) codes.set(path, readCode(path));
      const code = (await codes.get(path)) ?? '';
      for (const port of ports)
        expect(code, `${file}: ${path}`).not.toMatch(new RegExp(`(?:\\.|[{,]\\s*)${port}\\b`));
    }
    expect(findNativePackages(adapters)).toEqual(adapters.includes('outside/imaging') ? [] : ['sharp']);
    if (!adapters.includes('outside/imaging')) rendering.push(file);
  }
  // It lists trucks too, and leaves their photos to the queue.
  expect(rendering).not.toContain('api/dashboard.js');
  expect(rendering).toEqual(expect.arrayContaining(['api/cron/due.js', 'api/v1/inventory/index.js']));
});

it('on the platform a build ends at once with every fault of the environment', () => {
  const env = { PATH: process.env.PATH, VERCEL: '1', VERCEL_ENV: 'production', CRON_SECRET: 'short' };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    env,
    // Long before it would replace anything.
    timeout: 20_000,
  });
  expect([status, stdout]).toEqual([1, '']);
  for (const name of ['POSTGRES_URL', 'UPSTASH_REDIS_REST_URL', 'CRON_SECRET', 'FEED_SECRET_KEY'])
    expect(stderr).toContain(`\n  - ${name}`);
  expect(stderr).not.toMatch(/\n {4}at /);
});

describe('a bundled function', () => {
  it('leaves out the adapters of ports that it never names', async () => {
    const lib = {
      'lib/connect.ts': `
        export const connect = () => ({
          mailer: { send: async () => (await import('./outside/mailer/smtp.ts')).send() },
          objects: { get: async () => (await import('./outside/objects/s3.ts')).get() },
        });`,
      'lib/outside/mailer/smtp.ts': `export const send = () => 'by SMTP';`,
      'lib/outside/objects/s3.ts': `export const get = () => 'from S3';`,
      'lib/read.ts': `export const read = ({ objects }: { objects: { get(): Promise<string> } }) => objects.get();`,
    };
    const bundle = await makeBundle(
      `import { connect } from '../lib/connect.ts';
       import { read } from '../lib/read.ts';
       export default { fetch: async () => read(connect()) };`,
      lib,
    );
    const code = bundle.map(({ text }) => text).join('');
    expect([code.includes('from S3'), code.includes('by SMTP')]).toEqual([true, false]);
  });

  it('finds data files beside its modules, from its own file and from a chunk', async () => {
    const root = await writeTree({
      ...TREE,
      'api/deep/in/one.js': `
        import { size } from '../../../lib/outside/places.ts';
        export default { fetch: async () => [await size(), await (await import('../../../lib/later.ts')).later()] };`,
      'lib/later.ts': `
        import { readFile } from 'node:fs/promises';
        export const later = async () => (await readFile(new URL('./data/places.bin', import.meta.url))).length;`,
    });
    await writeBundle(root, await bundleFunction(root, 'api/deep/in/one.js'));
    const { default: one } = await import(pathToFileURL(join(root, 'api/deep/in/one.js')).href);
    expect(await one.fetch()).toEqual([12, 12]);
  });

  it('is refused when a module asks for import.meta.dirname, which does not survive bundling', async () => {
    const lib = { 'lib/here.ts': 'export const here = import.meta.dirname;' };
    const bundling = makeBundle(`import { here } from '../lib/here.ts'; export default here;`, lib);
    await expect(bundling).rejects.toThrow('use import.meta.url');
  });
});
