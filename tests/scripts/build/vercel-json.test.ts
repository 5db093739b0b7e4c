import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiFiles } from '../../../scripts/build.ts';

const root = process.cwd();
const { regions, rewrites, functions, crons } = JSON.parse(readFileSync('vercel.json', 'utf8')) as {
  regions: string[];
  rewrites: { source: string; destination: string }[];
  functions: Record<string, { maxDuration?: number }>;
  crons: { path: string }[];
};
const sources = rewrites.map(({ source }) => source);

describe('vercel.json', () => {
  const dynamic = apiFiles(root).filter((file) => file.includes('['));

  it.each(dynamic)('names %s ahead of the catch-all, under each of its prefixes', (file) => {
    const path = `/${file.replace(/\.ts$/, '').replace(/\/index$/, '')}`;
    const pattern = path.replace(/\[(\w+)\]/g, ':$1');
    const query = [...path.matchAll(/\[(\w+)\]/g)].map(([, name]) => `${name}=:${name}`).join('&');
    const wanted = pattern.startsWith('/api/v1/') ? [pattern, pattern.slice('/api'.length)] : [pattern];
    for (const source of wanted) {
      expect(rewrites).toContainEqual({ source, destination: `${path}?${query}` });
      expect(sources.indexOf(source)).toBeLessThan(sources.indexOf('/v1/:path*'));
    }
  });

  it('ends with the catch-alls, so that every stray path keeps the envelope', () => {
    expect(sources.slice(-1)).toEqual(['/(.*)']);
    expect(sources.indexOf('/v1/:path*')).toBeLessThan(sources.indexOf('/api/:path*'));
    expect(rewrites.filter(({ destination }) => destination === '/api/not-found')).toHaveLength(2);
  });

  it('keeps the functions in one region, beside database and Redis', () => {
    expect(regions).toHaveLength(1);
  });

  it('gives every function 300 s', () => {
    expect(Object.keys(functions).at(-1)).toBe('api/**/*.ts');
    expect(Object.values(functions).map(({ maxDuration }) => maxDuration)).toEqual(
      Object.keys(functions).map(() => 300),
    );
  });

  it('has one cron a minute, which asks whether anything is due, and the hourly sweep', () => {
    expect(crons).toEqual([
      { path: '/api/cron/housekeeping', schedule: '17 * * * *' },
      { path: '/api/cron/due', schedule: '* * * * *' },
    ]);
    for (const { path } of crons) expect(apiFiles(root)).toContain(`${path.slice(1)}.ts`);
  });
});
