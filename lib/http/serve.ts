import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { connect } from '../connect.ts';
import { isProOrAbove } from '../contract/accounts/access.ts';
import { ApiError } from '../errors.ts';
import type { Principal } from '../ports/accounts/accounts.ts';
import { countCall } from '../services/accounts/usage.ts';
import { keepAwakeAfterWrite } from '../services/jobs/database-sleep.ts';
import type { Answer, Endpoint, Guard } from './endpoint.ts';
import { authenticate } from './guards/authenticate.ts';
import { checkScope } from './guards/scope.ts';
import { checkAbuse, checkOwnership, corsHeaders, isPreflight, preflightHeaders } from './guards/widget.ts';
import { answerOnce } from './idempotency.ts';
import { readPath } from './input/path.ts';
import { type Query, readQuery } from './input/query.ts';
import { toNotFoundPage, wantsPage } from './not-found-page.ts';
import { RequestContext } from './request-context.ts';
import { inTurn, logRequest, openRequest, type RequestState } from './request-state.ts';
import { toEmptyResponse, toErrorResponse, toResponse, toStartupErrorResponse } from './responses.ts';
import { withinLimit } from './within-limit.ts';

/**
 * Makes the function of one api file: a fresh Hono app that answers these endpoints, which share one path. No
 * endpoints: the app of stray paths.
 */
export function serve(...endpoints: Endpoint[]): Hono {
  const app = new Hono();
  // The router takes a path with a slash at its end for the same: it would list where one was asked for by an empty id.
  for (const path of honoPaths(endpoints))
    app.all(path, (hono) => respond(hono.req.path.endsWith('/') ? [] : endpoints, hono));
  app.notFound((hono) => respond([], hono));
  app.onError((error, hono) => toStartupErrorResponse(error, hono.req.raw));
  return app;
}

/** `/v1/inventory/{vin}` → `/v1/inventory/:vin` and `/api/v1/inventory/:vin`; paths below /api as they are. */
function honoPaths(endpoints: readonly Endpoint[]): string[] {
  const paths = new Set(endpoints.map((endpoint) => endpoint.path.replace(/\{(\w+)\}/g, ':$1')));
  return [...paths].flatMap((path) => (path.startsWith('/api/') ? [path] : [path, `/api${path}`]));
}

/** id → answer → CORS → one log line. */
async function respond(endpoints: readonly Endpoint[], hono: Context): Promise<Response> {
  const state = openRequest(connect(), hono);
  const isWidget = endpoints.some(({ widget }) => widget !== undefined);
  let response: Response;
  try {
    response =
      isWidget && isPreflight(state.request)
        ? await answerPreflight(state, endpoints)
        : await answer(state, endpoints);
  } catch (error) {
    response = toErrorResponse(error, state);
  }
  if (isWidget)
    for (const [name, value] of corsHeaders(state.request, response.status))
      response.headers.set(name, value);
  logRequest(state, response.status);
  return response;
}

async function answerPreflight(state: RequestState, endpoints: readonly Endpoint[]): Promise<Response> {
  state.fields.route = 'preflight';
  return toEmptyResponse(204, state, await preflightHeaders(state, endpoints));
}

/** match → authenticate → limit, body → handle → answer. */
async function answer(state: RequestState, endpoints: readonly Endpoint[]): Promise<Response> {
  const { request } = state;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const endpoint = endpoints.find((candidate) => candidate.method === method);
  state.fields.route = endpoint?.id ?? endpoints[0]?.path ?? 'stray';
  if (endpoints.length === 0 && wantsPage(request)) return toNotFoundPage(state);
  const query = readQuery(request.url);
  const principal = await authenticate(state, guardsFor(endpoint ? [endpoint] : endpoints, query));
  state.principal = principal;
  if (principal) {
    state.addLogFields({ account: principal.account.id, key: principal.keyId });
    countCall(state.ports, principal);
  }
  if (!endpoint) throw noRoute(endpoints);
  if (principal) checkScope(endpoint, principal);
  const { ctx, response } = await inTurn(state, async () => {
    const { ctx, result } = await withinLimit(state, endpoint, (body) =>
      handle(state, endpoint, query, body),
    );
    return { ctx, response: toResponse(result, state, () => ctx.gone()) };
  });
  if (endpoint.method !== 'GET') keepAwakeAfterWrite(state.ports);
  ctx.startLater();
  return response;
}

/** parse → ownership → tier → the service, at most once under an Idempotency-Key. */
async function handle(
  state: RequestState,
  endpoint: Endpoint,
  query: Query,
  body: unknown,
): Promise<{ ctx: RequestContext; result: Answer }> {
  const { principal } = state;
  const { widget, tier } = endpoint;
  const input = endpoint.parse({ params: readPath(state.hono), query, body });
  const dealer =
    widget && principal ? await checkOwnership(state, principal, widget.readDealer(input)) : null;
  if (tier && principal) requireTier(principal);
  if (widget && principal?.kind === 'publishable') await checkAbuse(state, widget);
  const ctx = new RequestContext(state, dealer);
  return { ctx, result: await answerOnce(endpoint, ctx, input, state.request) };
}

/** Guards of the route; on a stray path a key or the operator's token separates a customer from a scanner. */
function guardsFor(endpoints: readonly Endpoint[], query: Query): ReadonlySet<Guard> {
  if (endpoints.length === 0) return new Set(['secret-key', 'operator']);
  return new Set(endpoints.map(({ guard }) => (typeof guard === 'function' ? guard(query) : guard)));
}

function noRoute(endpoints: readonly Endpoint[]): ApiError {
  if (endpoints.length === 0) return new ApiError('NOT_FOUND', 'No such route.');
  const allow = endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return new ApiError('NOT_FOUND', `This route answers ${allow}.`, {
    status: 405,
    headers: { Allow: allow },
    details: { reason: 'method_not_allowed' },
  });
}

function requireTier({ account }: Principal): void {
  if (isProOrAbove(account)) return;
  throw new ApiError('TIER_RESTRICTED', 'This needs the Pro or Enterprise tier.', {
    details: { tier: account.tier, needed: 'pro' },
  });
}
