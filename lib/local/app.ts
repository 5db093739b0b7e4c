import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono, type Next } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { serveDashboard } from '../dashboard/serve.ts';
import { serve } from '../http/serve.ts';
import { ENDPOINTS } from '../routes.ts';

const PUBLIC = join(import.meta.dirname, '../../public');

/** The whole service as one app: every endpoint, the dashboard, and the files of the folder. */
export function createApp(folder = PUBLIC): Hono {
  const app = new Hono();
  // Compression doubles the cost of a small answer, so only callers that ask for it get it.
  const gzip = compress();
  app.use((hono, next) => (hono.req.header('accept-encoding') ? gzip(hono, next) : next()));
  for (const endpoints of Map.groupBy(ENDPOINTS, ({ path }) => path).values())
    app.route('/', serve(...endpoints));
  const dashboard = serveDashboard();
  app.all('/dashboard/*', ({ req }) => dashboard.fetch(req.raw));
  app.get('*', etag(), addFileHeaders, serveStatic({ root: folder, rewriteRequestPath: toFile }));
  const stray = serve();
  app.notFound(({ req }) => stray.fetch(req.raw));
  return app;
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

/**
 * Rewrites paths as vercel.json does: every version of a widget's part is the newest, and pages of the docs need no
 * .html.
 */
function toFile(path: string): string {
  if (path === '/llms.txt') return '/docs/llms.txt';
  if (path === '/docs/openapi.json') return '/openapi.json';
  return path.replace(PART, '$1.js').replace(/^\/docs\/[^.]*[^./]$/, '$&.html');
}
