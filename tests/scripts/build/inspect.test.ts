import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../scripts/verify-build/inspect.ts';
import { emit, ROUTES, writeInto } from './small-tree.ts';

const TRUCKS = 'functions/api/v1/trucks/index.func';

const makeConfig = (folder: string, change: object) => (output: string) =>
  writeInto(
    output,
    `${folder}/.vc-config.json`,
    JSON.stringify({ handler: 'api/v1/trucks/index.js', runtime: 'nodejs24.x', ...change }),
  );
const routing = (change: object) => (output: string) =>
  writeInto(output, 'config.json', JSON.stringify({ routes: ROUTES, ...change }));
const crons = [{ path: '/api/cron/sweep', schedule: '17 * * * *' }];
const [last, ...first] = [...ROUTES].slice(2, 7).reverse();

const FAULTS: [string, (output: string) => Promise<unknown>, string][] = [
  [
    'a function is missing',
    (output) => rm(join(output, 'functions/api/not-found.func'), { recursive: true }),
    'api/not-found: no function was emitted',
  ],
  ['a function may run less than 300 s', makeConfig(TRUCKS, { maxDuration: 60 }), 'maxDuration is 60'],
  [
    'packages lie beside the handler',
    (output) => writeInto(output, `${TRUCKS}/node_modules/pg/index.js`, ''),
    'is not fully bundled: node_modules/pg/index.js',
  ],
  [
    'the handler imports a package',
    (output) => writeInto(output, `${TRUCKS}/api/v1/trucks/index.js`, `import 'pg';\nexport default {};`),
    'imports pg from node_modules',
  ],
  [
    'a chunk is missing',
    (output) => rm(join(output, `${TRUCKS}/api/_chunks`), { recursive: true }),
    'cannot be followed',
  ],
  [
    'a data file is not included',
    makeConfig('functions/api/not-found.func', { handler: 'api/not-found.js', maxDuration: 300 }),
    'api/not-found: lib/data/places.bin is not included',
  ],
  [
    'a native package is not included',
    (output) =>
      writeInto(output, '../../api/not-found.js', 'export default (ports) => ports.imaging.render();'),
    'api/not-found: sharp cannot be loaded',
  ],
  [
    'the catch-all stands before the dynamic routes',
    routing({ crons, routes: [...ROUTES.slice(0, 2), last, ...first] }),
    '/v1/trucks/Sample-1 reaches api/not-found',
  ],
  [
    'strays end in the platform’s own 404',
    routing({ crons, routes: [...ROUTES.slice(0, 5), ...ROUTES.slice(7)] }),
    '/api/stray reaches null, not api/not-found',
  ],
  [
    'a dynamic segment is not handed over',
    routing({
      crons,
      routes: ROUTES.map((route) => ({ ...route, dest: route.dest?.replace('?vin=$1', '') })),
    }),
    'does not hand over vin',
  ],
  ['a cron is missing', routing({ crons: [] }), 'no cron 17 * * * * /api/cron/sweep'],
  [
    'a cron calls nothing',
    routing({ crons: [...crons, { path: '/api/cron/gone', schedule: '0 * * * *' }] }),
    '/api/cron/gone reaches no function of its own',
  ],
  [
    'a static file is missing',
    (output) => rm(join(output, 'static/openapi.json')),
    'public/openapi.json is not served',
  ],
];

describe('the check of an emitted build', () => {
  it('finds nothing wrong with a good one', async () => {
    const { source, output, staged } = await emit();
    expect(await inspect(source, output, staged)).toEqual([]);
  });

  it.each(FAULTS)('notices when %s', async (_, spoil, words) => {
    const { source, output, staged } = await emit(spoil);
    expect(await inspect(source, output, staged)).toContainEqual(expect.stringContaining(words));
  });
});
