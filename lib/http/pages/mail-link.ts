import { html } from 'hono/html';
import * as z from 'zod/mini';
import { ApiError } from '../../errors.ts';
import { about } from '../../truck/json.ts';

const Params = z.object({ token: about(z.string().check(z.maxLength(1_000)), 'From the link in the mail.') });
const HTML = 'text/html; charset=utf-8';

/** What both methods of a link in a mail share: GET asks and only POST acts, because programs that check mails follow links. */
export const mailLink = <Path extends string>(path: Path) =>
  ({
    path,
    tag: 'Platform',
    guard: 'anyone',
    params: Params,
    errors: ['INVALID_PARAMS'],
    media: [HTML],
    answers: { 200: null },
  }) as const;

export function wrongLink(reason: string): ApiError {
  return new ApiError('INVALID_PARAMS', `This link is not one of ours, or ${reason}.`, {
    details: { field: 'token', reason: 'unknown_token' },
  });
}

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
