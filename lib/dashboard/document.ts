import type { Context } from '../http/context.ts';
import type { Download, Html, Redirect } from '../http/pages/page.ts';
import { toResponse } from '../http/responses.ts';

/** What goes back to the browser. */

const toBytes = (text: unknown) => new TextEncoder().encode(String(text));

export async function toDocument(ctx: Context, status: number, html: Html): Promise<Response> {
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  return toResponse({ status, body: toBytes(await html), headers }, ctx);
}

/** A file, or 303: the browser goes on with a GET. */
export function toResponseFor(ctx: Context, reply: Download | Redirect): Response {
  if ('to' in reply) {
    const { to, done } = reply;
    const query = done === undefined ? '' : `${to.includes('?') ? '&' : '?'}done=${done}`;
    return toResponse({ status: 303, body: '', headers: { Location: to + query } }, ctx);
  }
  const { filename, type, body } = reply;
  const name = filename.replace(/[^\w.-]+/g, '-');
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
  return toResponse({ status: 200, body: typeof body === 'string' ? toBytes(body) : body, headers }, ctx);
}
