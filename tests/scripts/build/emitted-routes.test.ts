import { describe, expect, it, onTestFinished } from 'vitest';
import { serveOutput } from '../../../scripts/verify-build/serve-output.ts';
import { emit } from './small-tree.ts';

async function served() {
  const { output, staged } = await emit();
  const { origin, close } = await serveOutput(output, staged, 0);
  onTestFinished(close);
  return async (path: string, init?: RequestInit) => {
    const response = await fetch(origin + path, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      reached: response.headers.get('x-reached'),
      text,
    };
  };
}

describe('an emitted output, served by its own routes', () => {
  it.each([
    ['/v1/trucks', 'api/v1/trucks/index'],
    ['/api/v1/trucks', 'api/v1/trucks/index'],
    ['/v1/trucks/1XKYDP9X7MJ442299?a=b', 'api/v1/trucks/[vin]'],
    ['/api/v1/trucks/1XKYDP9X7MJ442299', 'api/v1/trucks/[vin]'],
    ['/api/cron/sweep', 'api/cron/sweep'],
  ])('answers %s from its function', async (path, name) => {
    const get = await served();
    const { reached, status } = await get(path);
    expect({ reached, status }).toEqual({ reached: name, status: 401 });
  });

  it.each(['/api', '/api/stray', '/v1/stray/deep/path', '/v1/trucks/', '/api/v1/trucks/x/y', '/stray', '/'])(
    'keeps the envelope and the request id on the stray path %s',
    async (path) => {
      const get = await served();
      const { reached, status, headers, text } = await get(path, { method: 'POST', body: '{}' });
      expect({ reached, status }).toEqual({ reached: 'api/not-found', status: 404 });
      expect(headers.get('x-request-id')).toBe('req_1');
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
    },
  );

  it('hands a dynamic segment over as a query parameter, behind the caller’s own query', async () => {
    const get = await served();
    const { text } = await get('/v1/trucks/1XKYDP9X7MJ442299?a=b');
    expect(JSON.parse(text).error.details.search).toBe('?a=b&vin=1XKYDP9X7MJ442299');
  });

  it('finds the data files that join a function at deployment', async () => {
    const get = await served();
    const { text } = await get('/v1/trucks', { headers: { authorization: 'Bearer x' } });
    expect(text).toBe('12');
  });

  it('serves static files before any rewrite, with the headers of the routes', async () => {
    const get = await served();
    const { reached, status, headers } = await get('/openapi.json');
    expect({ reached, status }).toEqual({ reached: 'openapi.json', status: 200 });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect((await get('/docs')).reached).toBe('docs/index.html');
  });
});
