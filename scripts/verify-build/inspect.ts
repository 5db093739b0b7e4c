import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { apiFiles, findNativePackages } from '../build.ts';
import { findUnusedAdapters } from '../unused-adapters.ts';
import { type Cron, type EmittedFunction, filesIn, type Output, readJson } from './output.ts';
import { type Expectation, expectations, resolve, SAMPLE } from './routing.ts';

const MAX_DURATION = 300;
const RUNTIME = 'nodejs24.x';
/** What may lie in a function's folder beside its handler. */
const ALLOWED = /^(\.vc-config\.json|package\.json|api\/_chunks\/[\w-]+\/[\w.-]+\.js|lib\/data\/.+)$/;
/** Read by migrations, which the build runs and a function never does. */
const BUILD_ONLY = /^drizzle(\/|$)/;

/** Compares an emitted output with the tree in `source`. Returns every fault, in words. */
export async function inspect(
  source: string,
  output: Output,
  staged: ReadonlyMap<string, string>,
): Promise<string[]> {
  const sourceFunctions = apiFiles(source).map((file) => file.replace(/\.js$/, ''));
  const emitted = output.functions.map(({ name }) => name);
  const faults = [
    ...sourceFunctions
      .filter((name) => !emitted.includes(name))
      .map((name) => `${name}: no function was emitted`),
    ...emitted
      .filter((name) => !sourceFunctions.includes(name))
      .map((name) => `${name}: no api file asks for it`),
    ...expectations(apiFiles(source)).flatMap((expected) => routeFaults(output, expected)),
    ...(await cronFaults(output)),
    ...filesIn(join(output.root, 'public'))
      .filter((file) => !output.statics.includes(file))
      .map((file) => `public/${file} is not served`),
  ];
  for (const one of output.functions) {
    const folder = staged.get(one.name) ?? '';
    const native = findNativePackages(await findUnusedAdapters(source, `${one.name}.js`));
    const functionFaults = [
      ...shapeFaults(one, native),
      ...dataFaults(source, folder),
      ...(await codeFaults(one, folder, native)),
      ...native.flatMap((name) => nativeFaults(folder, name)),
    ];
    faults.push(...functionFaults.map((fault) => `${one.name}: ${fault}`));
  }
  return faults;
}

function shapeFaults(
  { handler, runtime, maxDuration, files, mapped }: EmittedFunction,
  native: readonly string[],
): string[] {
  const isStrange = (file: string) =>
    file !== handler && !ALLOWED.test(file) && !(native.length > 0 && /^node_modules(\/|$)/.test(file));
  return [
    ...(maxDuration === MAX_DURATION ? [] : [`maxDuration is ${maxDuration}, not ${MAX_DURATION}`]),
    ...(runtime === RUNTIME ? [] : [`runtime is ${runtime}, not ${RUNTIME}`]),
    ...[...files, ...Object.keys(mapped)].filter(isStrange).map((file) => `is not fully bundled: ${file}`),
  ].slice(0, 5);
}

/** Any function may come to read any data file: they are small, and a missing one shows only in production. */
function dataFaults(source: string, folder: string): string[] {
  return filesIn(join(source, 'lib/data'))
    .filter((file) => !existsSync(join(folder, 'lib/data', file)))
    .map((file) => `lib/data/${file} is not included`);
}

/** A fresh process loads the package from the function's own files, its libraries included. */
function nativeFaults(folder: string, name: string): string[] {
  const load = `if (!import.meta.resolve('${name}').startsWith(process.argv[1])) throw new Error('not its own'); await import('${name}');`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', load, pathToFileURL(folder).href],
    { cwd: folder, encoding: 'utf8' },
  );
  return status === 0 ? [] : [`${name} cannot be loaded: ${stderr.slice(0, 300)}`];
}

/** Follows every import from the handler on; then the files the code names beside its own modules. */
async function codeFaults(
  { handler }: EmittedFunction,
  folder: string,
  native: readonly string[],
): Promise<string[]> {
  try {
    const { metafile } = await build({
      absWorkingDir: folder,
      entryPoints: [handler],
      bundle: true,
      write: false,
      metafile: true,
      splitting: true,
      outdir: folder,
      platform: 'node',
      packages: 'external',
      format: 'esm',
      logLevel: 'silent',
    });
    const packages = Object.values(metafile.inputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, path }) => external && !isBuiltin(path) && !native.includes(path));
    const sources = await Promise.all(
      Object.keys(metafile.inputs).map((file) => listDataFiles(join(folder, file))),
    );
    const missing = sources
      .flat()
      .filter((path) => !BUILD_ONLY.test(path) && !existsSync(join(folder, path)));
    return [
      ...packages.map(({ path }) => `imports ${path} from node_modules`),
      ...missing.map((path) => `reads ${path}, which is not included`),
    ];
  } catch (error) {
    return [`cannot be followed: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** `new URL('x', import.meta.url)` as scripts/build.ts rewrites it: paths relative to the function's root. */
async function listDataFiles(path: string): Promise<string[]> {
  const pattern =
    /new URL\(\s*["'`]([^"'`]+)["'`],\s*new URL\(\s*"([^"]+)",\s*__functionRoot\s*\)\.href\s*\)/g;
  const text = await readFile(path, 'utf8');
  return [...text.matchAll(pattern)].map(([, file = '', home = '']) =>
    decodeURIComponent(new URL(file, new URL(home, 'file:///')).pathname.slice(1)),
  );
}

/** Each placeholder becomes a parameter of the query; `headers` are on the answer. */
export function routeFaults(
  output: Output,
  { path, name, headers = {} }: Expectation & { headers?: Record<string, string> },
): string[] {
  const reached = resolve(output, path);
  if (reached.name !== name) return [`${path} reaches ${reached.name}, not ${name}`];
  const query = new URLSearchParams(reached.query);
  const parameters = path.includes(SAMPLE) ? [...name.matchAll(/\[(\w+)\]/g)].map(([, one = '']) => one) : [];
  return [
    ...parameters
      .filter((one) => query.get(one) !== SAMPLE)
      .map((one) => `${path} does not hand over ${one}`),
    ...Object.entries(headers)
      .filter(([header, value]) => reached.headers[header] !== value)
      .map(([header, value]) => `${path} has no ${header}: ${value}`),
  ];
}

async function cronFaults(output: Output): Promise<string[]> {
  const { crons = [] } = await readJson<{ crons?: Cron[] }>(join(output.root, 'vercel.json'));
  const key = ({ path, schedule }: Cron) => `${schedule} ${path}`;
  const emitted = new Set(output.crons.map(key));
  return [
    ...crons.filter((cron) => !emitted.has(key(cron))).map((cron) => `no cron ${key(cron)}`),
    ...output.crons
      .filter(({ path }) => resolve(output, path).name !== path.slice(1))
      .map((cron) => `the cron ${key(cron)} reaches no function of its own`),
  ];
}
