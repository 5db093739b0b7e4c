import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlatform } from '../../lib/local/platform/platform.ts';

const root = join(import.meta.dirname, 'fixture');
const logged: Record<string, unknown>[] = [];

const platform = await createPlatform({ root, log: (entry) => logged.push(entry) });

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return platform.fetch(new Request(`http://localhost:3000${path}`, init), { ip: '192.0.2.7' });
}

interface Echo {
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

async function fetchEcho(path: string, init: RequestInit = {}): Promise<Echo> {
  const response = await ask(path, init);
  expect(response.status).toBe(200);
  return response.json();
}

async function expectEnvelope(response: Response, status: number, code: string): Promise<string> {
  expect(response.status).toBe(status);
  expect(response.headers.get('x-request-id')).toMatch(/^req_\w+$/);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ error: { code, message: expect.any(String) } });
  return text;
}

describe('functions', () => {
  it.each([
    ['/api/v1/inventory', 'v1/inventory/index', '/api/v1/inventory'],
    ['/v1/inventory?dry_run=true', 'v1/inventory/index', '/v1/inventory?dry_run=true'],
    ['/v1/inventory/1XP', 'v1/inventory/[vin]', '/v1/inventory/1XP?vin=1XP'],
    ['/api/v1/inventory/1XP?a=b', 'v1/inventory/[vin]', '/api/v1/inventory/1XP?a=b&vin=1XP'],
    ['/api/v1/inventory/A%20B', 'v1/inventory/[vin]', '/api/v1/inventory/A%20B?vin=A%20B'],
    ['/v1/unknown', 'not-found', '/v1/unknown?path=v1%2Funknown'],
    ['/api/_echo', 'not-found', '/api/_echo?path=_echo'],
  ])('%s reaches %s, which sees the original path', async (path, name, seen) => {
    const echo = await fetchEcho(path);
    expect(echo.name).toBe(name);
    expect(decodeURIComponent(echo.url)).toBe(decodeURIComponent(`http://localhost:3000${seen}`));
  });

  it('a body and a method pass through untouched', async () => {
    expect(await fetchEcho('/v1/inventory', { method: 'PATCH', body: '{"vin":1}' })).toMatchObject({
      method: 'PATCH',
      body: '{"vin":1}',
    });
  });

  it('what a client claims about its address is overwritten', async () => {
    const { headers } = await fetchEcho('/api/echo', {
      headers: {
        'X-Real-IP': '203.0.113.1',
        'x-forwarded-for': '203.0.113.2',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'for=203.0.113.3',
        'x-vercel-ip-country': 'XX',
        'x-vercel-forwarded-for': '203.0.113.4',
        'x-kept': 'yes',
      },
    });
    expect(headers).toMatchObject({
      'x-real-ip': '192.0.2.7',
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-host': 'localhost:3000',
      'x-forwarded-proto': 'http',
      'x-kept': 'yes',
    });
    expect(
      Object.keys(headers).filter((name) => name.startsWith('x-vercel-') || name === 'forwarded'),
    ).toEqual([]);
  });

  it('a function over its maxDuration is answered with 504 and the envelope', async () => {
    await expectEnvelope(await ask('/api/quick/late'), 504, 'INTERNAL_ERROR');
    expect(logged.at(-1)).toMatchObject({ event: 'function timed out', file: 'api/quick/late.ts' });
  });

  it.each(['throws', 'rejects', 'unloadable'])(
    'a function that %s is answered with 500; the cause stands in the log only',
    async (name) => {
      const response = await ask(`/api/${name}`);
      const id = response.headers.get('x-request-id');
      expect(await expectEnvelope(response, 500, 'INTERNAL_ERROR')).not.toContain('secret detail');
      expect(logged.at(-1)).toMatchObject({
        request_id: id,
        error: expect.stringContaining('secret detail'),
      });
    },
  );

  it('headers of vercel.json are added where the function sets none', async () => {
    const { headers } = await ask('/api/headers');
    expect(headers.get('x-own')).toBe('from the function');
    expect(headers.get('x-added')).toBe('from vercel.json');
  });

  it('load: "start" tells of a broken file before the first request', async () => {
    await expect(createPlatform({ root, load: 'start' })).rejects.toThrow('secret detail');
  });
});

describe('static files', () => {
  it.each([
    ['/', '<h1>home</h1>\n', 'text/html; charset=utf-8'],
    ['/docs', '<h1>docs</h1>\n', 'text/html; charset=utf-8'],
    ['/docs/', '<h1>docs</h1>\n', 'text/html; charset=utf-8'],
    ['/docs/errors/X.html', '<h1>an error</h1>\n', 'text/html; charset=utf-8'],
    ['/app.js', 'console.log(1);\n', 'application/javascript; charset=utf-8'],
    ['/a%20b.txt', 'spaced\n', 'text/plain; charset=utf-8'],
    ['/@chunk.js', 'chunk();\n', 'application/javascript; charset=utf-8'],
    ['/%40chunk.js', 'chunk();\n', 'application/javascript; charset=utf-8'],
  ])('%s is served', async (path, body, type) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('last-modified')).toBeTruthy();
    expect(response.headers.get('x-request-id')).toMatch(/^req_\w+$/);
    expect(await response.text()).toBe(body);
  });

  it('an unchanged file is 304 by its ETag and by its time', async () => {
    const { headers } = await ask('/app.js');
    const etag = headers.get('etag') ?? '';
    const modified = headers.get('last-modified') ?? '';
    expect((await ask('/app.js', { headers: { 'if-none-match': `"other", W/${etag}` } })).status).toBe(304);
    expect((await ask('/app.js', { headers: { 'if-modified-since': modified } })).status).toBe(304);
    expect((await ask('/app.js', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('HEAD has the headers of GET and no body; other methods are 405 with Allow', async () => {
    const head = await ask('/app.js', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '16', '']);
    const post = await ask('/app.js', { method: 'POST', body: 'x' });
    expect(post.headers.get('allow')).toBe('GET, HEAD');
    const { error } = await post.clone().json();
    expect(error.details).toMatchObject({
      reason: 'method_not_allowed',
      doc_url: expect.stringMatching(/^http/),
    });
    await expectEnvelope(post, 405, 'NOT_FOUND');
  });

  it('a headers entry of vercel.json goes over the default', async () => {
    expect((await ask('/docs/errors/X.html')).headers.get('cache-control')).toBe('public, max-age=300');
    expect((await ask('/app.js')).headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  });

  it.each([
    '/.hidden',
    '/.folder/file.txt',
    '/../vercel.json',
    '/%2e%2e/vercel.json',
    '/..%2fvercel.json',
    '/docs/..%2f..%2fvercel.json',
    '/docs/%2e%2e%2f%2e%2e%2fvercel.json',
    '/..%5cvercel.json',
    '/%252e%252e/vercel.json',
    '//etc/passwd',
    '/app.js%00.html',
    '/api/../vercel.json',
    '/vercel.json',
    '/api/echo.ts',
  ])('%s does not lead out of public/', async (path) => {
    const response = await ask(path);
    const text = await response.text();
    expect(text).not.toMatch(/rewrites|hidden\n|root:|import/);
    expect(response.status === 404 || text.includes('"name":"not-found"')).toBe(true);
  });
});

describe('vercel.json', () => {
  it.each([
    ['{ "redirects": [] }', /redirects is not served locally/],
    ['{ "rewrites": [{ "source": "/a", "destination": "https://elsewhere.example" }] }', /destination/],
    ['{ "rewrites": [{ "source": "/a", "destination": "/b", "has": [] }] }', /has/],
    ['{ "rewrites": [{ "source": "/((?!x).*)", "destination": "/b" }] }', /unreadable path pattern/],
    ['{', /JSON/],
    ['[]', /not a JSON object/],
  ])('%s is refused at the start with a reason', async (text, reason) => {
    const folder = await mkdtemp(join(tmpdir(), 'platform-'));
    try {
      await writeFile(join(folder, 'vercel.json'), text);
      await expect(createPlatform({ root: folder })).rejects.toThrow(reason);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
