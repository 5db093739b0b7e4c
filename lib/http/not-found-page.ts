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
<style>
body { max-width: 36rem; margin: 15vh auto 0; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
a { color: inherit; }
form { display: flex; gap: .5rem; margin: 1.5rem 0; }
input { flex: 1; min-width: 0; }
input, button { padding: .6rem .8rem; font: inherit; }
</style>
</head>
<body>
<main>
<h1>Page not found</h1>
<p>Nothing is at this address. Search the docs, or go to their <a href="/docs/">start</a>.</p>
<form action="/docs/find.html" role="search">
<input type="search" name="q" aria-label="Search the docs" placeholder="Search the docs" required>
<button>Search</button>
</form>
</main>
</body>
</html>
`;

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'";

/** Whether a browser asks for a page, outside of the API. */
export function wantsPage({ method, headers, url }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const isApi = /^\/(?:v1|api)(?:\/|$)/.test(new URL(url).pathname);
  return !isApi && (headers.get('accept') ?? '').includes('text/html');
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
