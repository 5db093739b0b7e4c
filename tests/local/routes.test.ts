import { describe, expect, it } from 'vitest';
import { compileDestination, compilePattern } from '../../lib/local/platform/patterns.ts';
import { compileRoutes } from '../../lib/local/platform/routes.ts';

describe('path patterns', () => {
  it.each([
    ['/v1/:path*', '/v1', { path: '' }],
    ['/v1/:path*', '/v1/a/b', { path: 'a/b' }],
    ['/v1/:path*', '/v10/a', null],
    ['/v1/:path+', '/v1', null],
    ['/v1/:path?', '/v1/a', { path: 'a' }],
    ['/v1/inventory/:vin', '/v1/inventory/X', { vin: 'X' }],
    ['/v1/inventory/:vin', '/v1/inventory/X/y', null],
    ['/v1/inventory/:vin', '/V1/inventory/X', null],
    ['/y/:year(\\d{4})', '/y/2021', { year: '2021' }],
    ['/y/:year(\\d{4})', '/y/21', null],
    ['/(.*)', '/anything/at/all', { '0': 'anything/at/all' }],
    ['/openapi.json', '/openapiXjson', null],
  ])('%s on %s captures %j', (pattern, path, captured) => {
    expect(compilePattern(pattern).match(path)).toEqual(captured);
  });

  it('a pattern that cannot be read is refused at the start', () => {
    expect(() => compilePattern('/a/:b(((')).toThrow(/unreadable path pattern/);
  });

  it.each([
    ['/api/v1/:path*', { path: 'a/b' }, { path: '/api/v1/a/b', query: '' }],
    ['/api/v1/:path*', { path: '' }, { path: '/api/v1', query: '' }],
    ['/api/x/[vin]?vin=:vin', { vin: 'A' }, { path: '/api/x/[vin]', query: 'vin=A' }],
    ['/api/x/[vin]?vin=:vin', { vin: 'A%20&b=c' }, { path: '/api/x/[vin]', query: 'vin=A%20%26b=c' }],
    ['/api/not-found', { path: 'a' }, { path: '/api/not-found', query: 'path=a' }],
    ['/api/not-found', { '0': 'a' }, { path: '/api/not-found', query: '' }],
  ])('%s filled with %j is %j', (destination, captured, filled) => {
    expect(compileDestination(destination, Object.keys(captured)).fill(captured)).toEqual(filled);
  });
});

describe('the route table', () => {
  const files = [
    'api/health.ts',
    'api/not-found.ts',
    'api/v1/dealers.ts',
    'api/v1/inventory/[vin].ts',
    'api/v1/inventory/index.ts',
    'api/v1/things/[id]/parts.ts',
  ];
  const rewrites = [
    { source: '/v1/:path*', destination: '/api/v1/:path*' },
    { source: '/api/v1/inventory/:vin', destination: '/api/v1/inventory/[vin]?vin=:vin' },
    { source: '/api/:path*', destination: '/api/not-found' },
  ];
  const statics = new Map([['/api/v1/dealers', '/public/api/v1/dealers']]);
  const table = (config: Partial<Parameters<typeof compileRoutes>[2]> = {}, staticPaths = new Map()) =>
    compileRoutes(files, staticPaths, { functions: {}, rewrites, headers: [], ...config });
  const findFile = (path: string, routes = table()) => {
    const { target } = routes.resolve(path);
    return target.kind === 'none' ? null : target.file;
  };

  it.each([
    ['/api/health', 'api/health.ts'],
    ['/api/health/', 'api/health.ts'],
    ['/api/v1/inventory', 'api/v1/inventory/index.ts'],
    ['/v1/inventory', 'api/v1/inventory/index.ts'],
    ['/v1/dealers', 'api/v1/dealers.ts'],
    ['/api/v1/inventory/X', 'api/v1/inventory/[vin].ts'],
    ['/v1/inventory/X', 'api/v1/inventory/[vin].ts'],
    ['/v1/nothing', 'api/not-found.ts'],
    ['/api', 'api/not-found.ts'],
    ['/elsewhere', null],
    ['/api/__proto__', 'api/not-found.ts'],
  ])('%s is answered by %s', (path, file) => {
    expect(findFile(path)).toBe(file);
  });

  it('a rewritten path goes on through the later rewrites and gathers their query', () => {
    expect(table().resolve('/v1/inventory/X').target).toMatchObject({ query: 'vin=X' });
  });

  it('without a rewrite a dynamic file is found by the file system, its segment in the query', () => {
    const routes = table({ rewrites: [] });
    expect(routes.resolve('/api/v1/inventory/X').target).toMatchObject({ query: 'vin=X' });
    expect(routes.resolve('/api/v1/things/7/parts').target).toMatchObject({ query: 'id=7' });
    expect(findFile('/api/nothing', routes)).toBeNull();
  });

  it('a static file goes before a function', () => {
    expect(table({}, statics).resolve('/api/v1/dealers').target.kind).toBe('static');
  });

  it('the first functions entry that matches a file sets its maxDuration; brackets may be meant literally', () => {
    const routes = table({
      functions: {
        'api/v1/inventory/[vin].ts': { maxDuration: 7 },
        'api/v1/**/*.ts': { maxDuration: 8 },
        'api/**/*.ts': { maxDuration: 9 },
      },
    });
    const seconds = ['/api/v1/inventory/X', '/v1/dealers', '/api/health'].map((path) => {
      const { target } = routes.resolve(path);
      return target.kind === 'function' ? target.maxDuration : null;
    });
    expect(seconds).toEqual([7, 8, 9]);
  });

  it('answers the same for a path it has seen, whatever came between', () => {
    const routes = table();
    const first = routes.resolve('/v1/inventory/A');
    for (let n = 0; n < 3_000; n++) routes.resolve(`/v1/inventory/${n}`);
    expect(routes.resolve('/v1/inventory/A')).toEqual(first);
  });
});
