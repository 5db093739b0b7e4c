import type { Context, Hono } from 'hono';
import { ApiError } from '../../errors.ts';
import type { Session } from '../../ports/accounts/people.ts';
import { countVisit } from '../guards/rate-limit.ts';
import { readPath } from '../input/path.ts';
import { RequestContext } from '../request-context.ts';
import type { RequestState } from '../request-state.ts';
import { toRefusal } from '../responses.ts';
import { answerInTurn, createApp, runRequest } from '../run-request.ts';
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
  /** For owners whose account waits to be erased. */
  erasurePath: string;
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
  return createApp(
    site.pages.map((entry) => [entry.path, (hono) => respond(site, entry, hono)]),
    (hono) => respond(site, null, hono),
  );
}

function respond(site: Site, entry: PageEntry | null, hono: Context): Promise<Response> {
  return runRequest(hono, (state) => {
    const visit = toVisit(site, entry, state);
    return {
      answer: () => answer(visit),
      refuse: (error) => toPageResponse(visit, describeRefusal(visit, error)),
      complete({ headers }) {
        for (const cookie of visit.cookies.written) headers.append('set-cookie', cookie);
      },
    };
  });
}

function toVisit(site: Site, entry: PageEntry | null, state: RequestState): Visit {
  state.fields.route = entry?.path ?? 'stray page';
  return {
    site,
    entry,
    state,
    cookies: requestCookies(state),
    url: new URL(state.request.url),
    session: NO_SESSION,
    notice: null,
    problem: null,
  };
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
  return answerInTurn(state, async () => {
    const reply = await (method === 'POST' ? submit(visit, entry, page, ctx) : show(visit, page, ctx));
    return { ctx, response: await send(visit, ctx, reply) };
  });
}

function wrongMethod(): ApiError {
  const headers = { Allow: 'GET, HEAD, POST' };
  return new ApiError('NOT_FOUND', 'A page answers GET and POST.', { status: 405, headers });
}

function redirectFor({ site, url }: Visit, obstacle: NonNullable<ReturnType<typeof checkAccess>>): Redirect {
  if (obstacle === 'undo_erasure') return { to: site.erasurePath };
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
  state.note({ form: name });
  if (action.isSensitive && state.ports.clock.now() - session.signedInMs > FRESH_MS) {
    keepDraft(visit.cookies, session, url.pathname, form);
    return { to: `${site.signInPath}?fresh=true&next=${encodeURIComponent(url.pathname)}` };
  }
  try {
    return await action.run(toCall(visit, ctx, null), form);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'NOT_FOUND') throw error;
    visit.problem = toProblem(noteRefusal(visit, error), site);
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

/** A person sees no headers: the page of a fault names the request's id. */
function describeRefusal(visit: Visit, error: unknown): View {
  const { site, state } = visit;
  const refusal = noteRefusal(visit, error);
  return { ...site.describe(refusal, state.ports.settings.supportEmail), status: refusal.status };
}

/** What the answer's headers and the log say of a refusal, whether its form is shown again or not. */
function noteRefusal({ state }: Visit, error: unknown): ApiError {
  const refusal = toRefusal(error, state, state.requestId);
  Object.assign(state.headers, refusal.headers);
  return refusal;
}
