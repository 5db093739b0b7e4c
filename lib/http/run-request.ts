import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { connect } from '../connect.ts';
import { keepAwakeAfterWrite } from '../services/jobs/database-sleep.ts';
import type { RequestContext } from './request-context.ts';
import { inTurn, logRequest, openRequest, type RequestState } from './request-state.ts';
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

interface Way {
  answer(): Promise<Response>;
  /** The response to what `answer` throws. */
  refuse(error: unknown): Response | Promise<Response>;
  /** Adds the headers that answers and refusals have alike. */
  complete(response: Response): void;
}

/** id → answer or refusal → one log line. */
export async function runRequest(hono: Context, wayFor: (state: RequestState) => Way): Promise<Response> {
  const state = openRequest(connect(), hono);
  const way = wayFor(state);
  const response = await way.answer().catch(way.refuse);
  way.complete(response);
  logRequest(state, response.status);
  return response;
}

/** Runs `work` in its account's turn; what it put off until after the answer starts then. */
export async function answerInTurn(
  state: RequestState,
  work: () => Promise<{ ctx: RequestContext; response: Response }>,
): Promise<Response> {
  const { ctx, response } = await inTurn(state, work);
  if (state.request.method !== 'GET' && state.request.method !== 'HEAD') keepAwakeAfterWrite(state.ports);
  ctx.startLater();
  return response;
}
