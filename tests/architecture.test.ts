import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('..', import.meta.url).pathname;

const BELOW = [
  'lib/errors',
  'lib/warnings',
  'lib/truck',
  'lib/outside',
  'lib/ports',
  'lib/limiter',
  'lib/db',
  'drizzle',
];
const CONCERNS = [
  'accounts',
  'chat',
  'feeds',
  'images',
  'inventory',
  'issues',
  'jobs',
  'leads',
  'market',
  'search',
].map((concern) => `lib/${concern}`);

/** Which modules of the tree a module may import from; a module may always import from itself. */
const ALLOWED: Record<string, readonly string[]> = {
  api: ['lib/dashboard', 'lib/http', ...CONCERNS],
  'lib/errors': [],
  'lib/env': [],
  'lib/warnings': ['lib/truck'],
  'lib/truck': ['lib/warnings'],
  'lib/pipeline': ['lib/errors', 'lib/outside', 'lib/truck'],
  'lib/limiter': ['lib/outside'],
  'lib/outside': [
    'lib/errors',
    'lib/env',
    'lib/truck',
    'lib/db',
    'lib/limiter',
    'lib/ports',
    'lib/images',
    'lib/pipeline',
  ],
  'lib/ports': [
    'lib/outside',
    'lib/db',
    'lib/limiter',
    'lib/accounts',
    'lib/feeds',
    'lib/images',
    'lib/pipeline',
  ],
  'lib/db': ['lib/outside', 'drizzle'],
  'lib/http': [...BELOW, 'lib/accounts', 'lib/jobs', 'lib/leads', 'lib/connect'],
  // The dashboard's shell lists the pages, which lie with their concerns.
  'lib/dashboard': [...BELOW, 'lib/http', ...CONCERNS],
  'lib/routes': ['lib/http', ...CONCERNS],
  'lib/connect': [...BELOW, 'lib/env', 'lib/accounts', 'lib/feeds', 'lib/leads', 'lib/pipeline'],
  'lib/local': [
    'lib/dashboard',
    'lib/routes',
    'lib/http',
    'lib/connect',
    'lib/env',
    'lib/errors',
    'lib/outside',
  ],
  ...Object.fromEntries(
    CONCERNS.map((concern) => [
      concern,
      [...BELOW, ...CONCERNS, 'lib/http', 'lib/pipeline', 'lib/dashboard'],
    ]),
  ),
  drizzle: ['lib/accounts', 'lib/feeds', 'lib/leads', 'lib/market', 'lib/truck'],
  // Types only: every byte of it is loaded by a visitor.
  widget: ['lib/leads', 'lib/search'],
};

/** Modules that also run in a browser: no Node module, no package but zod. */
const BROWSER_SAFE = ['lib/truck', 'lib/errors', 'lib/warnings'];

/** The only package the widget may name. */
const WIDGET_PACKAGE = 'preact';

/** What only connect may pull in. */
const SERVER_PACKAGES = [
  'pg',
  '@vercel/postgres',
  '@upstash/redis',
  '@upstash/ratelimit',
  '@aws-sdk/client-s3',
  'sharp',
  'undici',
  'ipaddr.js',
];

interface Import {
  file: string;
  module: string;
  target: string;
  typeOnly: boolean;
}

function findModule(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'lib' ? `lib/${second.replace(/\.ts$/, '')}` : top;
}

function listImports(file: string, text: string): Import[] {
  const specifiers = text.matchAll(/(import type [^;']*)?(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...specifiers].map(([, typeOnly, specifier = '']) => ({
    file,
    module: findModule(file),
    typeOnly: typeOnly !== undefined,
    target: specifier.startsWith('.')
      ? relative(ROOT, join(ROOT, dirname(file), specifier)).replaceAll('\\', '/')
      : specifier,
  }));
}

const isQuery = (path: string) => /^lib\/.*\/queries(\/|\.ts$)/.test(path);

function findViolations(imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, module, target, typeOnly }) => {
    const inside = /^(api|lib|drizzle|scripts|tests|widget)\//.test(target);
    if (!inside) {
      if (module === 'widget' && target !== WIDGET_PACKAGE)
        return [`${file}: ${target} is not for a visitor to load`];
      if (BROWSER_SAFE.includes(module) && !target.startsWith('zod'))
        return [`${file}: ${target} does not run in a browser`];
      if (
        SERVER_PACKAGES.includes(target) &&
        !['lib/outside', 'lib/limiter', 'lib/db', 'lib/feeds'].includes(module)
      )
        return [`${file}: ${target} is for lib/outside`];
      return [];
    }
    const to = findModule(target);
    if (module === 'widget' && to !== module && !typeOnly)
      return [`${file} imports more than types of ${target}`];
    if (to === module) return [];
    // Statements share parts; whoever else needs a concern's rows calls a verb of it. Housekeeping sweeps them all.
    if (isQuery(target) && !isQuery(file) && !typeOnly && module !== 'lib/jobs')
      return [`${file} imports ${target}: call a verb of ${to}`];
    return ALLOWED[module]?.includes(to) ? [] : [`${file} (${module}) imports ${target} (${to})`];
  });
}

const files = globSync('{api,lib,drizzle,widget}/**/*.{js,ts,tsx}', { cwd: ROOT });
const imports = files.flatMap((file) => listImports(file, readFileSync(join(ROOT, file), 'utf8')));

test('every module imports only from the modules it may know', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(findViolations(imports)).toEqual([]);
});

test('only scripts and tests carry the generator of the OpenAPI document', () => {
  const isGenerator = (path: string) => path.startsWith('lib/http/openapi/');
  const carried = imports.filter(({ file, target }) => isGenerator(target) && !isGenerator(file));
  expect(carried).toEqual([]);
});

test('a planted violation is found', () => {
  const planted = listImports(
    'lib/truck/planted.ts',
    "import { createHash } from 'node:crypto';\nimport x from '../connect.ts';",
  );
  const adapter = listImports(
    'lib/market/planted.ts',
    "import { connect } from '../connect.ts';\nimport pg from 'pg';",
  );
  const widget = listImports(
    'widget/panel/planted.ts',
    "import { Card } from '../../lib/search/widget.ts';\nimport * as z from 'zod/mini';\nimport type { Truck } from '../../lib/market/truck.ts';",
  );
  const query = listImports(
    'lib/market/planted.ts',
    "import { readDealer } from '../leads/queries/leads.ts';",
  );
  expect(findViolations([...planted, ...adapter, ...widget, ...query])).toHaveLength(8);
});

/** Cycles among files, each as the path from a file back to itself. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    done.add(file);
    for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
  }
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

function toGraph(imports: readonly Import[]): Map<string, string[]> {
  return new Map(
    [...Map.groupBy(imports, ({ file }) => file)].map(([file, own]) => [
      file,
      own.map(({ target }) => target),
    ]),
  );
}

test('no import cycle exists, file by file', () => {
  expect(findCycles(toGraph(imports))).toEqual([]);
});

test('a planted cycle is found, however long, types included', () => {
  const planted = ['a', 'b', 'c'].map((name, index) =>
    listImports(`lib/truck/${name}.ts`, `import type { X } from './${['b', 'c', 'a'][index]}.ts';`),
  );
  expect(findCycles(toGraph(planted.flat()))).toHaveLength(1);
  expect(findCycles(toGraph(planted.slice(1).flat()))).toEqual([]);
});

test('a folder has fewer than 15 files', () => {
  const others = globSync('{scripts,tests}/**/*.{ts,tsx}', { cwd: ROOT });
  const crowded = Map.groupBy([...files, ...others], dirname);
  expect([...crowded].filter(([, own]) => own.length > 14)).toEqual([]);
});

test('an api file is a few lines that only declare what it serves', () => {
  for (const file of files.filter((path) => path.startsWith('api/'))) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(text, file).toMatch(/^export default serve(?:Dashboard)?\(.*\);$/m);
    expect(text.split('\n').length, file).toBeLessThan(10);
  }
});
