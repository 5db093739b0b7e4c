import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { ErrorEnvelope } from '../../lib/http/error-envelope.ts';

/** An answer in the error envelope, or one that is no answer of this service. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  /** Code of the envelope; empty when the answer carries none. */
  readonly code: string;

  constructor(call: string, status: number, code: string, message: string, requestId: string | null) {
    super(
      `${call} answered ${status}${code && ` ${code}`}: ${message} (x-request-id ${requestId ?? 'missing'})`,
    );
    this.status = status;
    this.code = code;
  }
}

export interface Call<Schema extends z.ZodMiniType> {
  method: 'GET' | 'POST' | 'PATCH';
  /** From the root, with the query. */
  path: string;
  /** Schema of the answer. */
  answer: Schema;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Client {
  /** The checked answer. Waits out 429 as long as Retry-After says; throws `Refused` for any other error. */
  call<Schema extends z.ZodMiniType>(call: Call<Schema>): Promise<z.output<Schema>>;
}

const ATTEMPTS = 5;
const TIMEOUT_MS = 60_000;

/**
 * A client that knows nothing but the public interface: JSON over HTTP with a Bearer token. `waiting` hears of every
 * 429 with the seconds until the next attempt.
 */
export function client(url: string, token: string, waiting: (seconds: number) => void = () => {}): Client {
  return {
    async call({ method, path, answer, body, headers }) {
      for (let attempt = 1; ; attempt++) {
        const response = await fetch(url + path, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const text = await response.text();
        if (response.status === 429 && attempt < ATTEMPTS) {
          const wait = secondsToWait(response.headers.get('retry-after'));
          waiting(wait);
          await sleep(wait * 1000);
          continue;
        }
        const refusal = (code: string, message: string) =>
          new Refused(
            `${method} ${path}`,
            response.status,
            code,
            message,
            response.headers.get('x-request-id'),
          );
        const json = parsed(text);
        const envelope = z.safeParse(ErrorEnvelope, json);
        if (envelope.success) throw refusal(envelope.data.error.code, envelope.data.error.message);
        const checked = z.safeParse(answer, json);
        if (!response.ok || !checked.success) {
          const why = checked.error === undefined ? '' : ` (${z.prettifyError(checked.error)})`;
          throw refusal('', `not the answer that the contract promises${why}: ${text.slice(0, 200)}`);
        }
        return checked.data;
      }
    },
  };
}

function secondsToWait(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? '1');
  return Number.isFinite(seconds) ? Math.min(60, Math.max(1, seconds)) : 1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
