import { readdir } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import type { PlatformConfig } from '../config.ts';
import { compileDestination, compilePattern, type Destination, type PathPattern } from './patterns.ts';

/**
 * Which file answers a path, in the platform's order: static file → function by its exact path → rewrites, each
 * going on with the rewritten path → dynamic function (`[vin].ts`) → nothing.
 */
export interface Routes {
  resolve(path: string): Route;
}

export interface Route {
  target:
    | { kind: 'static'; file: string }
    | { kind: 'function'; file: string; maxDuration: number; query: string }
    | { kind: 'none' };
  /** `headers` entries of vercel.json whose source matches the original path. */
  headers: readonly (readonly [name: string, value: string])[];
}

/** Seconds a function may take when vercel.json does not say (the platform's default on the Pro plan). */
const DEFAULT_MAX_DURATION = 300;

/**
 * Builds the route table once. `apiFiles` are paths below the root with forward slashes
 * (`api/v1/inventory/[vin].ts`), `staticPaths` maps URL paths, decoded, to
 * files.
 */
export function compileRoutes(
  apiFiles: readonly string[],
  staticPaths: ReadonlyMap<string, string>,
  config: Pick<PlatformConfig, 'functions' | 'rewrites' | 'headers'>,
): Routes {
  const durations = new Map(apiFiles.map((file) => [file, maxDurationFor(file, config.functions)]));
  const exact = new Map(apiFiles.flatMap((file) => toPaths(file).map((path) => [path, file])));
  const dynamic = apiFiles.filter((file) => file.includes('[')).map(dynamicRoute);
  const rewrites = config.rewrites.map(({ source, destination }) => {
    const pattern = compilePattern(source);
    return { pattern, destination: compileDestination(destination, pattern.names) };
  });
  const headerRules = config.headers.map(({ source, headers }) => ({
    pattern: compilePattern(source),
    headers: headers.map(({ key, value }) => [key, value] as const),
  }));

  function toTarget(path: string): Route['target'] {
    let current = path;
    let query = '';
    const add = (more: string) => {
      query += query !== '' && more !== '' ? `&${more}` : more;
    };
    const here = (): Route['target'] | null => {
      const file = staticPaths.get(decodePath(current));
      if (file !== undefined) return { kind: 'static', file };
      const fn = exact.get(current.endsWith('/') ? current.slice(0, -1) : current);
      return fn === undefined ? null : toCall(fn, query);
    };
    const toCall = (file: string, extra: string): Route['target'] => ({
      kind: 'function',
      file,
      maxDuration: durations.get(file) ?? DEFAULT_MAX_DURATION,
      query: extra,
    });
    const direct = here();
    if (direct) return direct;
    for (const { pattern, destination } of rewrites) {
      const captured = pattern.match(current);
      if (!captured) continue;
      const filled = destination.fill(captured);
      current = filled.path;
      add(filled.query);
      const found = here();
      if (found) return found;
    }
    for (const { pattern, file, destination } of dynamic) {
      const captured = pattern.match(current);
      if (!captured) continue;
      add(destination.fill(captured).query);
      return toCall(file, query);
    }
    return { kind: 'none' };
  }

  return {
    resolve: (path) => ({
      target: toTarget(path),
      headers: headerRules.flatMap((rule) => (rule.pattern.match(path) ? rule.headers : [])),
    }),
  };
}

/** `/@x.js` and `/%40x.js` are one file, as on the platform. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `api/v1/inventory/index.ts` → `/api/v1/inventory` and `/api/v1/inventory/index`. */
function toPaths(file: string): string[] {
  const path = `/${file.replace(/\.[cm]?[jt]s$/, '')}`;
  return path.endsWith('/index') ? [path, path.slice(0, -'/index'.length)] : [path];
}

/** `api/v1/inventory/[vin].ts` as a rewrite to nowhere: its captures go to the query. */
function dynamicRoute(file: string): { file: string; pattern: PathPattern; destination: Destination } {
  const path = toPaths(file).at(-1) ?? '';
  const pattern = compilePattern(path.replace(/\[(\w+)\]/g, ':$1'));
  return { file, pattern, destination: compileDestination(path, pattern.names) };
}

/** The first entry that names the file, literally or as a glob, wins, as on the platform. */
function maxDurationFor(file: string, functions: PlatformConfig['functions']): number {
  const entry = Object.entries(functions).find(([glob]) => glob === file || matchesGlob(file, glob));
  return entry?.[1].maxDuration ?? DEFAULT_MAX_DURATION;
}

/** The files of api/ that become functions: as on the platform, names starting with `_` or `.` and types do not. */
export async function listApiFiles(root: string): Promise<string[]> {
  const files = await listFiles(join(root, 'api'));
  return files
    .filter((file) => /\.[cm]?[jt]s$/.test(file) && !/\.d\.[cm]?ts$/.test(file))
    .filter((file) => !file.split('/').some((name) => name.startsWith('_')))
    .map((file) => `api/${file}`)
    .sort();
}

/**
 * Regular files below `folder`, as relative paths with forward slashes. Dot files and folders are left out, and
 * links are not followed, so that nothing outside can get in. A missing folder is empty.
 */
export async function listFiles(folder: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await listFiles(folder, path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}
