import type { Hono, Context as HonoContext } from 'hono';
import { isProOrAbove } from '../accounts/access.ts';
import type { Principal } from '../accounts/keys/principal.ts';
import { countCall } from '../accounts/usage.ts';
import { ApiError } from '../errors.ts';
import type { Context } from './context.ts';
import { type Answer, type Endpoint, type Guard, parseInput } from './endpoint.ts';
import { authenticate } from './guards/authenticate.ts';
import { withinLimit } from './guards/rate-limit.ts';
import { checkReach } from './guards/scopes.ts';
import { checkBots, checkOwnership, corsHeaders, isPreflight, preflightHeaders } from './guards/widget.ts';
import { answerOnce } from './idempotency.ts';
import { readPath, readQuery } from './input/query.ts';
import { toNotFoundPage, wantsPage } from './not-found-page.ts';
import { toErrorResponse, toResponse } from './responses.ts';
import { answerForAccount, createApp, runRequest } from './run-request.ts';

/**
 * Makes the function of one api file: a fresh Hono app that answers these endpoints, which share one path. No
 * endpoints: the app of stray paths.
 */
export function serve(...endpoints: Endpoint[]): Hono {
  // The router takes a path with a slash at its end for the same: it would list where one was asked for by an empty id.
  const handler = (hono: HonoContext) => respond(hono.req.path.endsWith('/') ? [] : endpoints, hono);
  // `/v1/inventory` is answered at `/api/v1/inventory` too; paths below /api as they are.
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  const served = paths.flatMap((path) => (path.startsWith('/api/') ? [path] : [path, `/api${path}`]));
  return createApp(
    served.map((path) => [path, handler]),
    (hono) => respond([], hono),
  );
}

const respond = (endpoints: readonly Endpoint[], hono: HonoContext): Promise<Response> =>
  runRequest(hono, async (ctx) => {
    try {
      if (endpoints.some(({ widget }) => widget)) {
        Object.assign(ctx.headers, corsHeaders(ctx.request));
        if (isPreflight(ctx.request)) {
          ctx.fields.route = 'preflight';
          return toResponse({ status: 204, body: '', headers: preflightHeaders(endpoints) }, ctx);
        }
      }
      return await answer(ctx, endpoints);
    } catch (error) {
      return toErrorResponse(error, ctx);
    }
  });

/** match → authenticate → limit, body → handle → answer. */
async function answer(ctx: Context, endpoints: readonly Endpoint[]): Promise<Response> {
  const { request } = ctx;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const endpoint = endpoints.find((candidate) => candidate.method === method);
  ctx.fields.route = endpoint?.id ?? endpoints[0]?.path ?? 'stray';
  if (endpoints.length === 0 && wantsPage(request)) return toNotFoundPage(ctx);
  const query = readQuery(request.url);
  const principal = await authenticate(ctx, guardsFor(endpoint ? [endpoint] : endpoints, query));
  ctx.principal = principal;
  if (principal) {
    ctx.note({ account: principal.account.id, key: principal.callerId });
    countCall(ctx.ports.callCounts, principal);
  }
  if (!endpoint) throw noRoute(endpoints);
  if (principal) checkReach(endpoint, principal);
  return answerForAccount(ctx, async () =>
    toResponse(await withinLimit(ctx, endpoint, (body) => handle(ctx, endpoint, query, body)), ctx),
  );
}

/** parse → ownership → tier → the service, at most once under an Idempotency-Key. */
async function handle(
  ctx: Context,
  endpoint: Endpoint,
  query: URLSearchParams,
  body: unknown,
): Promise<Answer> {
  const { principal } = ctx;
  const { widget, tier } = endpoint;
  const input = parseInput(endpoint, { params: readPath(ctx), query, body });
  if (widget && principal) ctx.dealer = await checkOwnership(ctx, principal, widget.readDealer(input));
  if (tier && principal) requireTier(principal);
  if (widget && principal?.kind === 'publishable') await checkBots(ctx, widget);
  return answerOnce(endpoint, ctx, input);
}

/** Guards of the route; on a stray path a key or the operator's token separates a customer from a scanner. */
function guardsFor(endpoints: readonly Endpoint[], query: URLSearchParams): ReadonlySet<Guard> {
  if (endpoints.length === 0) return new Set(['secret-key', 'operator']);
  return new Set(endpoints.map((endpoint) => findGuard(endpoint, query)));
}

/** Who may make a call with this query. */
export const findGuard = ({ guard, operatorOnly }: Endpoint, query: URLSearchParams): Guard =>
  operatorOnly && query.get(operatorOnly) === '1' ? 'operator' : guard;

function noRoute(endpoints: readonly Endpoint[]): ApiError {
  if (endpoints.length === 0)
    return new ApiError('NOT_FOUND', 'No such route.', {
      details: { fix: 'Check the path: /openapi.json names every route.' },
    });
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
