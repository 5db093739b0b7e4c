import { readdirSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/** What `vercel build` emitted (Build Output API, version 3), as far as we use it. */

/** A route of config.json; the first ones run before the file system is asked, see `resolve`. */
export interface Route {
  src?: string;
  dest?: string;
  headers?: Record<string, string>;
  status?: number;
  methods?: string[];
  continue?: boolean;
  check?: boolean;
  caseSensitive?: boolean;
  handle?: 'filesystem' | 'rewrite' | 'hit' | 'miss' | 'error' | 'resource';
}

export interface Cron {
  path: string;
  schedule: string;
}

/** `name` is the path without `.func`: `api/v1/inventory/index`. Files are relative to the function's folder. */
export interface EmittedFunction {
  name: string;
  folder: string;
  handler: string;
  runtime: string;
  maxDuration: number | undefined;
  files: string[];
  /** Files that join the function at deployment: path in the function → path in the tree. */
  mapped: Record<string, string>;
}

export interface Output {
  /** The tree that was built. */
  root: string;
  folder: string;
  routes: Route[];
  crons: Cron[];
  functions: EmittedFunction[];
  /** Static files, relative, with forward slashes. */
  statics: string[];
}

interface FunctionConfig {
  handler: string;
  runtime: string;
  maxDuration?: number;
  filePathMap?: Record<string, string>;
}

/** Reads the `.vercel/output` in `folder`, built from the tree in `root`. */
export async function readOutput(root: string, folder: string): Promise<Output> {
  const config = await readJson<{ routes?: Route[]; crons?: Cron[] }>(join(folder, 'config.json'));
  const functions: EmittedFunction[] = [];
  for (const path of filesIn(join(folder, 'functions')).filter((file) =>
    /\.func\/\.vc-config\.json$/.test(file),
  )) {
    const functionFolder = join(folder, 'functions', dirname(path));
    const { handler, runtime, maxDuration, filePathMap } = await readJson<FunctionConfig>(
      join(functionFolder, '.vc-config.json'),
    );
    functions.push({
      name: dirname(path).replace(/\.func$/, ''),
      folder: functionFolder,
      handler,
      runtime,
      maxDuration,
      files: filesIn(functionFolder),
      mapped: filePathMap ?? {},
    });
  }
  return {
    root,
    folder,
    routes: config.routes ?? [],
    crons: config.crons ?? [],
    functions: functions.sort((a, b) => a.name.localeCompare(b.name)),
    statics: filesIn(join(folder, 'static')),
  };
}

/** Lays the functions out below `into` as they are deployed, mapped files included: name → folder. */
export async function stage(output: Output, into: string): Promise<Map<string, string>> {
  const staged = new Map<string, string>();
  for (const { name, folder, mapped } of output.functions) {
    const target = join(into, name);
    await cp(folder, target, { recursive: true });
    for (const [path, source] of Object.entries(mapped)) {
      await mkdir(join(target, dirname(path)), { recursive: true });
      await cp(join(output.root, source), join(target, path));
    }
    staged.set(name, target);
  }
  return staged;
}

/** Every file below a folder, dot files included; relative, with forward slashes, sorted. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .sort();
}

/** The shapes are the builder's own. */
export async function readJson<Shape>(path: string): Promise<Shape> {
  return JSON.parse(await readFile(path, 'utf8')) as Shape;
}
