import { Hono } from 'hono';
import { connect } from '../connect.ts';
import { ApiError, type ErrorCode, envelopeOf } from '../errors.ts';
import type { Principal } from '../ports/accounts.ts';
import type { Dealer } from '../ports/dealers.ts';
import { Unavailable } from '../ports/faults.ts';
import type { Quota, Verdict } from '../ports/limits.ts';
import type { Ports } from '../ports/ports.ts';
import { addressOf } from './address.ts';
import { authenticate } from './authenticate.ts';
import { BodyFault, readJson } from './body.ts';
import {
  type Answer,
  BUCKETS,
  type Endpoint,
  type Guard,
  type ParsedInput,
  type WidgetRules,
} from './endpoint.ts';
import { answerOnce } from './idempotency.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import { callerOf, RequestContext } from './request-context.ts';
import { streamOf } from './stream.ts';
import { checkAbuse, checkOrigin, corsHeaders, isPreflight, ownDealer, preflightHeaders } from './widget.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Neither markup nor somebody's API key. */
const HARMLESS_ID = /^(?!.*ctis_[sw]k_)[\w.:-]{1,128}$/;
const NO_STORE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/**
 * Makes the function of one api file: a fresh Hono app that answers these endpoints, which share one path. No
 * endpoints: the app of stray paths.
 */
export function serve(...endpoints: Endpoint[]): Hono {
  const app = new Hono();
  for (const path of pathsOf(endpoints))
    app.all(path, (context) => respond(endpoints, context.req.raw, decoded(context.req.param())));
  app.notFound((context) => respond([], context.req.raw, {}));
  app.onError((error, context) => lastResort(error, context.req.raw));
  return app;
}

/** `/v1/inventory/{vin}` → `/v1/inventory/:vin` and `/api/v1/inventory/:vin`; paths below /api as they are. */
function pathsOf(endpoints: readonly Endpoint[]): string[] {
  const paths = new Set(endpoints.map((endpoint) => endpoint.path.replace(/\{(\w+)\}/g, ':$1')));
  return [...paths].flatMap((path) => (path.startsWith('/api/') ? [path] : [path, `/api${path}`]));
}

function decoded(params: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value ?? '']));
}

/** What a request's one log line and answer headers gather on the way. */
interface Trail {
  id: string;
  started: number;
  facts: Record<string, unknown>;
  headers: Record<string, string>;
  principal: Principal | null;
  /** When a streamed answer is over; null for one that is complete. */
  ended: Promise<unknown> | null;
}

/** id → answer → CORS → log. */
async function respond(
  endpoints: readonly Endpoint[],
  request: Request,
  params: Record<string, string>,
): Promise<Response> {
  const ports = connect();
  const trail: Trail = {
    id: requestId(ports),
    started: ports.clock.now(),
    facts: {},
    headers: {},
    principal: null,
    ended: null,
  };
  const isWidget = endpoints.some(({ guard }) => guard === 'widget');
  let response: Response;
  try {
    response =
      isWidget && isPreflight(request)
        ? await preflight(ports, endpoints, request, trail)
        : await answered(ports, endpoints, request, params, trail);
  } catch (error) {
    response = failure(error, ports, trail);
  }
  if (isWidget)
    for (const [name, value] of await corsHeaders(ports, request, trail.principal))
      response.headers.set(name, value);
  if (trail.ended) ports.background.run(trail.ended.then((broke) => logStreamed(broke)));
  else writeLog(ports, request, response, trail);
  return response;

  function logStreamed(broke: unknown): void {
    if (broke !== undefined) Object.assign(trail.facts, { code: 'INTERNAL_ERROR', error: describe(broke) });
    writeLog(ports, request, response, trail);
  }
}

async function preflight(
  ports: Ports,
  endpoints: readonly Endpoint[],
  request: Request,
  trail: Trail,
): Promise<Response> {
  trail.facts.route = 'preflight';
  const headers = await preflightHeaders(ports, endpoints, request, addressOf(request));
  return new Response(null, { status: 204, headers: headersOf(trail, headers) });
}

/** match → authenticate → parse → (widget: origin, dealer) → tier → limit → handle. */
async function answered(
  ports: Ports,
  endpoints: readonly Endpoint[],
  request: Request,
  params: Record<string, string>,
  trail: Trail,
): Promise<Response> {
  const address = addressOf(request);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const endpoint = endpoints.find((candidate) => candidate.method === method);
  trail.facts.route = endpoint?.id ?? endpoints[0]?.path ?? 'stray';

  const query = queryOf(request.url);
  const guards = guardsOf(endpoint ? [endpoint] : endpoints, query);
  const note = (facts: Record<string, unknown>) => Object.assign(trail.facts, facts);
  const principal = await authenticate(ports, guards, request, address, note);
  trail.principal = principal;
  if (principal) Object.assign(trail.facts, { account: principal.account.id, key: principal.keyId });
  if (!endpoint) throw noRoute(endpoints);

  const input = endpoint.parse({
    params,
    query,
    body: endpoint.body ? await bodyOf(request, endpoint) : undefined,
  });
  const dealer =
    endpoint.widget && principal ? await dealerOf(ports, endpoint.widget, principal, input, request) : null;
  if (endpoint.tier && principal) requireTier(principal);
  if (endpoint.widget && principal?.kind === 'publishable')
    await checkAbuse(ports, endpoint.widget, callerOf(request, address), note);
  const ctx = new RequestContext({ request, address, ports, principal, dealer, requestId: trail.id, note });
  const run = () => answerOnce(endpoint, ctx, input, request);
  const answer = await underLimit(ports, endpoint, principal, input.body, trail, run);
  const response = toResponse(answer, request, trail, () => ctx.gone());
  ctx.startLater();
  return response;
}

/** FORBIDDEN for a page that may not use the key, and for a dealer that is not the account's. */
function dealerOf(
  ports: Ports,
  rules: WidgetRules<ParsedInput>,
  principal: Principal,
  input: ParsedInput,
  request: Request,
): Promise<Dealer> {
  checkOrigin(principal, request);
  return ownDealer(ports, principal, rules.dealerOf(input));
}

/** Of a name that comes twice the first value counts. Most of a URL is not looked at here, so it is not parsed. */
function queryOf(url: string): Record<string, string> {
  const at = url.indexOf('?');
  if (at === -1) return {};
  const end = url.indexOf('#', at);
  const params = new URLSearchParams(url.slice(at + 1, end === -1 ? undefined : end));
  return Object.fromEntries([...params].reverse());
}

/** Guards of the route; for a stray path a key or the operator's token tells a friend from a scanner. */
function guardsOf(endpoints: readonly Endpoint[], query: Record<string, string>): ReadonlySet<Guard> {
  if (endpoints.length === 0) return new Set(['secret-key', 'operator']);
  return new Set(endpoints.map(({ guard }) => (typeof guard === 'function' ? guard(query) : guard)));
}

function noRoute(endpoints: readonly Endpoint[]): ApiError {
  if (endpoints.length === 0) return new ApiError('NOT_FOUND', 'No such route.');
  const allow = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return new ApiError('NOT_FOUND', `This route answers ${allow}.`, {
    status: 405,
    headers: { Allow: allow },
  });
}

async function bodyOf(request: Request, endpoint: Endpoint): Promise<unknown> {
  try {
    return await readJson(request);
  } catch (error) {
    if (!(error instanceof BodyFault)) throw error;
    throw new ApiError(endpoint.bodyCode ?? 'INVALID_PAYLOAD', error.message, {
      details: { reason: error.message },
    });
  }
}

function requireTier({ account }: Principal): void {
  if (account.tier !== 'starter') return;
  throw new ApiError('TIER_RESTRICTED', 'This needs the Pro or Enterprise tier.', {
    details: { tier: account.tier, needed: 'pro' },
  });
}

/** A remote limiter is asked beside a read; a write waits for the word. */
async function underLimit(
  ports: Ports,
  endpoint: Endpoint,
  principal: Principal | null,
  body: unknown,
  trail: Trail,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const bucket = endpoint.bucketOf(body);
  if (bucket === null || principal === null) return run();
  const base = BUCKETS[bucket];
  const quota: Quota = { ...base, limit: base.limit * principal.account.limit_multiplier };
  const asked = ports.limiter.take(quota, principal.keyId);
  const early = ports.limiter.local || endpoint.method !== 'GET' ? null : Promise.allSettled([run()]);
  admit(ports, quota, await asked, trail);
  if (!early) return run();
  const [settled] = await early;
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

function admit(ports: Ports, quota: Quota, verdict: Verdict, trail: Trail): void {
  const enforced = ports.settings.fairUse === 'enforce';
  if (!verdict.allowed) trail.facts.over_limit = quota.name;
  const { 'Retry-After': retryAfter, ...headers } = rateLimitHeaders(quota, verdict);
  Object.assign(trail.headers, headers);
  if (verdict.allowed || !enforced) return;
  throw new ApiError(
    'RATE_LIMITED',
    `More than ${quota.limit} per ${quota.windowSeconds} s (${quota.name}).`,
    {
      details: { bucket: quota.name, limit: quota.limit, window_seconds: quota.windowSeconds },
      headers: { 'Retry-After': retryAfter ?? '1' },
    },
  );
}

function headersOf(trail: Trail, own: Record<string, string> | undefined): Record<string, string> {
  return { ...NO_STORE, ...trail.headers, 'x-request-id': trail.id, ...own };
}

function toResponse(answer: Answer, request: Request, trail: Trail, goneOf: () => AbortController): Response {
  const headers = headersOf(trail, answer.headers);
  if (answer.status === 304 || answer.status === 204)
    return new Response(null, { status: answer.status, headers });
  if (isStream(answer.body)) {
    const { stream, ended } = streamOf(answer.body, goneOf());
    trail.ended = ended;
    return new Response(stream, { status: answer.status, headers });
  }
  const body = request.method === 'HEAD' ? null : contentOf(answer.body);
  if (answer.body instanceof Uint8Array) {
    const size = { 'Content-Length': String(answer.body.length) };
    return new Response(body, { status: answer.status, headers: { ...size, ...headers } });
  }
  return new Response(body, { status: answer.status, headers: { ...headers, 'Content-Type': JSON_TYPE } });
}

const isStream = (body: Answer['body']): body is AsyncIterable<string> =>
  typeof body === 'object' && Symbol.asyncIterator in body;

function contentOf(body: Exclude<Answer['body'], AsyncIterable<string>>): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function failure(error: unknown, ports: Ports, trail: Trail): Response {
  const known = error instanceof ApiError ? error : internalError(error, ports);
  trail.facts.code = known.code;
  if (known.code === 'INTERNAL_ERROR') trail.facts.error = describe(known.cause ?? error);
  return Response.json(envelopeOf(known.code, known.message, known.details), {
    status: known.status,
    headers: {
      ...NO_STORE,
      'Content-Type': JSON_TYPE,
      ...trail.headers,
      ...known.headers,
      'x-request-id': trail.id,
    },
  });
}

/** The cause goes to the log only; the caller gets fixed words and, for an outage, when to come back. */
function internalError(error: unknown, ports: Ports): ApiError {
  const outage = error instanceof Unavailable;
  const words = outage
    ? 'A part of the service does not answer right now.'
    : 'Something went wrong on our side.';
  return new ApiError(
    'INTERNAL_ERROR',
    `${words} Quote the x-request-id to ${ports.settings.supportEmail}.`,
    {
      cause: error,
      headers: { 'Retry-After': '2' },
    },
  );
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, 500);
  const cause = error.cause instanceof Error ? ` ← ${error.cause.name}: ${error.cause.message}` : '';
  return `${error.stack ?? error.message}${cause}`.slice(0, 4_000);
}

function writeLog(ports: Ports, request: Request, response: Response, trail: Trail): void {
  const callerId = request.headers.get('x-request-id');
  ports.log.write({
    level: response.status >= 500 || trail.facts.code === 'INTERNAL_ERROR' ? 'error' : 'info',
    request_id: trail.id,
    ...(callerId && HARMLESS_ID.test(callerId) ? { caller_request_id: callerId } : {}),
    method: request.method,
    status: response.status,
    ms: Math.round((ports.clock.now() - trail.started) * 10) / 10,
    ...trail.facts,
  });
}

function requestId(ports: Ports): string {
  return `req_${Buffer.from(ports.random.bytes(15)).toString('base64url')}`;
}

/** Only what fails before the ports stand comes here, such as an unusable environment. */
function lastResort(error: unknown, request: Request): Response {
  const id = `req_${crypto.randomUUID()}`;
  const code: ErrorCode = 'INTERNAL_ERROR';
  process.stderr.write(
    `${JSON.stringify({ level: 'error', request_id: id, method: request.method, code, error: describe(error) })}\n`,
  );
  return Response.json(envelopeOf(code, 'The service is not configured correctly.'), {
    status: 500,
    headers: { ...NO_STORE, 'Content-Type': JSON_TYPE, 'Retry-After': '30', 'x-request-id': id },
  });
}
