import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { newRequestId, ownAnswer, toResponse } from './responses.ts';
import { listFiles } from './routes.ts';

/** public/ as the CDN serves it. */

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'application/javascript; charset=utf-8',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
  '.yaml': 'text/yaml; charset=utf-8',
};

/**
 * Decoded URL path → file for everything in `folder`, listed once: a request can only name what stands in
 * this list, so no spelling of a path leads out of the folder. `docs/index.html` also answers /docs and /docs/.
 */
export async function listStatic(folder: string): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const file of await listFiles(folder)) {
    const target = join(folder, file);
    const path = `/${file}`;
    paths.set(path, target);
    if (!path.endsWith('/index.html')) continue;
    const directory = path.slice(0, -'index.html'.length);
    paths.set(directory, target);
    if (directory !== '/') paths.set(directory.slice(0, -1), target);
  }
  return paths;
}

/** Answers GET and HEAD with validators (ETag, Last-Modified) and 304; other methods 405. */
export async function answerStatic(file: string, request: Request): Promise<Response> {
  const { origin } = new URL(request.url);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const details = { reason: 'method_not_allowed' };
    const headers = { allow: 'GET, HEAD' };
    return toResponse(
      ownAnswer(405, 'NOT_FOUND', 'A static file answers GET, HEAD.', { details, headers, origin }),
    );
  }
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) return toResponse(ownAnswer(404, 'NOT_FOUND', 'No such file.', { origin }));
  const etag = `"${found.size.toString(16)}-${Math.trunc(found.mtimeMs).toString(16)}"`;
  const headers = {
    'content-type': TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream',
    'cache-control': 'public, max-age=0, must-revalidate',
    etag,
    'last-modified': found.mtime.toUTCString(),
    'x-content-type-options': 'nosniff',
    'x-request-id': newRequestId(),
  };
  if (isFresh(request, etag, found.mtimeMs)) return new Response(null, { status: 304, headers });
  if (request.method === 'HEAD')
    return new Response(null, { headers: { ...headers, 'content-length': String(found.size) } });
  return new Response(new Uint8Array(await readFile(file)), { headers });
}

function isFresh(request: Request, etag: string, modified: number): boolean {
  const tags = request.headers.get('if-none-match');
  if (tags !== null)
    return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  const since = Date.parse(request.headers.get('if-modified-since') ?? '');
  return since >= Math.floor(modified / 1_000) * 1_000;
}
