import type { Principal } from '../ports/accounts.ts';
import type { Dealer } from '../ports/dealers.ts';
import type { Ports } from '../ports/ports.ts';
import type { Caller, Context } from '../services/context.ts';
import { preferred } from './stream.ts';

/** What is known of a request by the time its endpoint runs. */
interface Parts {
  request: Request;
  address: string;
  ports: Ports;
  principal: Principal | null;
  dealer: Dealer | null;
  requestId: string;
  note(facts: Record<string, unknown>): void;
}

/** What comes up on the way, the same on whatever ports the work runs. */
interface Course {
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
  readonly #parts: Parts;
  readonly #course: Course;

  constructor(parts: Parts, course: Course = { later: [], gone: null }) {
    this.ports = parts.ports;
    this.principal = parts.principal;
    this.dealer = parts.dealer;
    this.requestId = parts.requestId;
    this.note = parts.note;
    this.#parts = parts;
    this.#course = course;
  }

  get caller(): Caller {
    return callerOf(this.#parts.request, this.#parts.address);
  }

  get origin(): string {
    return new URL(this.#parts.request.url).origin;
  }

  /** The request's own signal costs the server a controller: nobody asks for it before somebody wants to know. */
  get signal(): AbortSignal {
    const { signal } = this.#parts.request;
    const gone = this.gone();
    if (signal.aborted) gone.abort();
    else signal.addEventListener('abort', () => gone.abort(), { once: true });
    return gone.signal;
  }

  prefers<Type extends string>(...types: readonly [Type, ...Type[]]): Type {
    return preferred(this.#parts.request.headers.get('accept'), types);
  }

  fresh(etag: string): boolean {
    return matches(this.#parts.request.headers.get('if-none-match'), etag);
  }

  after(work: (ports: Ports) => Promise<unknown>): void {
    this.#course.later.push(work);
  }

  on(ports: Ports): Context {
    return new RequestContext({ ...this.#parts, ports }, this.#course);
  }

  /** Aborted when the caller goes away before the answer is complete. */
  gone(): AbortController {
    this.#course.gone ??= new AbortController();
    return this.#course.gone;
  }

  /** Starts what was put off until the answer is made. */
  startLater(): void {
    const { ports } = this.#parts;
    for (const work of this.#course.later) ports.background.run(work(ports));
  }
}

export function callerOf({ headers }: Request, address: string): Caller {
  return {
    ip: headers.get('x-real-ip')?.trim() ?? '',
    address,
    userAgent: headers.get('user-agent'),
    origin: headers.get('origin'),
  };
}

/** If-None-Match (RFC 9110, 13.1.2): weak comparison against a list or *. */
function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  const given = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return given.includes('*') || given.includes(etag);
}
