import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundleFunction } from '../../../scripts/build.ts';
import { PRODUCTION } from '../samples/production-env.ts';

const { POSTGRES_URL } = PRODUCTION;
const ROOT = new URL('../../..', import.meta.url).pathname;

/**
 * Bundles `source` as the api file `file`, calls its default export with `argument` in a process of its own that has
 * nothing but the bundle, and answers all that was printed: the result as JSON, or what went wrong.
 */
export async function runBundled(options: {
  file: string;
  source: string;
  argument: unknown;
  env: Readonly<Record<string, string>>;
}): Promise<string> {
  const { file, source, argument, env } = options;
  const folder = await mkdtemp(join(tmpdir(), 'ctis-bundle-'));
  try {
    const [tree, out] = [join(folder, 'tree'), join(folder, 'out')];
    await write(join(tree, 'package.json'), '{"type":"module"}');
    await write(join(tree, file), source);
    for (const name of ['lib', 'drizzle', 'node_modules']) await symlink(join(ROOT, name), join(tree, name));
    for (const { path, text } of await bundleFunction(tree, file)) await write(join(out, path), text);
    await write(join(out, 'package.json'), '{"type":"module"}');
    const run = `import probe from './${file}';
      probe(${JSON.stringify(argument)}).then((answer) => { console.log(JSON.stringify(answer)); process.exit(0); });`;
    await write(join(out, 'run.js'), run);
    return await printedBy(join(out, 'run.js'), env);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function printedBy(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH, VERCEL: '1', PREVIEW_OUTBOUND: 'yes', POSTGRES_URL, ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      printed += data;
    });
  await new Promise((resolve) => child.once('close', resolve));
  return printed.trim();
}
