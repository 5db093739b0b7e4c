import type { Context } from './context.ts';

/** Neither markup nor an API key. */
const HARMLESS_ID = /^(?!.*ctis_[sw]k_)[\w.:-]{1,128}$/;

/** Writes the one log line: of a stream at its end. */
export function logRequest(ctx: Context, status: number): void {
  if (ctx.streamEnd) ctx.ports.background.run(logStream(ctx, status));
  else writeRequestLog(ctx, status);
}

async function logStream(ctx: Context, status: number): Promise<void> {
  const error = await ctx.streamEnd;
  if (error !== undefined) ctx.note({ code: 'INTERNAL_ERROR', error: describeError(error) });
  writeRequestLog(ctx, status);
}

function writeRequestLog({ ports, request, fields, requestId, startedMs }: Context, status: number) {
  const callerId = request.headers.get('x-request-id');
  ports.log.write({
    level: status >= 500 || fields.code === 'INTERNAL_ERROR' ? 'error' : 'info',
    request_id: requestId,
    ...(callerId && HARMLESS_ID.test(callerId) ? { caller_request_id: callerId } : {}),
    method: request.method,
    status,
    ms: Math.round((ports.clock.now() - startedMs) * 10) / 10,
    ...fields,
  });
}

/** An error for the log: never for the caller. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 500);
  const cause = error.cause instanceof Error ? ` ← ${error.cause.name}: ${error.cause.message}` : '';
  return `${error.stack ?? error.message}${cause}`.slice(0, 4_000);
}
