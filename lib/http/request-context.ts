import { accepts } from 'hono/accepts';
import type { Principal } from '../ports/accounts/accounts.ts';
import type { Dealer } from '../ports/accounts/dealers.ts';
import type { Ports } from '../ports/ports.ts';
import type { Caller, Context } from '../services/context.ts';
import type { RequestState } from './request-state.ts';

/** What outlasts the handler: work after the answer, and the signal that the client is gone. */
interface Afterwards {
  later: ((ports: Ports) => Promise<unknown>)[];
  gone: AbortController | null;
}

/**
 * The context of one HTTP request; what costs something is made when it is asked for. A class, because an object with
 * getters of its own keeps its request in memory until the next major garbage collection.
 */
export class RequestContext implements Context {
  readonly ports: Ports;
  readonly principal: Principal | null;
  readonly dealer: Dealer | null;
  readonly requestId: string;
  readonly note: (facts: Record<string, unknown>) => void;
  readonly #state: RequestState;
  readonly #afterwards: Afterwards;

  readonly #later: Afterwards['later'];

  constructor(
    state: RequestState,
    dealer: Dealer | null,
    afterwards: Afterwards = { later: [], gone: null },
    later = afterwards.later,
  ) {
    this.ports = state.ports;
    this.principal = state.principal;
    this.dealer = dealer;
    this.requestId = state.requestId;
    this.note = state.note;
    this.#state = state;
    this.#afterwards = afterwards;
    this.#later = later;
  }

  get caller(): Caller {
    const { request, address } = this.#state;
    const { headers } = request;
    return {
      ip: headers.get('x-real-ip')?.trim() ?? '',
      address,
      userAgent: headers.get('user-agent'),
      origin: headers.get('origin'),
      isAuthorized: headers.has('authorization'),
    };
  }

  get origin(): string {
    return new URL(this.#state.request.url).origin;
  }

  get publicUrl(): string {
    return this.ports.settings.publicUrl ?? this.origin;
  }

  /** The request's own signal costs the server a controller: it is created on first use. */
  get signal(): AbortSignal {
    const { signal } = this.#state.request;
    const gone = this.gone();
    if (signal.aborted) gone.abort();
    else signal.addEventListener('abort', () => gone.abort(), { once: true });
    return gone.signal;
  }

  prefers<Type extends string>(...types: readonly [Type, ...Type[]]): Type {
    const [first] = types;
    const best = accepts(this.#state.hono, { header: 'Accept', supports: [...types], default: first });
    return types.find((type) => type === best) ?? first;
  }

  fresh(etag: string): boolean {
    return matches(this.#state.request.headers.get('if-none-match'), etag);
  }

  after(work: (ports: Ports) => Promise<unknown>): void {
    this.#later.push(work);
  }

  on(ports: Ports): Context {
    return new RequestContext({ ...this.#state, ports }, this.dealer, this.#afterwards, this.#later);
  }

  rehearse(ports: Ports): Context {
    return new RequestContext({ ...this.#state, ports }, this.dealer, this.#afterwards, []);
  }

  /** Aborted when the caller goes away before the answer is complete. */
  gone(): AbortController {
    this.#afterwards.gone ??= new AbortController();
    return this.#afterwards.gone;
  }

  /** Starts what was put off until the answer is made. */
  startLater(): void {
    const { ports } = this.#state;
    for (const work of this.#afterwards.later) ports.background.run(work(ports));
  }
}

/** If-None-Match (RFC 9110, 13.1.2): weak comparison against a list or *. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  const given = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return given.includes('*') || given.includes(etag);
}
