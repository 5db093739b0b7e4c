import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type Next } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { serveDashboard } from '../dashboard/serve.ts';
import { serve } from '../http/serve.ts';
import { ENDPOINTS } from '../routes.ts';

const PUBLIC = join(import.meta.dirname, '../../public');

/**
 * The whole service as one app: every endpoint, the dashboard, and what stands in `publicFolder`. `docs`: until
 * the docs are there, whoever asks for them learns that they are being built.
 */
export function createApp(options: { publicFolder?: string; docs?: boolean } = {}): Hono {
  const { publicFolder = PUBLIC, docs = false } = options;
  const app = new Hono();
  // To look whether an answer can be compressed doubles the cost of a small one: only for who asks.
  const gzip = compress();
  app.use((hono, next) => (hono.req.header('accept-encoding') ? gzip(hono, next) : next()));
  for (const endpoints of Map.groupBy(ENDPOINTS, ({ path }) => path).values())
    app.route('/', serve(...endpoints));
  const dashboard = serveDashboard();
  app.all('/dashboard/*', ({ req }) => dashboard.fetch(req.raw));
  addPublicFolder(app, publicFolder);
  if (docs)
    app.get('/docs/*', (hono, next) =>
      existsSync(join(publicFolder, 'docs')) ? next() : answerNotBuilt(hono),
    );
  const stray = serve();
  app.notFound(({ req }) => stray.fetch(req.raw));
  return app;
}

function addPublicFolder(app: Hono, folder: string): void {
  const document = (hono: Context) => answerDocument(hono, join(folder, 'openapi.json'));
  app.get('/openapi.json', document).get('/docs/openapi.json', document);
  app.get('*', etag(), addFileHeaders, serveStatic({ root: folder, rewriteRequestPath: toFile }));
}

/** Files may be kept for five minutes; the widget's parts, whose addresses name their version, for good. */
async function addFileHeaders(hono: Context, next: Next): Promise<void> {
  await next();
  if (!hono.res.ok) return;
  hono.header('cache-control', PART.test(hono.req.path) ? FOR_GOOD : 'public, max-age=300');
  for (const [name, value] of Object.entries(ANY_SITE)) hono.header(name, value);
}

/** Dealers' pages load the widget, and tools the document, from any origin. */
const ANY_SITE = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};
const FOR_GOOD = 'public, max-age=31536000, immutable';
const PART = /^(\/widget-[a-z-]+)\.[0-9a-f]+\.js$/;

/** As vercel.json rewrites them: a version of a part is the newest one, and pages of the docs go without .html. */
function toFile(path: string): string {
  if (path === '/llms.txt') return '/docs/llms.txt';
  return path.replace(PART, '$1.js').replace(/^\/docs\/[^.]*[^./]$/, '$&.html');
}

/** Clients that are generated from the OpenAPI document need an address to call: the one that was asked. */
async function answerDocument(hono: Context, file: string): Promise<Response> {
  const text = await readFile(file, 'utf8');
  const { origin } = new URL(hono.req.url);
  const named = text.replaceAll(/"url": "\/(api)?"/g, (_, api) => `"url": "${origin}${api ? '/api' : ''}"`);
  return hono.body(named, 200, { 'content-type': 'application/json; charset=utf-8', ...ANY_SITE });
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>The docs are being built</title>
<h1>The docs are being built</h1><p>This happens once, takes a minute or two, and the page then comes by itself. The service answers meanwhile.</p></html>`;

function answerNotBuilt(hono: Context): Response {
  return hono.html(NOT_BUILT, 503, { 'retry-after': '5', refresh: '5', 'cache-control': 'no-store' });
}
