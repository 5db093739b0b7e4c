import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { type Env, EnvError, NO_DATABASE, readEnv } from '../lib/env.ts';
import { findUnusedAdapters, withoutAdapters } from './unused-adapters.ts';

/**
 * `npm run build`: type check, the docs site, then one bundle per api file. On the platform (`VERCEL` is set) the
 * environment is checked first, the bundles replace the api files of that disposable checkout, and a production build
 * migrates the database last; anywhere else the bundles only prove that every function can be built, and nothing is written.
 */

/** A native package stays in node_modules; the platform's builder ships it with the functions that render images. */
const NATIVE = 'sharp';

/** The native packages that a function without the adapters `unused` may load. */
export const findNativePackages = (unusedAdapters: readonly string[]): string[] =>
  unusedAdapters.includes('outside/imaging') ? [] : [NATIVE];

/**
 * Packages no deployed function may load: optional accelerators whose users go on without
 * them. Each becomes a module that throws when it is evaluated.
 */
const ABSENT = [
  'bufferutil',
  'utf-8-validate',
  'pg-native',
  // Of ssh2.
  'cpu-features',
  './crypto/build/Release/sshcrypto.node',
];

/** A bundle has no folder of its own; ssh2 asks for one to find a program that only Windows runs. */
const WITHOUT_FOLDER = { __dirname: '"/"' };

/** `path` is relative to the root, with forward slashes; the first file of a bundle is the function itself. */
export interface BundledFile {
  path: string;
  text: string;
}

/** The api files below `root` that become functions, sorted; parts starting with `_` or `.` are none. */
export function apiFiles(root: string): string[] {
  return globSync('api/**/*.js', { cwd: root })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !/(^|\/)[._]/.test(file))
    .sort();
}

/**
 * Bundles one api file (relative to `root`) into ESM for Node 24; what is only imported dynamically is in chunks that a
 * cold start does not read, in a folder that the platform takes for no function. Names are kept, so that stack traces in
 * the log can be read. `packages`: where to look for packages beside the tree's own node_modules. Throws when an import
 * cannot be bundled.
 */
export async function bundleFunction(
  root: string,
  file: string,
  packages: readonly string[] = [],
): Promise<BundledFile[]> {
  const unusedAdapters = await findUnusedAdapters(root, file);
  const options = optionsFor(root, file, findNativePackages(unusedAdapters));
  const { outputFiles } = await build({
    ...options,
    nodePaths: [...packages],
    plugins: [withoutAdapters(root, unusedAdapters), ...options.plugins],
  });
  return outputFiles
    .map(({ path, text }) => ({ path: relative(root, path).split(sep).join('/'), text }))
    .map(({ path, text }) => ({ path, text: NEEDS_PREAMBLE.test(text) ? preamble(path) + text : text }))
    .sort((a, b) => Number(b.path === file) - Number(a.path === file));
}

function optionsFor(root: string, file: string, native: string[]) {
  const absent = native.length > 0 ? ABSENT : [...ABSENT, NATIVE];
  return {
    absWorkingDir: root,
    entryPoints: [file],
    outbase: root,
    outdir: root,
    chunkNames: `api/_chunks/${file.replace(/\W+/g, '-')}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"', ...WITHOUT_FOLDER },
    external: native,
    plugins: [absentPackages(absent), zodOfOthers, recordVersion(root), ownAddresses(root)],
  } as const satisfies BuildOptions;
}

/** What the preamble gives a file. */
const NEEDS_PREAMBLE = /\brequire\b|\b__own\b|\b__functionRoot\b/;

/**
 * CommonJS packages call `require`; modules ask where the function's root is. The platform's builder follows
 * `import.meta.url` and would ship files that only look needed. It cannot follow it through a call, and then ships
 * what vercel.json includes.
 */
function preamble(path: string): string {
  const up = '../'.repeat(path.split('/').length - 1);
  return [
    `import{createRequire as __createRequire}from'node:module';`,
    `const __own=((meta)=>meta.url)(import.meta),require=__createRequire(__own),`,
    `__functionRoot=new URL('${up}',__own);\n`,
  ].join('');
}

const absentPackages = (names: readonly string[]): Plugin => ({
  name: 'absent-packages',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(${names.join('|')})(/|$)`);
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'absent' }));
    onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of this deployed function`)})`,
    }));
  },
});

/**
 * Packages that load lazily get a zod of their own. Shared with ours, all of what they use of it, its 50 languages among
 * it, would be part of every cold start: half a megabyte.
 */
const zodOfOthers: Plugin = {
  name: 'zod-of-others',
  setup({ onResolve, onLoad, resolve: resolveAsUsual }) {
    const namespace = 'zod-of-others';
    onResolve({ filter: /^zod(\/|$)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === namespace || !importer.includes(`${sep}node_modules${sep}`)) return null;
      const resolution = await resolveAsUsual(path, { importer, resolveDir, kind, pluginData: namespace });
      return resolution.errors.length > 0
        ? resolution
        : { path: resolution.path, namespace, sideEffects: false };
    });
    onResolve({ filter: /^\./, namespace }, ({ path, importer }) => ({
      path: join(dirname(importer), path),
      namespace,
      sideEffects: false,
    }));
    onLoad({ filter: /./, namespace }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'js',
    }));
  },
};

/**
 * The version of stored documents is a hash over the tables of words. A function gets the hash alone: with the tables it
 * would load all words for trucks to look up one VIN.
 */
const RECORD_VERSION = 'lib/inventory/queries/record-version.ts';

const recordVersion = (root: string): Plugin => ({
  name: 'record-version',
  setup({ onLoad }) {
    onLoad({ filter: /record-version\.ts$/ }, async ({ path }) => {
      if (path !== join(root, RECORD_VERSION)) return null;
      const computed: { RECORD_VERSION: string } = await import(pathToFileURL(path).href);
      return { contents: `export const RECORD_VERSION = '${computed.RECORD_VERSION}';`, loader: 'js' };
    });
  },
});

/** `import.meta.url` goes on naming the module's place in the tree, so that data files are found beside it. */
function ownAddresses(root: string): Plugin {
  return {
    name: 'own-addresses',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path.includes(`${sep}node_modules${sep}`)) return null;
        const source = await readFile(path, 'utf8');
        if (/\bimport\.meta\.(dirname|filename)\b/.test(source))
          return { errors: [{ text: `${path}: use import.meta.url, which survives bundling` }] };
        const home = JSON.stringify(relative(root, path).split(sep).join('/'));
        const [call, worker] = WORKER_ADDRESS.exec(source) ?? [];
        const shipped =
          call && worker ? source.replace(call, await inlineWorker(root, dirname(path), worker)) : source;
        const contents = shipped.replaceAll('import.meta.url', `new URL(${home},__functionRoot).href`);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** How a module names the file of a worker thread. */
const WORKER_ADDRESS = /new URL\('(\.\/[\w-]+-worker\.ts)', import\.meta\.url\)/;

/** The bundled worker as a URL that holds it: the function needs no second file that the platform might not ship. */
async function inlineWorker(root: string, folder: string, name: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(folder, name)],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    logLevel: 'silent',
    define: WITHOUT_FOLDER,
    plugins: [absentPackages(ABSENT)],
    // CommonJS packages ask for Node's own modules.
    banner: { js: `import{createRequire}from'node:module';const require=createRequire('file:///');` },
  });
  const text = outputFiles[0]?.contents ?? new Uint8Array();
  return `new URL('data:text/javascript;base64,${Buffer.from(text).toString('base64')}')`;
}

/** The function over its source, its chunks beside: the platform's builder finds plain JavaScript, and compiles nothing. */
export async function writeBundle(root: string, bundle: readonly BundledFile[]): Promise<void> {
  for (const { path, text } of bundle) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function main(root: string): Promise<void> {
  const env = checkEnvironment();
  run(root, 'node_modules/typescript/bin/tsc');
  run(root, 'node_modules/typescript/bin/tsc', '-p', 'widget');
  run(root, 'scripts/docs/build-site.ts');
  for (const file of apiFiles(root)) {
    const bundle = await bundleFunction(root, file);
    const bytes = bundle.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    console.log(`${file}  ${Math.ceil(bytes / 1024)} KB`);
    if (process.env.VERCEL) await writeBundle(root, bundle);
  }
  if (env?.migratedByBuild) run(root, 'scripts/migrate.ts');
}

/** Ends the build with the list of faults, before minutes are spent on it; null where nothing is deployed. */
function checkEnvironment(): Env | null {
  if (!process.env.VERCEL) return null;
  try {
    const env = readEnv(process.env);
    if (env.postgres === null) console.warn(`${NO_DATABASE}: all requests will be answered with 500.`);
    return env;
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** Runs a script with this very Node; its failure is ours. */
function run(root: string, script: string, ...options: string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, script), ...options], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${script} failed`);
}

if (import.meta.main) await main(fileURLToPath(new URL('..', import.meta.url)));
