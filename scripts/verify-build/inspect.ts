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
import { expectations, resolve } from './routing.ts';

const MAX_DURATION = 300;
const RUNTIME = 'nodejs24.x';
/** What may lie in a function's folder beside its handler. */
const ALLOWED = /^(\.vc-config\.json|package\.json|api\/_chunks\/[\w-]+\/[\w.-]+\.js|lib\/data\/.+)$/;
/** Read by migrations, which the build runs and a function never does. */
const BUILD_ONLY = /^drizzle(\/|$)/;

/** Compares an emitted output with the tree in `source`; answers every fault, in words. */
export async function inspect(source: string, output: Output, staged: ReadonlyMap<string, string>) {
  const perFunction = await Promise.all(
    output.functions.map(async (emitted) => {
      const folder = staged.get(emitted.name) ?? '';
      const native = findNativePackages(await findUnusedAdapters(source, `${emitted.name}.ts`));
      const faults = [
        ...shapeFaults(emitted, native),
        ...dataFaults(source, folder),
        ...(await codeFaults(emitted, folder, native)),
        ...nativeFaults(folder, native),
      ];
      return faults.map((fault) => `${emitted.name}: ${fault}`);
    }),
  );
  return [
    ...setFaults(source, output),
    ...perFunction.flat(),
    ...routeFaults(source, output),
    ...(await cronFaults(source, output)),
    ...staticFaults(source, output),
  ];
}

function setFaults(source: string, output: Output): string[] {
  const wanted = apiFiles(source).map((file) => file.replace(/\.ts$/, ''));
  const emitted = output.functions.map(({ name }) => name);
  return [
    ...wanted.filter((name) => !emitted.includes(name)).map((name) => `${name}: no function was emitted`),
    ...emitted
      .filter((name) => !wanted.includes(name))
      .map((name) => `${name}: no api file asks for this function`),
  ];
}

function shapeFaults(
  { handler, runtime, maxDuration, files, mapped }: EmittedFunction,
  native: readonly string[],
): string[] {
  const isStrange = (file: string) =>
    !ALLOWED.test(file) && !(native.length > 0 && /^node_modules(\/|$)/.test(file));
  const strange = files.filter((file) => file !== handler && file !== `${handler}.map` && isStrange(file));
  return [
    ...(maxDuration === MAX_DURATION ? [] : [`maxDuration is ${maxDuration}, not ${MAX_DURATION}`]),
    ...(runtime === RUNTIME ? [] : [`runtime is ${runtime}, not ${RUNTIME}`]),
    ...strange.slice(0, 5).map((file) => `is not fully bundled: ${file}`),
    ...Object.keys(mapped)
      .filter(isStrange)
      .map((file) => `includes ${file}`),
  ];
}

/** Any function may come to read any data file: they are small, and a missing one shows only in production. */
function dataFaults(source: string, folder: string): string[] {
  const data = join(source, 'lib/data');
  const files = existsSync(data) ? filesIn(data) : [];
  return files
    .filter((file) => !existsSync(join(folder, 'lib/data', file)))
    .map((file) => `lib/data/${file} is not included`);
}

/** A fresh process loads them from the function's own files, their libraries included. */
function nativeFaults(folder: string, native: readonly string[]): string[] {
  return native.flatMap((name) => {
    const load = `if (!import.meta.resolve('${name}').startsWith(process.argv[1])) throw new Error('not its own'); await import('${name}');`;
    const home = pathToFileURL(folder).href;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', load, home], {
      cwd: folder,
      encoding: 'utf8',
    });
    return status === 0 ? [] : [`${name} cannot be loaded: ${stderr.slice(0, 300)}`];
  });
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
    const left = Object.values(metafile.inputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, path }) => external && !isBuiltin(path) && !native.includes(path))
      .map(({ path }) => `imports ${path} from node_modules`);
    const missing: string[] = [];
    for (const file of Object.keys(metafile.inputs))
      for (const path of await dataFiles(join(folder, file)))
        if (!BUILD_ONLY.test(path) && !existsSync(join(folder, path)))
          missing.push(`reads ${path}, which is not included`);
    return [...new Set([...left, ...missing])];
  } catch (error) {
    return [`cannot be followed: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** `new URL('x', import.meta.url)` as scripts/build.ts rewrites it: paths relative to the function's root. */
async function dataFiles(path: string): Promise<string[]> {
  const pattern =
    /new URL\(\s*["'`]([^"'`]+)["'`],\s*new URL\(\s*"([^"]+)",\s*__functionRoot\s*\)\.href\s*\)/g;
  const text = await readFile(path, 'utf8');
  return [...text.matchAll(pattern)].map(([, file = '', home = '']) =>
    decodeURIComponent(new URL(file, new URL(home, 'file:///')).pathname.slice(1)),
  );
}

function routeFaults(source: string, output: Output): string[] {
  return expectations(apiFiles(source)).flatMap(({ path, name, parameter }) => {
    const reached = resolve(output, 'GET', path);
    const where = reached.kind === 'function' ? reached.name : reached.kind;
    if (where !== name) return [`${path} reaches ${where}, not ${name}`];
    const query = reached.kind === 'function' ? new URLSearchParams(reached.query) : new URLSearchParams();
    return parameter && query.get(parameter) !== 'Sample-1'
      ? [`${path} does not hand over ${parameter}`]
      : [];
  });
}

async function cronFaults(source: string, output: Output): Promise<string[]> {
  const { crons = [] } = await readJson<{ crons?: Cron[] }>(join(source, 'vercel.json'));
  const key = ({ path, schedule }: Cron) => `${schedule} ${path}`;
  return [
    ...crons
      .filter((cron) => !output.crons.some((one) => key(one) === key(cron)))
      .map((cron) => `no cron ${key(cron)}`),
    ...output.crons
      .filter(({ path }) => resolve(output, 'GET', path).kind !== 'function' || !findApiFile(source, path))
      .map((cron) => `the cron ${key(cron)} reaches no function of its own`),
  ];
}

function findApiFile(source: string, path: string): string | undefined {
  return apiFiles(source).find((file) => [`${path}.ts`, `${path}/index.ts`].includes(`/${file}`));
}

/** Each build of the docs site names its assets anew, and its pages name them. */
const DOCS_ASSETS = /^docs\/assets\//;

function staticFaults(source: string, output: Output): string[] {
  const folder = join(source, 'public');
  if (!existsSync(folder)) return ['public/ does not exist'];
  return filesIn(folder)
    .filter((file) => !DOCS_ASSETS.test(file) && !output.statics.includes(file))
    .map((file) => `public/${file} is not served`);
}
