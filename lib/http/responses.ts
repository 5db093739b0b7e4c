import { received } from '../domain/text/text.ts';
import { ApiError, toEnvelope } from '../errors.ts';
import { Unavailable } from '../ports/faults.ts';
import type { Ports } from '../ports/ports.ts';
import type { Answer } from './endpoint.ts';
import { describeError, type RequestState } from './request-state.ts';
import { toStream } from './stream.ts';

/** What goes back to the caller: answers, refusals, and what fails before there is anything to answer with. */

const JSON_TYPE = 'application/json; charset=utf-8';
const NO_STORE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

function headersFor(state: RequestState, own: Record<string, string> | undefined): Record<string, string> {
  return { ...NO_STORE, ...state.headers, 'x-request-id': state.requestId, ...own };
}

export function toEmptyResponse(
  status: number,
  state: RequestState,
  headers?: Record<string, string>,
): Response {
  return new Response(null, { status, headers: headersFor(state, headers) });
}

/** `onGone`: the controller to abort when the caller leaves before a stream is complete. */
export function toResponse(
  { status, body, headers: own }: Answer,
  state: RequestState,
  onGone: () => AbortController,
): Response {
  if (status === 304 || status === 204) return toEmptyResponse(status, state, own);
  const headers = headersFor(state, own);
  if (isStream(body)) {
    const { stream, ended } = toStream(body, onGone());
    state.streamEnd = ended;
    return new Response(stream, { status, headers });
  }
  const isHead = state.request.method === 'HEAD';
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
export function toErrorResponse(error: unknown, state: RequestState): Response {
  const refusal = toRefusal(error, state, 'the x-request-id');
  const headers = headersFor(state, { ...refusal.headers, 'Content-Type': JSON_TYPE });
  const { details } = refusal;
  const shown = 'received' in details ? { ...details, received: received(details.received) } : details;
  const envelope = toEnvelope(
    { code: refusal.code, message: refusal.message, details: shown },
    state.ports.settings.publicUrl ?? new URL(state.request.url).origin,
  );
  return new Response(JSON.stringify(envelope), { status: refusal.status, headers });
}

/** The refusal that `error` is, or INTERNAL_ERROR; the log gets its code, and the cause of a fault of ours. */
export function toRefusal(error: unknown, { ports, fields }: RequestState, idWords: string): ApiError {
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
