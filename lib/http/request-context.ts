import type { Context as HonoContext } from 'hono';
import { accepts } from 'hono/accepts';
import type { Dealer } from '../accounts/dealers/schemas.ts';
import type { Principal } from '../accounts/ports/accounts.ts';
import type { Ports } from '../outside/ports.ts';
import type { Caller, Context } from './context.ts';
import { callerAddress } from './guards/address.ts';

type Work = (ports: Ports) => Promise<unknown>;

/**
 * One HTTP request: what guards, services, the answer and the one log line share. A class, because an object with getters
 * of its own keeps its request in memory until the next major garbage collection.
 */
export class RequestContext implements Context {
  readonly ports: Ports;
  readonly hono: HonoContext;
  readonly request: Request;
  /** What limits count by. */
  readonly address: string;
  readonly requestId: string;
  readonly startedMs: number;
  /** Fields of the log line. */
  readonly fields: Record<string, unknown> = {};
  /** Headers of the answer, whatever it turns out to be. */
  readonly headers: Record<string, string> = {};
  /** Aborted when the caller goes away before the answer is complete. */
  readonly gone = new AbortController();
  readonly note = (facts: Record<string, unknown>) => void Object.assign(this.fields, facts);
  principal: Principal | null = null;
  dealer: Dealer | null = null;
  /** When a streamed answer is over, with the error that broke it off; null for one that is complete. */
  streamEnd: Promise<unknown> | null = null;
  readonly later: Work[] = [];

  constructor(ports: Ports, hono: HonoContext) {
    this.ports = ports;
    this.hono = hono;
    this.request = hono.req.raw;
    this.address = callerAddress(this.request);
    this.requestId = `req_${Buffer.from(ports.random.bytes(15)).toString('base64url')}`;
    this.startedMs = ports.clock.now();
  }

  get caller(): Caller {
    const { headers } = this.request;
    return {
      ip: headers.get('x-real-ip')?.trim() ?? '',
      address: this.address,
      userAgent: headers.get('user-agent'),
      origin: headers.get('origin'),
      isAuthorized: headers.has('authorization'),
    };
  }

  get origin(): string {
    return new URL(this.request.url).origin;
  }

  get publicUrl(): string {
    return this.ports.settings.publicUrl ?? this.origin;
  }

  /** The request's own signal costs the server a controller: it is asked for on first use. */
  get signal(): AbortSignal {
    const { signal } = this.request;
    if (signal.aborted) this.gone.abort();
    else signal.addEventListener('abort', () => this.gone.abort(), { once: true });
    return this.gone.signal;
  }

  prefers<Type extends string>(...types: readonly [Type, ...Type[]]): Type {
    const [first] = types;
    const best = accepts(this.hono, { header: 'Accept', supports: [...types], default: first });
    return types.find((type) => type === best) ?? first;
  }

  /** If-None-Match (RFC 9110, 13.1.2): weak comparison against a list or *. */
  fresh(etag: string): boolean {
    const given = (this.request.headers.get('if-none-match') ?? '').split(',');
    const tags = given.map((tag) => tag.trim().replace(/^W\//, ''));
    return tags.includes('*') || tags.includes(etag);
  }

  after(work: Work): void {
    this.later.push(work);
  }

  on(ports: Ports): Context {
    return but(this, { ports });
  }

  rehearse(ports: Ports): Context {
    return but(this, { ports, later: [] });
  }
}

/** The same request, but for these members. */
const but = (ctx: RequestContext, members: Partial<RequestContext>): RequestContext =>
  Object.assign(Object.create(ctx), members);
