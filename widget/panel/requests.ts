/** The service's widget routes, as the panel calls them. */

/** What went wrong, as a visitor can act on it. */
export type Kind = 'offline' | 'wait' | 'noChat' | 'failed';

export interface Fault {
  kind: Kind;
  /** Code of the error envelope; empty when no answer came. */
  code: string;
  /** Seconds to wait; 0: none named. */
  seconds: number;
  /** For the visitor, where the kind says too little. */
  text?: string;
  details: { field?: string; challenge?: Challenge };
}

export interface Challenge {
  token: string;
  /** Zero bits that the hash has to start with. */
  difficulty: number;
}

export interface Call {
  query?: Record<string, string>;
  body?: object;
  /** Aborts the request. With it the answer is a stream, without a time limit. */
  signal?: AbortSignal;
}

export type Request = (route: 'inventory' | 'lead' | 'chat' | 'forms', call: Call) => Promise<Response>;

const TIME_LIMIT_MS = 15_000;

/**
 * Calls one service with one key; a refusal is thrown as a `Fault`. No header is of our own and the body is plain text,
 * so that browsers send the request without asking first.
 */
export function createRequest(service: string, key: string): Request {
  return async (route, { query, body, signal }) => {
    const response = await fetch(`${service}v1/widget/${route}?${new URLSearchParams({ key, ...query })}`, {
      method: body ? 'POST' : 'GET',
      headers: signal ? { accept: 'text/event-stream' } : {},
      body: body ? JSON.stringify(body) : null,
      credentials: 'omit',
      signal: signal ?? AbortSignal.timeout(TIME_LIMIT_MS),
    });
    return accept(response);
  };
}

/** Returns the answer; throws a refusal as a `Fault`. */
export async function accept(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw toFault(error?.code, Number(response.headers.get('retry-after')), error?.details);
}

/** Makes a fault of an error envelope. */
export const toFault = (code = '', seconds = 0, details: Fault['details'] = {}): Fault => ({
  kind: /^RATE/.test(code) ? 'wait' : /^(CONFIG|TIER)/.test(code) ? 'noChat' : 'failed',
  code,
  seconds,
  details,
});

/** Returns a refusal as it is; anything else that was thrown means that no answer came, or only a part. */
export const asFault = (error: unknown): Fault =>
  (error as Partial<Fault>).kind
    ? (error as Fault)
    : { ...toFault(), kind: navigator.onLine ? 'failed' : 'offline' };
