import { html } from 'hono/html';

export const HTML = 'text/html; charset=utf-8';

/** The page behind a link in a mail: no script, no style, one question. */
export function plainPage(title: string, content: unknown) {
  const text = String(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`);
  const headers = {
    'Content-Type': HTML,
    'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  };
  return { status: 200, body: new TextEncoder().encode(text), headers };
}
