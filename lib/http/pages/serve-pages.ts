import type { Context, Hono } from 'hono';
import type { Session } from '../../accounts/people/port.ts';
import { ApiError } from '../../errors.ts';
import { countVisit } from '../guards/rate-limit.ts';
import { readPath } from '../input/path.ts';
import type { RequestContext } from '../request-context.ts';
import { toRefusal } from '../responses.ts';
import { answerForAccount, createApp, runRequest } from '../run-request.ts';
import { checkAccess, checkMayWrite, checkOrigin, FRESH_MS } from './access.ts';
import { toDocument, toDownload, toRedirect } from './document.ts';
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
  readonly ctx: RequestContext;
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
  return runRequest(hono, (ctx) => {
    const visit = toVisit(site, entry, ctx);
    return {
      handle: () => answer(visit),
      onError: (error) => toPageResponse(visit, describeRefusal(visit, error)),
      addHeaders(response) {
        for (const cookie of visit.cookies.written) response.headers.append('set-cookie', cookie);
      },
    };
  });
}

function toVisit(site: Site, entry: PageEntry | null, ctx: RequestContext): Visit {
  ctx.fields.route = entry?.path ?? 'stray page';
  return {
    site,
    entry,
    ctx,
    cookies: requestCookies(ctx),
    url: new URL(ctx.request.url),
    session: NO_SESSION,
    notice: null,
    problem: null,
  };
}

/** session → limit → page → role → the page itself, or its form. */
async function answer(visit: Visit): Promise<Response> {
  const { ctx, entry, cookies } = visit;
  const { method } = ctx.request;
  visit.session = await readSession(ctx, cookies);
  await countVisit(ctx, visit.session);
  if (entry === null) throw new ApiError('NOT_FOUND', 'There is no such page.');
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') throw wrongMethod();
  const obstacle = checkAccess(visit.session, entry);
  if (obstacle !== null) return toRedirect(ctx, redirectFor(visit, obstacle));
  const page = await entry.load();
  return answerForAccount(ctx, async () =>
    send(visit, await (method === 'POST' ? submit(visit, entry, page) : show(visit, page))),
  );
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

async function show(visit: Visit, page: Page): Promise<Reply> {
  const done = visit.url.searchParams.get('done') ?? '';
  if (Object.hasOwn(page.notices, done)) visit.notice = page.notices[done] ?? null;
  return page.show(toCall(visit, null));
}

/** origin → form → the pressed button's action; what it refuses is shown on the page that has the form. */
async function submit(visit: Visit, entry: PageEntry, page: Page): Promise<Reply> {
  const { ctx, session, site, url } = visit;
  checkOrigin(ctx.request);
  checkMayWrite(session, entry);
  const form = await readForm(ctx.request, page.maxBytes);
  const name = String(form.get('action')?.[0] ?? '');
  const action = Object.hasOwn(page.actions, name) ? page.actions[name] : undefined;
  if (!action) throw new ApiError('NOT_FOUND', 'There is no such button.');
  ctx.note({ form: name });
  if (action.isSensitive && ctx.ports.clock.now() - session.signedInMs > FRESH_MS)
    return { to: `${site.signInPath}?fresh=true&next=${encodeURIComponent(url.pathname)}` };
  try {
    return await action.run(toCall(visit, null), form);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'NOT_FOUND') throw error;
    visit.problem = toProblem(noteRefusal(visit, error), site);
    const shown = await page.show(toCall(visit, form));
    return 'main' in shown ? { ...shown, status: error.status } : shown;
  }
}

/** `sent`: the form that is shown again. */
function toCall(visit: Visit, sent: Form | null): RawCall {
  const { ctx, session, cookies, url, problem } = visit;
  const query: Form = toForm(url.searchParams);
  return {
    ctx,
    session,
    cookies,
    problem,
    sent: sent === null ? {} : toSent(sent),
    sentLists: sent === null ? {} : toSentLists(sent),
    query,
    params: readPath(ctx.hono),
    address: url.pathname,
  };
}

async function send(visit: Visit, reply: Reply): Promise<Response> {
  if ('to' in reply) return toRedirect(visit.ctx, reply);
  if ('filename' in reply) return toDownload(visit.ctx, reply);
  return toPageResponse(visit, reply);
}

async function toPageResponse(visit: Visit, view: View): Promise<Response> {
  const { site, ctx, session, url, notice, problem } = visit;
  return toDocument(
    ctx,
    view.status ?? 200,
    site.render(view, { session, path: url.pathname, notice, problem }),
  );
}

/** A person sees no headers: the page of a fault names the request's id. */
function describeRefusal(visit: Visit, error: unknown): View {
  const { site, ctx } = visit;
  const refusal = noteRefusal(visit, error);
  return { ...site.describe(refusal, ctx.ports.settings.supportEmail), status: refusal.status };
}

/** What the answer's headers and the log say of a refusal, whether its form is shown again or not. */
function noteRefusal({ ctx }: Visit, error: unknown): ApiError {
  const refusal = toRefusal(error, ctx, ctx.requestId);
  Object.assign(ctx.headers, refusal.headers);
  return refusal;
}
