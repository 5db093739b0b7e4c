import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError, toEnvelope } from '../errors.ts';
import { Unavailable } from '../outside/faults.ts';
import type { Ports } from '../ports.ts';
import { toReceivedValue } from '../truck/text/text.ts';
import type { Context } from './context.ts';
import type { Answer } from './endpoint.ts';
import { describeError } from './request-log.ts';

/** What goes back to the caller: answers, refusals, and what fails before there is anything to answer with. */

const JSON_TYPE = 'application/json; charset=utf-8';
const NO_STORE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

const EMPTY = [204, 303, 304];

/** Of HEAD, hono leaves out the body. */
export function toResponse({ status, body, headers: answerHeaders }: Answer, ctx: Context): Response {
  const headers: Record<string, string> = {
    ...NO_STORE,
    ...ctx.headers,
    'x-request-id': ctx.requestId,
    ...answerHeaders,
  };
  if (EMPTY.includes(status)) return new Response(null, { status, headers });
  if (isStream(body)) {
    const { stream, ended: streamEnd } = toStream(body, ctx.gone);
    ctx.streamEnd = streamEnd;
    return new Response(stream, { status, headers });
  }
  if (body instanceof Uint8Array) {
    headers['Content-Length'] = String(body.length);
    return new Response(new Uint8Array(body), { status, headers });
  }
  headers['Content-Type'] = JSON_TYPE;
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
}

const isStream = (body: Answer['body']): body is AsyncIterable<string> =>
  typeof body === 'object' && Symbol.asyncIterator in body;

/**
 * The pieces as UTF-8, each made when it is asked for. A reader who goes away aborts `gone`, so that whatever the next
 * piece waits for ends too, and the pieces get to do what they have to do last. `ended`: when it was read to its end,
 * broken, or given up; it never rejects, and has the error when the pieces broke off.
 */
function toStream(pieces: AsyncIterable<string>, abort: AbortController) {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  // The server asks for pieces on nobody's behalf.
  const asCaller = AsyncLocalStorage.snapshot();
  const { promise: streamEnd, resolve } = Promise.withResolvers<unknown>();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await asCaller(() => iterator.next());
          if (abort.signal.aborted) return;
          if (!done) return controller.enqueue(encoder.encode(value));
          controller.close();
          resolve(undefined);
        } catch (error) {
          controller.error(error);
          resolve(error);
        }
      },
      async cancel() {
        abort.abort();
        try {
          await iterator.return?.();
          resolve(undefined);
        } catch (error) {
          resolve(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, ended: streamEnd };
}

/** The contract's envelope. */
export function toErrorResponse(error: unknown, ctx: Context): Response {
  const refusal = toRefusal(error, ctx, 'the x-request-id');
  const { code, message, status, headers, details } = refusal;
  const visibleDetails =
    details.received === undefined ? details : { ...details, received: toReceivedValue(details.received) };
  const body = toEnvelope({ code, message, details: visibleDetails }, ctx.publicUrl);
  return toResponse({ status, body, headers }, ctx);
}

/** The refusal that `error` is, or INTERNAL_ERROR; the log gets its code, and the cause of a fault of ours. */
export function toRefusal(error: unknown, { ports, fields }: Context, idWords: string): ApiError {
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
