import type { Output } from './output.ts';

/** Where a request ends: a function, a static file, or nowhere (null). */
export interface Destination {
  name: string | null;
  /** What rewrites add to the caller's own query. */
  query: string;
  /** Set by routes on the way. */
  headers: Record<string, string>;
}

/**
 * Follows the emitted routes of a GET as the platform does: in order, the file system where `handle: filesystem` stands
 * and after each `check`; a `check` that finds nothing goes on with the rewritten path. Throws on kinds of routes this
 * project does not use.
 */
export function resolve(output: Output, pathname: string): Destination {
  const headers: Record<string, string> = {};
  let path = pathname;
  let query = '';
  for (const route of output.routes) {
    if (route.handle === 'filesystem') {
      const name = lookUp(output, path);
      if (name) return { name, query, headers };
    }
    if (route.handle === 'hit' || route.handle === 'miss' || route.handle === 'error') break;
    if (route.src === undefined || (route.methods && !route.methods.includes('GET'))) continue;
    if ('has' in route || 'missing' in route) throw new Error(`cannot follow the conditions of ${route.src}`);
    const match = new RegExp(route.src, route.caseSensitive ? '' : 'i').exec(path);
    if (!match) continue;

    const fill = (text: string) => text.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    for (const [name, value] of Object.entries(route.headers ?? {}))
      headers[name.toLowerCase()] = fill(value);
    if (route.dest !== undefined) {
      const [target = '', addition = ''] = fill(route.dest).split('?');
      path = target;
      query = [query, addition].filter(Boolean).join('&');
    }
    if (route.continue) continue;
    const name = route.dest === undefined ? null : lookUp(output, path);
    if (name || !route.check) return { name, query, headers };
  }
  return { name: null, query, headers };
}

function lookUp({ functions, statics }: Output, path: string): string | null {
  const name = path.slice(1).replace(/\/$/, '');
  const emitted = functions.find((one) => one.name === name || one.name === `${name}/index`);
  if (emitted && !path.endsWith('/')) return emitted.name;
  return statics.find((file) => file === name || file === `${name}/index.html`) ?? null;
}

/** What a request path must reach. */
export interface Expectation {
  path: string;
  name: string;
}

/** Stands for every placeholder of a path. */
export const SAMPLE = 'Sample-1';

const STRAYS = [
  '/api',
  '/api/stray',
  '/api/stray/deep/path',
  '/v1/stray',
  '/v1/stray/deep/path',
  '/v1/stray/',
  '/api/v1/inventory/Sample-1/deep',
  '/stray',
  '/stray/deep/path',
];

/** From the api files: every route reaches its own function, under both prefixes; strays reach `not-found`. */
export function expectations(apiFiles: readonly string[]): Expectation[] {
  const routes = apiFiles.flatMap((file) => {
    const name = file.replace(/\.js$/, '');
    const path = `/${name.replace(/\/index$/, '').replace(/\[\w+\]/g, SAMPLE)}`;
    const paths = path.startsWith('/api/v1/') ? [path, path.slice('/api'.length)] : [path];
    return paths.map((one) => ({ path: one, name }));
  });
  return [...routes, ...STRAYS.map((path) => ({ path, name: 'api/not-found' }))];
}

/** Beside the api files: where the files and the pages are, and headers that they must have. */
export const SITE: readonly (Expectation & { headers: Record<string, string> })[] = [
  {
    path: '/widget-page.0123abcd.js',
    name: 'widget-page.js',
    headers: { 'cache-control': 'public, max-age=31536000, immutable', 'access-control-allow-origin': '*' },
  },
  { path: '/widget.js', name: 'widget.js', headers: { 'access-control-allow-origin': '*' } },
  { path: '/docs/openapi.json', name: 'openapi.json', headers: {} },
  { path: '/docs', name: 'docs/index.html', headers: { 'x-content-type-options': 'nosniff' } },
  { path: '/docs/feeds', name: 'docs/feeds.html', headers: { 'x-content-type-options': 'nosniff' } },
  { path: '/docs/errors/VIN_LENGTH', name: 'docs/errors/VIN_LENGTH.html', headers: {} },
  { path: '/llms.txt', name: 'docs/llms.txt', headers: {} },
  { path: '/dashboard/feeds', name: 'api/dashboard', headers: {} },
  { path: '/media/a/b.webp', name: 'api/media/[hash]/[name]', headers: {} },
];
