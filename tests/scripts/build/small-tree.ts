import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { apiFiles, bundleFunction } from '../../../scripts/build.ts';
import { type Output, readOutput, stage } from '../../../scripts/verify-build/output.ts';

/** A service of four functions, small enough to build and emit in a test. */
export const TREE: Record<string, string> = {
  'package.json': '{ "type": "module" }',
  'vercel.json': '{ "crons": [{ "path": "/api/cron/sweep", "schedule": "17 * * * *" }] }',
  'public/openapi.json': '{}',
  'public/docs/index.html': '<h1>docs</h1>',
  'lib/data/places.bin': 'twelve bytes',
  'lib/answer.ts': `
    export const answer = (name: string) => ({
      fetch: async (request: Request) => {
        const { search } = new URL(request.url);
        const error = { code: name === 'not-found' ? 'NOT_FOUND' : 'UNAUTHORIZED', message: name, details: { search } };
        const status = name === 'not-found' ? 404 : 401;
        return Response.json({ error }, { status, headers: { 'x-request-id': 'req_1' } });
      },
    });`,
  'lib/outside/places.ts': `
    import { readFile } from 'node:fs/promises';
    export const size = async () => (await readFile(new URL('../data/places.bin', import.meta.url))).length;`,
  'api/v1/trucks/index.js': `
    import { answer } from '../../../lib/answer.ts';
    const { fetch } = answer('trucks');
    const sized = async () => Response.json(await (await import('../../../lib/outside/places.ts')).size());
    export default { fetch: (request) => (request.headers.has('authorization') ? sized() : fetch(request)) };`,
  'api/v1/trucks/[vin].js': `import { answer } from '../../../lib/answer.ts';\nexport default answer('truck');`,
  'api/cron/sweep.js': `import { answer } from '../../lib/answer.ts';\nexport default answer('sweep');`,
  'api/not-found.js': `import { answer } from '../lib/answer.ts';\nexport default answer('not-found');`,
};

/** What `vercel build` makes of rewrites like ours, in the order it emits them. */
export const ROUTES: Output['routes'] = [
  { src: '^(?:/(.*))$', headers: { 'X-Content-Type-Options': 'nosniff' }, continue: true },
  { handle: 'filesystem' },
  { src: '^/v1/trucks(?:/([^/]+?))$', dest: '/api/v1/trucks/[vin]?vin=$1', check: true },
  { src: '^/api/v1/trucks(?:/([^/]+?))$', dest: '/api/v1/trucks/[vin]?vin=$1', check: true },
  { src: '^/v1(?:/((?:[^/]+?)(?:/(?:[^/]+?))*))?$', dest: '/api/v1/$1', check: true },
  { src: '^/api(?:/((?:[^/]+?)(?:/(?:[^/]+?))*))?$', dest: '/api/not-found?path=$1', check: true },
  { src: '^(?:/(.*))$', dest: '/api/not-found', check: true },
  { src: '^/api/v1/trucks/([^/]+)$', dest: '/api/v1/trucks/[vin]?vin=$1', check: true },
  { src: '^/api(/.*)?$', status: 404 },
  { handle: 'error' },
  { status: 404, src: '^(?!/api).*$', dest: '/404.html' },
];

/** Writes files below a fresh folder that goes when the test ends. */
export async function writeTree(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'ctis-tree-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) await writeInto(root, path, text);
  return root;
}

export async function writeInto(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

/** The small tree and its `.vercel/output`, written as the builder writes it; `spoil` plants a fault in it. */
export async function emit(spoil: (output: string) => Promise<unknown> = async () => {}) {
  const source = await writeTree(TREE);
  const folder = join(source, '.vercel/output');
  for (const file of apiFiles(source)) {
    const functionFolder = `functions/${file.replace(/\.js$/, '.func')}`;
    const bundle = await bundleFunction(source, file);
    for (const { path, text } of bundle) await writeInto(folder, `${functionFolder}/${path}`, text);
    await writeInto(folder, `${functionFolder}/package.json`, '{ "type": "module" }');
    const filePathMap = { 'lib/data/places.bin': 'lib/data/places.bin' };
    const config = { handler: bundle[0]?.path, runtime: 'nodejs24.x', maxDuration: 300, filePathMap };
    await writeInto(folder, `${functionFolder}/.vc-config.json`, JSON.stringify(config));
  }
  await writeInto(folder, 'static/openapi.json', '{}');
  await writeInto(folder, 'static/docs/index.html', '<h1>docs</h1>');
  const { crons } = JSON.parse(TREE['vercel.json'] ?? '{}');
  await writeInto(folder, 'config.json', JSON.stringify({ version: 3, routes: ROUTES, crons }));
  await spoil(folder);
  const output = await readOutput(source, folder);
  return { source, output, staged: await stage(output, join(source, '.vercel/staged')) };
}
