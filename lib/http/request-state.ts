import type { Context as HonoContext } from 'hono';
import type { Principal } from '../ports/accounts/accounts.ts';
import type { Ports } from '../ports/ports.ts';
import { callerAddress } from './guards/address.ts';

/** One request on its way: what the guards, the answer and the one log line share. */
export interface RequestState {
  readonly ports: Ports;
  readonly hono: HonoContext;
  readonly request: Request;
  /** What limits count by. */
  readonly address: string;
  readonly requestId: string;
  readonly startedMs: number;
  /** Fields of the log line. */
  readonly fields: Record<string, unknown>;
  /** Headers of the answer, whatever it turns out to be. */
  readonly headers: Record<string, string>;
  principal: Principal | null;
  /** When a streamed answer is over, with the error that broke it off; null for one that is complete. */
  streamEnd: Promise<unknown> | null;
  note(fields: Record<string, unknown>): void;
}

export function openRequest(ports: Ports, hono: HonoContext): RequestState {
  const { raw: request } = hono.req;
  const fields: Record<string, unknown> = {};
  return {
    ports,
    hono,
    request,
    address: callerAddress(request),
    requestId: `req_${Buffer.from(ports.random.bytes(15)).toString('base64url')}`,
    startedMs: ports.clock.now(),
    fields,
    headers: {},
    principal: null,
    streamEnd: null,
    note: (more) => void Object.assign(fields, more),
  };
}

/** Has the statements of `work` take turns with those of other accounts. */
export function inTurn<Result>({ ports, principal }: RequestState, work: () => Result): Result {
  return principal ? ports.store.asAccount(principal.account.id, work) : work();
}

/** Neither markup nor an API key. */
const HARMLESS_ID = /^(?!.*ctis_[sw]k_)[\w.:-]{1,128}$/;

/** Writes the one log line: of a stream at its end. */
export function logRequest(state: RequestState, status: number): void {
  if (state.streamEnd) state.ports.background.run(logStream(state, status));
  else writeRequestLog(state, status);
}

async function logStream(state: RequestState, status: number): Promise<void> {
  const error = await state.streamEnd;
  if (error !== undefined) state.note({ code: 'INTERNAL_ERROR', error: describeError(error) });
  writeRequestLog(state, status);
}

function writeRequestLog({ ports, ...state }: RequestState, status: number): void {
  const callerId = state.request.headers.get('x-request-id');
  ports.log.write({
    level: status >= 500 || state.fields.code === 'INTERNAL_ERROR' ? 'error' : 'info',
    request_id: state.requestId,
    ...(callerId && HARMLESS_ID.test(callerId) ? { caller_request_id: callerId } : {}),
    method: state.request.method,
    status,
    ms: Math.round((ports.clock.now() - state.startedMs) * 10) / 10,
    ...state.fields,
  });
}

/** An error for the log: never for the caller. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 500);
  const cause = error.cause instanceof Error ? ` ← ${error.cause.name}: ${error.cause.message}` : '';
  return `${error.stack ?? error.message}${cause}`.slice(0, 4_000);
}
