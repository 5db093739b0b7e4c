import type { Context } from './context.ts';
import { toResponse } from './responses.ts';

/** What a person sees who follows a stale link; programs, and all calls below /v1 and /api, get the envelope. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Page not found</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<header>
<a class="brand" href="/docs/">Truck Inventory API</a>
<form action="/docs/find.html" role="search"><input type="search" name="q" aria-label="Search the docs" placeholder="Search the docs" required></form>
</header>
<main>
<h1>Page not found</h1>
<p>Nothing is at this address. Search the docs, or go to their <a href="/docs/">start</a>.</p>
</main>
</body>
</html>
`;

const POLICY = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'";

/** Whether a page of the docs is asked for, or a browser asks for a page outside of the API. */
export function wantsPage({ method, headers, url }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const [, folder = ''] = new URL(url).pathname.split('/');
  if (folder === 'docs') return true;
  return !['v1', 'api'].includes(folder) && (headers.get('accept') ?? '').includes('text/html');
}

export const toNotFoundPage = (ctx: Context): Response =>
  toResponse(
    {
      status: 404,
      body: new TextEncoder().encode(PAGE),
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY },
    },
    ctx,
  );
