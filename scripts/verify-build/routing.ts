import type { Output } from './output.ts';

/** Where a request ends: in a function, at a static file, or nowhere. `headers` are set by routes on the way. */
export type Destination = { headers: Record<string, string> } & (
  | { kind: 'function'; name: string; query: string }
  | { kind: 'static'; file: string }
  | { kind: 'none'; status: number }
);

/**
 * Follows the emitted routes as the platform does: in order, the file system where `handle: filesystem` stands and
 * after each `check`; a `check` that finds nothing goes on with the rewritten path. `query` is what rewrites add.
 * Throws on kinds of routes this project does not use.
 */
export function resolve(output: Output, method: string, pathname: string): Destination {
  const headers: Record<string, string> = {};
  let path = pathname;
  let query = '';
  for (const route of output.routes) {
    if (route.handle === 'filesystem') {
      const found = lookUp(output, path, query);
      if (found) return { ...found, headers };
    }
    if (route.handle === 'hit' || route.handle === 'miss' || route.handle === 'error') break;
    if (route.src === undefined || (route.methods && !route.methods.includes(method))) continue;
    if ('has' in route || 'missing' in route) throw new Error(`cannot follow the conditions of ${route.src}`);
    const match = new RegExp(route.src, route.caseSensitive ? '' : 'i').exec(path);
    if (!match) continue;

    const fill = (text: string) => text.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    for (const [name, value] of Object.entries(route.headers ?? {})) headers[name] = fill(value);
    if (route.dest !== undefined) {
      const [target = '', added = ''] = fill(route.dest).split('?');
      path = target;
      query = [query, added].filter(Boolean).join('&');
    }
    if (route.continue) continue;
    if (route.dest === undefined) return { kind: 'none', status: route.status ?? 404, headers };
    const found = lookUp(output, path, query);
    if (found) return { ...found, headers };
    if (!route.check) break;
  }
  return { kind: 'none', status: 404, headers };
}

function lookUp(output: Output, path: string, query: string) {
  const name = path.slice(1);
  const emitted = output.functions.find((one) => one.name === name || one.name === `${name}/index`);
  if (emitted) return { kind: 'function', name: emitted.name, query } as const;
  const directory = name.replace(/\/$/, '');
  const file = output.statics.find(
    (one) => one === name || one === `${directory}/index.html`.replace(/^\//, ''),
  );
  return file === undefined ? null : ({ kind: 'static', file } as const);
}

/** What a request path must reach. `parameter` is the key the rewrite appends to the query. */
export interface Expectation {
  path: string;
  name: string;
  parameter?: string;
}

/** From the api files: every route reaches its own function, under both prefixes; strays reach `not-found`. */
export function expectations(apiFiles: readonly string[]): Expectation[] {
  const routes = apiFiles.flatMap((file) => {
    const name = file.replace(/\.ts$/, '');
    const parameter = /\[(\w+)\]$/.exec(name)?.[1];
    const path = `/${name.replace(/\/index$/, '').replace(/\[\w+\]/g, 'Sample-1')}`;
    const own: Expectation = parameter === undefined ? { path, name } : { path, name, parameter };
    return path.startsWith('/api/v1/') ? [own, { ...own, path: path.slice('/api'.length) }] : [own];
  });
  const strays = [
    '/api',
    '/api/stray',
    '/api/stray/deep/path',
    '/v1/stray',
    '/v1/stray/deep/path',
    '/v1/stray/',
  ]
    .concat('/api/v1/inventory/Sample-1/deep', '/stray', '/stray/deep/path')
    .map((path) => ({ path, name: 'api/not-found' }));
  return [...routes, ...strays];
}
