import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../../lib/routes.ts';
import { apiFiles } from '../../../scripts/build.ts';
import vercel from '../../../vercel.json' with { type: 'json' };

const { rewrites, functions, crons, regions } = vercel;
const sources = rewrites.map(({ source }) => source);
const files = apiFiles(process.cwd());

/** `api/v1/inventory/[vin].js` → `/api/v1/inventory/[vin]`. */
const toPath = (file: string) => `/${file.replace(/(\/index)?\.js$/, '')}`;
const inBraces = (path: string) => path.replace(/\[(\w+)\]/g, '{$1}');

it.each(files)('%s serves the endpoints of its path, and no other', async (file) => {
  const path = inBraces(toPath(file));
  const ids = ENDPOINTS.filter((one) => [one.path, `/api${one.path}`].includes(path)).map(({ id }) => id);
  const [, names = ''] = /serve\(([^)]*)\)/.exec(readFileSync(file, 'utf8')) ?? [];
  expect(names.split(', ').filter(Boolean).sort()).toEqual(ids.sort());
  const { default: app } = await import(pathToFileURL(file).href);
  expect(app.fetch).toBeInstanceOf(Function);
});

it('every endpoint has its api file', () => {
  const paths = files.map((file) => inBraces(toPath(file)));
  for (const { path } of ENDPOINTS) expect(paths).toContain(path.startsWith('/api/') ? path : `/api${path}`);
});

it.each(files.filter((file) => file.includes('[')))(
  '%s is named ahead of the catch-all, under each of its prefixes',
  (file) => {
    const path = toPath(file);
    const pattern = path.replace(/\[(\w+)\]/g, ':$1');
    const query = [...path.matchAll(/\[(\w+)\]/g)].map(([, name]) => `${name}=:${name}`).join('&');
    const paths = pattern.startsWith('/api/v1/') ? [pattern, pattern.slice('/api'.length)] : [pattern];
    for (const source of paths) {
      expect(rewrites).toContainEqual({ source, destination: `${path}?${query}` });
      expect(sources.indexOf(source)).toBeLessThan(sources.indexOf('/v1/:path*'));
    }
  },
);

it('ends with the catch-alls, so that every stray path keeps the envelope', () => {
  expect(sources.at(-1)).toBe('/(.*)');
  expect(sources.indexOf('/v1/:path*')).toBeLessThan(sources.indexOf('/api/:path*'));
  expect(rewrites.filter(({ destination }) => destination === '/api/not-found')).toHaveLength(2);
});

it('keeps the functions in one region, beside database and Redis, and gives each 300 s', () => {
  expect(regions).toHaveLength(1);
  expect(Object.keys(functions).at(-1)).toBe('api/**/*.js');
  for (const { maxDuration } of Object.values(functions)) expect(maxDuration).toBe(300);
});

it('has one cron a minute, which asks whether anything is due, and the hourly sweep', () => {
  expect(crons).toEqual([
    { path: '/api/cron/housekeeping', schedule: '17 * * * *' },
    { path: '/api/cron/due', schedule: '* * * * *' },
  ]);
  for (const { path } of crons) expect(files).toContain(`${path.slice(1)}.js`);
});
