import type { Context as HonoContext } from 'hono';
import { accepts } from 'hono/accepts';
import type { Dealer } from '../accounts/dealers/schemas.ts';
import type { Principal } from '../accounts/keys/principal.ts';
import { ApiError, type Reason } from '../errors.ts';
import type { Ports } from '../ports.ts';

type Work = (ports: Ports) => Promise<unknown>;

/**
 * One request: what guards, services, the answer and the one log line share. A class, because an object with getters of its
 * own keeps its request in memory until the next major garbage collection.
 */
export class Context {
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
  /** Null for the operator, the cron and public routes. */
  principal: Principal | null = null;
  /** The dealer that a widget route is about; null on other routes. */
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

  /** Adds facts to the request's one log line; never a token or personal data. */
  readonly note = (facts: Record<string, unknown>) => void Object.assign(this.fields, facts);

  get userAgent(): string {
    return this.request.headers.get('user-agent') ?? '';
  }

  /** Scheme and host the caller used, for links in answers. */
  get origin(): string {
    return new URL(this.request.url).origin;
  }

  /** Where the service is reached, without a slash at the end: PUBLIC_URL, else `origin`. */
  get publicUrl(): string {
    return this.ports.settings.publicUrl ?? this.origin;
  }

  /** Aborted as `gone` is. The request's own signal costs the server a controller: it is asked for on first use. */
  get signal(): AbortSignal {
    const { signal } = this.request;
    if (signal.aborted) this.gone.abort();
    else signal.addEventListener('abort', () => this.gone.abort(), { once: true });
    return this.gone.signal;
  }

  /** Whether the caller would rather have this content type than JSON. */
  prefers(type: string): boolean {
    const json = 'application/json';
    return accepts(this.hono, { header: 'Accept', supports: [json, type], default: json }) === type;
  }

  /** Whether the caller already has this version: If-None-Match, as a list, `*` or weakened on the way. */
  fresh(etag: string): boolean {
    const tags = (this.request.headers.get('if-none-match') ?? '').split(',');
    return tags.some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
  }

  /**
   * Starts work once the answer is made, if it is no refusal; it may outlive the request, or be cut off. Its ports are
   * the instance's own, not those of the request's transaction.
   */
  after(work: Work): void {
    this.later.push(work);
  }

  /** The same call on other ports: those of a transaction. Of one that is rolled back nothing starts after it. */
  on(ports: Ports, later = this.later): Context {
    return Object.assign(Object.create(this), { ports, later });
  }
}

/** The calling account. A route without one that asks for it is a bug. */
export function requireAccount(ctx: Context): Principal['account'] {
  if (!ctx.principal) throw new Error('this service needs an account');
  return ctx.principal.account;
}

/** The only dealer that the calling key reaches; null: all of the account’s. */
export const onlyDealer = (ctx: Context): string | null => ctx.principal?.dealer ?? null;

/** The dealer of a widget route. Another route that asks for it is a bug. */
export function requireDealer(ctx: Context): Dealer {
  if (!ctx.dealer) throw new Error('this service needs a dealer');
  return ctx.dealer;
}

/** True for calls with a publishable key, which are the public's. */
export function isPublic(ctx: Context): boolean {
  return ctx.principal?.kind === 'publishable';
}

/** The caller's network as a limiter subject: the platform sets x-real-ip itself and overwrites what a client sends. */
const callerAddress = (request: Request): string =>
  toNetwork(request.headers.get('x-real-ip')?.trim().toLowerCase() ?? '');

/** An IPv4 address, or the /64 of an IPv6 address, the smallest net a single subscriber gets. */
function toNetwork(address: string): string {
  if (address === '') return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (mapped?.[1]) return mapped[1];
  return address.includes(':') ? `${toPrefix(address)}::/64` : address;
}

function toPrefix(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':');
}

/** What names each thing that may be absent, and what to look at then; people read it in the dashboard, too. */
const ABSENT = {
  listing: {
    field: 'vin',
    fix: 'Check the VIN: none of your trucks has it. If its record was rejected, GET /v1/issues says why.',
  },
  dealer: { field: 'slug', fix: 'Check the slug: none of your dealers has it.' },
  lead: { field: 'id', fix: 'Check the id: none of your leads has it, or it is erased.' },
  feed: { field: 'id', fix: 'Check the id: none of your feeds has it, or it is removed.' },
  run: { field: 'run', fix: 'Check the ids of the feed and of the run: that feed has no such run.' },
  account: { fix: 'Check the id of the account: none has it.' },
  key: { field: 'id', fix: 'Check the id: no key has it, or it is revoked.' },
  image: {
    field: 'name',
    fix: 'Take the address from the listing: this photo has no such size, or is gone.',
  },
  // Of the dashboard only.
  issue: { fix: 'Load the page again: the issue has ended since.' },
  person: { fix: 'Load the page again: this person has left the account.' },
  session: { fix: 'Load the page again: this session has ended.' },
} as const;

/** A masked 404: the same for what is absent and for what belongs to another account. */
export function notFound(what: keyof typeof ABSENT): ApiError {
  return new ApiError('NOT_FOUND', `No ${what} matches.`, { details: ABSENT[what] });
}

/**
 * A parameter that cannot be meant; the problem is the rest of a sentence that begins with the field, and the fix where
 * it does not say what to send.
 */
export function invalid(
  field: string,
  problem: string,
  more: { reason?: Reason; fix?: string; received?: unknown } = {},
): ApiError {
  const sentence = `${field} ${problem}.`;
  const details = { field, reason: 'not_allowed', fix: sentence, ...more };
  return new ApiError('INVALID_PARAMS', sentence, { details });
}

/** A parameter that says another thing than those beside it, or that means nothing without another. */
export const conflicting = (field: string, problem: string, value?: unknown): ApiError =>
  invalid(field, problem, { reason: 'conflicting', received: value });

/** Throws for the bounds of a range, such as year_min and year_max, in which nothing can be. */
export function checkRange(name: string, min: number | undefined, max: number | undefined): void {
  if (min !== undefined && max !== undefined && min > max)
    throw conflicting(`${name}_min`, `must not be above ${name}_max`, min);
}
