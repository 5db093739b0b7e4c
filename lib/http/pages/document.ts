import type { RequestContext } from '../request-context.ts';
import { toEmptyResponse, toResponse } from '../responses.ts';
import type { Download, Html, Redirect } from './page.ts';

/** What goes back to the browser. */

/** Nothing may come from elsewhere, nothing inline runs, and no script turns text into markup. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  // Not no-referrer: browsers would send forms without their origin.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Browsers heed it over HTTPS only.
  'Strict-Transport-Security': 'max-age=31536000',
};

export async function toDocument(ctx: RequestContext, status: number, html: Html): Promise<Response> {
  const body = new TextEncoder().encode(String(await html));
  return toResponse({ status, body, headers: HEADERS }, ctx);
}

/** 303: the browser goes on with a GET. */
export function toRedirect(ctx: RequestContext, { to, done }: Redirect): Response {
  const query = done === undefined ? '' : `${to.includes('?') ? '&' : '?'}done=${done}`;
  return toEmptyResponse(303, ctx, { Location: to + query });
}

export function toDownload(ctx: RequestContext, file: Download): Response {
  const headers = {
    'Content-Type': file.type,
    'Content-Disposition': `attachment; filename="${file.filename.replace(/[^\w.-]+/g, '-')}"`,
  };
  const body = typeof file.body === 'string' ? new TextEncoder().encode(file.body) : file.body;
  return toResponse({ status: 200, body, headers }, ctx);
}
