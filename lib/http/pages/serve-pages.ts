import type { Context as HonoContext } from 'hono';
import { Hono } from 'hono/tiny';
import { connect } from '../../connect.ts';
import { ApiError } from '../../errors.ts';
import type { Session } from '../../ports/accounts/people.ts';
import { Unavailable } from '../../ports/faults.ts';
import { keepAwakeAfterWrite } from '../../services/jobs/database-sleep.ts';
import { countVisit } from '../guards/rate-limit-pages.ts';
import { readPath } from '../input/path.ts';
import { RequestContext } from '../request-context.ts';
import { describeError, inTurn, logRequest, openRequest, type RequestState } from '../request-state.ts';
import { toStartupErrorResponse } from '../responses.ts';
import { checkAccess, checkMayWrite, checkOrigin, FRESH_MS } from './access.ts';
import { toDocument, toDownload, toRedirect } from './document.ts';
import { keepDraft, takeDraft } from './draft.ts';
import { type Form, readForm, toForm, toSent, toSentLists } from './form.ts';
import type { Html, Page, PageEntry, Problem, RawCall, Redirect, Reply, View } from './page.ts';
import { toProblem } from './problem.ts';
import { NO_SESSION, type RequestCookies, readSession, requestCookies } from './session.ts';

/** What surrounds a page's own content. */
export interface Frame {
  session: Session;
  path: string;
  /** What was just done. */
  notice: string | null;
  problem: Problem | null;
}

/** All pages, how they look, and where those go who may not see one. */
export interface Site {
  pages: readonly PageEntry[];
  signInPath: string;
  /** For operators who look at no account. */
  operatorPath: string;
  render(view: View, frame: Frame): Html;
  /** The page of a refusal. */
  describe(error: ApiError, supportEmail: string): View;
  /** What a form's field is called on its page. */
  labelFor(field: string): string;
}

interface Visit {
  readonly site: Site;
  readonly entry: PageEntry | null;
  readonly state: RequestState;
  readonly cookies: RequestCookies;
  readonly url: URL;
  session: Session;
  notice: string | null;
  problem: Problem | null;
}

/** Makes the one function that answers all pages; a page's module is loaded when it is called. */
export function servePages(site: Site): Hono {
  const app = new Hono();
  for (const entry of site.pages)
    app.all(entry.path.replace(/\{(\w+)\}/g, ':$1'), (hono) => respond(site, entry, hono));
  app.notFound((hono) => respond(site, null, hono));
  app.onError((error, hono) => toStartupErrorResponse(error, hono.req.raw));
  return app;
}

/** id → answer → cookies → one log line. */
async function respond(site: Site, entry: PageEntry | null, hono: HonoContext): Promise<Response> {
  const state = openRequest(connect(), hono);
  state.fields.route = entry?.path ?? 'stray page';
  const visit: Visit = {
    site,
    entry,
    state,
    cookies: requestCookies(state),
    url: new URL(state.request.url),
    session: NO_SESSION,
    notice: null,
    problem: null,
  };
  let response: Response;
  try {
    response = await answer(visit);
  } catch (error) {
    response = await toPageResponse(visit, describeFault(visit, error));
  }
  for (const cookie of visit.cookies.written) response.headers.append('set-cookie', cookie);
  logRequest(state, response.status);
  return response;
}

/** session → limit → page → role → the page itself, or its form. */
async function answer(visit: Visit): Promise<Response> {
  const { state, entry, cookies } = visit;
  const { method } = state.request;
  visit.session = await readSession(state, cookies);
  await countVisit(state, visit.session);
  if (entry === null) throw new ApiError('NOT_FOUND', 'There is no such page.');
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw wrongMethod();
  const obstacle = checkAccess(visit.session, entry);
  if (obstacle !== null) return toRedirect(state, redirectFor(visit, obstacle));
  const page = await entry.load();
  const ctx = new RequestContext(state, null);
  const response = await inTurn(state, async () => {
    const reply = await (method === 'POST' ? submit(visit, entry, page, ctx) : show(visit, page, ctx));
    return send(visit, ctx, reply);
  });
  if (method === 'POST') keepAwakeAfterWrite(state.ports);
  ctx.startLater();
  return response;
}

function wrongMethod(): ApiError {
  const headers = { Allow: 'GET, HEAD, POST' };
  return new ApiError('NOT_FOUND', 'A page answers GET and POST.', { status: 405, headers });
}

function redirectFor({ site, url }: Visit, obstacle: 'sign_in' | 'choose_account'): Redirect {
  if (obstacle === 'choose_account') return { to: site.operatorPath };
  return { to: `${site.signInPath}?next=${encodeURIComponent(url.pathname)}` };
}

async function show(visit: Visit, page: Page, ctx: RequestContext): Promise<Reply> {
  const done = visit.url.searchParams.get('done') ?? '';
  if (Object.hasOwn(page.notices, done)) visit.notice = page.notices[done] ?? null;
  const draft = takeDraft(visit.cookies, visit.session, visit.url.pathname);
  if (draft !== null)
    visit.notice = 'You are signed in again. Your form is as you left it: press its button once more.';
  return page.show(toCall(visit, ctx, draft));
}

/** origin → form → the pressed button's action; what it refuses is shown on the page that has the form. */
async function submit(visit: Visit, entry: PageEntry, page: Page, ctx: RequestContext): Promise<Reply> {
  const { state, session, site, url } = visit;
  checkOrigin(state.request);
  checkMayWrite(session, entry);
  const form = await readForm(state.request, page.maxBytes);
  const name = String(form.get('action')?.[0] ?? '');
  const action = Object.hasOwn(page.actions, name) ? page.actions[name] : undefined;
  if (!action) throw new ApiError('NOT_FOUND', 'There is no such button.');
  state.addLogFields({ form: name });
  if (action.isSensitive && state.ports.clock.now() - session.signedInMs > FRESH_MS) {
    keepDraft(visit.cookies, session, url.pathname, form);
    return { to: `${site.signInPath}?fresh=true&next=${encodeURIComponent(url.pathname)}` };
  }
  try {
    return await action.run(toCall(visit, ctx, null), form);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'NOT_FOUND') throw error;
    state.fields.code = error.code;
    visit.problem = toProblem(error, site);
    const shown = await page.show(toCall(visit, ctx, form));
    return 'main' in shown ? { ...shown, status: error.status } : shown;
  }
}

/** `sent`: the form that is shown again. */
function toCall(visit: Visit, ctx: RequestContext, sent: Form | null): RawCall {
  const { state, session, cookies, url, problem } = visit;
  const query: Form = toForm(url.searchParams);
  return {
    ctx,
    session,
    cookies,
    problem,
    sent: sent === null ? {} : toSent(sent),
    sentLists: sent === null ? {} : toSentLists(sent),
    query,
    params: readPath(state.hono),
    address: url.pathname,
  };
}

async function send(visit: Visit, ctx: RequestContext, reply: Reply): Promise<Response> {
  if ('to' in reply) return toRedirect(visit.state, reply);
  if ('filename' in reply) return toDownload(visit.state, ctx, reply);
  return toPageResponse(visit, reply);
}

async function toPageResponse(visit: Visit, view: View): Promise<Response> {
  const { site, state, session, url, notice, problem } = visit;
  return toDocument(
    state,
    view.status ?? 200,
    site.render(view, { session, path: url.pathname, notice, problem }),
  );
}

/** Of a fault of ours only the request's id is shown. */
function describeFault({ site, state }: Visit, error: unknown): View {
  if (error instanceof ApiError && error.code !== 'INTERNAL_ERROR') {
    state.fields.code = error.code;
    Object.assign(state.headers, error.headers);
    return { ...site.describe(error, state.ports.settings.supportEmail), status: error.status };
  }
  state.addLogFields({ code: 'INTERNAL_ERROR', error: describeError(error) });
  const problem = error instanceof Unavailable ? error.publicMessage : 'Something went wrong on our side.';
  const words = `${problem} Quote ${state.requestId} to ${state.ports.settings.supportEmail}.`;
  return {
    ...site.describe(new ApiError('INTERNAL_ERROR', words), state.ports.settings.supportEmail),
    status: 500,
  };
}
