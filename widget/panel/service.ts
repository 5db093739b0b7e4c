import type { Card } from '../../lib/contract/widget/widget.ts';

/** The service's three widget routes, as the panel calls them. */

/** What went wrong, as a visitor can act on it. */
export type Kind = 'offline' | 'wait' | 'noChat' | 'failed';

export interface Fault {
  kind: Kind;
  /** Of the error envelope. */
  code: string;
  /** To wait; 0: none named. */
  seconds: number;
  details: { field?: string; challenge?: Challenge };
}

export interface Challenge {
  token: string;
  /** Zero bits that the hash has to start with. */
  difficulty: number;
}

export interface Page {
  vehicles: Card[];
  count: { value: number; exact: boolean };
  nextCursor: string | null;
  dealer?: { name: string; phone: string | null };
  chat?: boolean;
  visit?: string;
}

/** A caller of one service with one key; with a signal it asks for a stream. A refusal is thrown as a `Fault`. */
export function caller(service: string, key: string) {
  return async (path: string, body?: object, signal?: AbortSignal): Promise<Response> => {
    const response = await fetch(`${service}v1/widget/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        accept: signal ? 'text/event-stream' : 'application/json',
        'content-type': 'application/json',
      },
      body: body ? JSON.stringify(body) : null,
      credentials: 'omit',
      signal: signal ?? null,
    });
    if (response.ok) return response;
    const { error } = await response.json().catch(() => ({}));
    throw faultOf(error?.code, Number(response.headers.get('retry-after')), error?.details);
  };
}

/** From what an error envelope says. */
export const faultOf = (code = '', seconds = 0, details: Fault['details'] = {}): Fault => ({
  kind: /^RATE/.test(code) ? 'wait' : /^(CONFIG|TIER)/.test(code) ? 'noChat' : 'failed',
  code,
  seconds,
  details,
});

/** The number whose hash together with the token starts with that many zero bits. */
export async function solve({ token, difficulty }: Challenge): Promise<{ token: string; nonce: string }> {
  for (let nonce = 0; ; nonce++) {
    const text = new TextEncoder().encode(`${token}.${nonce}`);
    const hash = new DataView(await crypto.subtle.digest('SHA-256', text));
    if (Math.clz32(hash.getUint32(0)) >= difficulty) return { token, nonce: `${nonce}` };
  }
}

/** The service's server-sent events, as it writes them: a line of name, a line of data, a blank one. */
export async function* eventsOf(
  body: ReadableStream<BufferSource>,
): AsyncGenerator<[name: string, data: unknown]> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (rest + part.value).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, name = '', data] = /^event: (.+)\ndata: (.+)/.exec(block) ?? [];
      if (data) yield [name, JSON.parse(data)];
    }
  }
}
