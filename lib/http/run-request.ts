import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { connect } from '../connect.ts';
import { asAccount } from '../db/connection/current-account.ts';
import { keepAwakeAfterWrite } from '../jobs/database-sleep.ts';
import { RequestContext } from './request-context.ts';
import { logRequest } from './request-log.ts';
import { toStartupErrorResponse } from './responses.ts';

/** What every request goes through, whether a program asks a route or a browser a page. */

type Handler = (hono: Context) => Promise<Response>;

/** The app of one function: a handler for each path, with {placeholders}, and one for all other paths. */
export function createApp(handlers: Iterable<readonly [path: string, Handler]>, stray: Handler): Hono {
  const app = new Hono();
  for (const [path, handler] of handlers) app.all(path.replace(/\{(\w+)\}/g, ':$1'), handler);
  app.notFound(stray);
  app.onError((error, hono) => toStartupErrorResponse(error, hono.req.raw));
  return app;
}

interface RequestHandlers {
  handle(): Promise<Response>;
  onError(error: unknown): Response | Promise<Response>;
  /** Adds what answers and refusals have alike. To look at `headers` costs the server a conversion of them. */
  addHeaders(response: Response): void;
}

/** id → answer or refusal → one log line. */
export async function runRequest(
  hono: Context,
  handlersFor: (ctx: RequestContext) => RequestHandlers,
): Promise<Response> {
  const ctx = new RequestContext(connect(), hono);
  const handlers = handlersFor(ctx);
  const response = await handlers.handle().catch(handlers.onError);
  handlers.addHeaders(response);
  logRequest(ctx, response.status);
  return response;
}

/** Makes the answer, its statements counting as its account's; what was put off until after it starts then. */
export async function answerForAccount(
  { ports, principal, request, later }: RequestContext,
  work: () => Promise<Response>,
): Promise<Response> {
  const response = await (principal ? asAccount(principal.account.id, work) : work());
  if (request.method !== 'GET' && request.method !== 'HEAD') keepAwakeAfterWrite(ports);
  for (const start of later) ports.background.run(start(ports));
  return response;
}
