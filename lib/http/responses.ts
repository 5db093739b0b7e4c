import { ApiError, toEnvelope } from '../errors.ts';
import { Unavailable } from '../outside/faults.ts';
import type { Ports } from '../outside/ports.ts';
import { received } from '../truck/text/text.ts';
import type { Answer } from './endpoint.ts';
import type { RequestContext } from './request-context.ts';
import { describeError } from './request-log.ts';
import { toStream } from './stream.ts';

/** What goes back to the caller: answers, refusals, and what fails before there is anything to answer with. */

const JSON_TYPE = 'application/json; charset=utf-8';
const NO_STORE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

function headersFor(ctx: RequestContext, own: Record<string, string> | undefined): Record<string, string> {
  return { ...NO_STORE, ...ctx.headers, 'x-request-id': ctx.requestId, ...own };
}

export function toEmptyResponse(
  status: number,
  ctx: RequestContext,
  headers?: Record<string, string>,
): Response {
  return new Response(null, { status, headers: headersFor(ctx, headers) });
}

export function toResponse({ status, body, headers: own }: Answer, ctx: RequestContext): Response {
  if (status === 304 || status === 204) return toEmptyResponse(status, ctx, own);
  const headers = headersFor(ctx, own);
  if (isStream(body)) {
    const { stream, ended } = toStream(body, ctx.gone);
    ctx.streamEnd = ended;
    return new Response(stream, { status, headers });
  }
  const isHead = ctx.request.method === 'HEAD';
  if (body instanceof Uint8Array) {
    const size = { 'Content-Length': String(body.length) };
    return new Response(isHead ? null : new Uint8Array(body), { status, headers: { ...size, ...headers } });
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(isHead ? null : text, { status, headers: { ...headers, 'Content-Type': JSON_TYPE } });
}

const isStream = (body: Answer['body']): body is AsyncIterable<string> =>
  typeof body === 'object' && Symbol.asyncIterator in body;

/** The contract's envelope. */
export function toErrorResponse(error: unknown, ctx: RequestContext): Response {
  const refusal = toRefusal(error, ctx, 'the x-request-id');
  const headers = headersFor(ctx, { ...refusal.headers, 'Content-Type': JSON_TYPE });
  const { details } = refusal;
  const shown = 'received' in details ? { ...details, received: received(details.received) } : details;
  const envelope = toEnvelope(
    { code: refusal.code, message: refusal.message, details: shown },
    ctx.ports.settings.publicUrl ?? new URL(ctx.request.url).origin,
  );
  return new Response(JSON.stringify(envelope), { status: refusal.status, headers });
}

/** The refusal that `error` is, or INTERNAL_ERROR; the log gets its code, and the cause of a fault of ours. */
export function toRefusal(error: unknown, { ports, fields }: RequestContext, idWords: string): ApiError {
  const refusal = error instanceof ApiError ? error : internalError(error, ports, idWords);
  fields.code = refusal.code;
  if (refusal.code === 'INTERNAL_ERROR') fields.error = describeError(refusal.cause ?? error);
  return refusal;
}

/** The caller gets fixed words and when to come back, never the cause. */
function internalError(cause: unknown, { settings }: Ports, idWords: string): ApiError {
  const problem = cause instanceof Unavailable ? cause.publicMessage : 'Something went wrong on our side.';
  const message = `${problem} Quote ${idWords} to ${settings.supportEmail}.`;
  return new ApiError('INTERNAL_ERROR', message, { cause, headers: { 'Retry-After': '2' } });
}

/** Only what fails before the ports stand comes here, such as an unusable environment. */
export function toStartupErrorResponse(error: unknown, { method, url }: Request): Response {
  const id = `req_${crypto.randomUUID()}`;
  const code = 'INTERNAL_ERROR';
  const entry = { level: 'error', request_id: id, method, code, error: describeError(error) };
  process.stderr.write(`${JSON.stringify(entry)}\n`);
  const refusal = { code, message: 'The service is not configured correctly.', details: {} } as const;
  return Response.json(toEnvelope(refusal, new URL(url).origin), {
    status: 500,
    headers: { ...NO_STORE, 'Content-Type': JSON_TYPE, 'Retry-After': '30', 'x-request-id': id },
  });
}
