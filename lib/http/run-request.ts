import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { Hono } from 'hono/tiny';
import { keepUsage } from '../accounts/usage.ts';
import { connect } from '../connect.ts';
import { asAccount } from '../db/connection/current-account.ts';
import { keepAwakeAfterWrite } from '../jobs/database-sleep.ts';
import { Context } from './context.ts';
import { logRequest } from './request-log.ts';
import { toStartupErrorResponse } from './responses.ts';

/** What every request goes through, whether a program asks a route or a browser a page. */

type Handler = (hono: HonoContext) => Promise<Response>;

/** The app of one function: a handler for each path, with {placeholders}, and one for all other paths. */
export function createApp(
  handlers: Iterable<readonly [path: string, Handler]>,
  stray: Handler,
  ...middleware: MiddlewareHandler[]
): Hono {
  const app = new Hono();
  for (const handler of middleware) app.use(handler);
  for (const [path, handler] of handlers) app.all(path.replace(/\{(\w+)\}/g, ':$1'), handler);
  app.notFound(stray);
  app.onError((error, hono) => toStartupErrorResponse(error, hono.req.raw));
  return app;
}

/** id → answer or refusal → one log line. */
export async function runRequest(
  hono: HonoContext,
  respond: (ctx: Context) => Promise<Response>,
): Promise<Response> {
  const ctx = new Context(connect(), hono);
  const response = await respond(ctx);
  if (ctx.principal) keepUsage(ctx.ports);
  logRequest(ctx, response.status);
  return response;
}

/** Makes the answer, its statements counting as its account's; what was put off until after it starts then. */
export async function answerForAccount(
  { ports, principal, request, later }: Context,
  work: () => Promise<Response>,
): Promise<Response> {
  const response = await (principal ? asAccount(principal.account.id, work) : work());
  if (request.method !== 'GET' && request.method !== 'HEAD') keepAwakeAfterWrite(ports);
  for (const start of later) ports.background.run(start(ports));
  return response;
}
