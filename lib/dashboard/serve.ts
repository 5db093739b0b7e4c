import type { Hono, Context as HonoContext } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { ApiError } from '../errors.ts';
import type { Context } from '../http/context.ts';
import { parseWith } from '../http/endpoint.ts';
import { readPath, readQuery } from '../http/input/query.ts';
import { type Form, readForm, toForm, toFormValues } from '../http/pages/form.ts';
import type { Page, PageCall, PageEntry, Reply, View } from '../http/pages/page.ts';
import { toRefusal } from '../http/responses.ts';
import { answerForAccount, createApp, runRequest } from '../http/run-request.ts';
import { checkMayWrite, checkOrigin, findDetour, MAX_SIGN_IN_AGE_MS, signInAgain } from './access.ts';
import { toDocument, toResponseFor } from './document.ts';
import { type Frame, renderPage } from './layout.ts';
import { PAGES } from './pages.ts';
import { describeRefusal, toProblem } from './refusal.ts';
import { countVisit, NO_SESSION, type RequestCookies, readSession, requestCookies } from './session.ts';

interface Visit extends Frame {
  readonly entry: PageEntry | null;
  readonly ctx: Context;
  readonly cookies: RequestCookies;
}

const [SELF, NONE] = [["'self'"], ["'none'"]];

/** Nothing may come from elsewhere, nothing inline runs, and no script turns text into markup. */
const HEADERS = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: NONE,
    styleSrc: SELF,
    scriptSrc: SELF,
    imgSrc: ["'self'", 'data:'],
    connectSrc: SELF,
    frameSrc: SELF,
    formAction: SELF,
    frameAncestors: NONE,
    baseUri: NONE,
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: NONE,
  },
  // Not no-referrer: browsers would send forms without their origin.
  referrerPolicy: 'same-origin',
  // Browsers heed it over HTTPS only.
  strictTransportSecurity: 'max-age=31536000',
});

/** Makes the one function that answers all pages; a page's module is loaded when it is called. */
export function serveDashboard(): Hono {
  const handler = (entry: PageEntry | null) => (hono: HonoContext) => respond(entry, hono);
  const handlers = PAGES.map((entry) => [entry.path, handler(entry)] as const);
  return createApp(handlers, handler(null), HEADERS);
}

const respond = (entry: PageEntry | null, hono: HonoContext): Promise<Response> =>
  runRequest(hono, async (ctx) => {
    ctx.fields.route = entry?.path ?? 'stray page';
    const [cookies, { pathname: path }] = [requestCookies(ctx), new URL(ctx.request.url)];
    const visit: Visit = { entry, ctx, cookies, path, session: NO_SESSION, notice: null, problem: null };
    const response = await answer(visit).catch((error: unknown) => {
      // A person sees no headers: the page of a fault names the request's id.
      const refusal = noteRefusal(ctx, error);
      const view = describeRefusal(refusal, ctx.ports.settings.supportEmail);
      return toPage(visit, { ...view, status: refusal.status });
    });
    for (const cookie of cookies.written) response.headers.append('set-cookie', cookie);
    return response;
  });

/** session → limit → page → role → the page itself, or its form. */
async function answer(visit: Visit): Promise<Response> {
  const { ctx, entry, cookies, path } = visit;
  const { method } = ctx.request;
  visit.session = await readSession(ctx, cookies);
  await countVisit(ctx, visit.session);
  if (entry === null) throw new ApiError('NOT_FOUND', 'There is no such page.');
  if (!['GET', 'HEAD', 'POST'].includes(method))
    throw new ApiError('NOT_FOUND', 'A page answers GET and POST.', {
      status: 405,
      headers: { Allow: 'GET, HEAD, POST' },
    });
  const detour = findDetour(visit.session, entry, path);
  if (detour !== null) return toResponseFor(ctx, { to: detour });
  const { default: page } = await entry.load();
  return answerForAccount(ctx, async () => {
    const reply = await (method === 'POST' ? submit(visit, entry, page) : show(visit, page));
    return 'main' in reply ? toPage(visit, reply) : toResponseFor(ctx, reply);
  });
}

async function show(visit: Visit, page: Page): Promise<Reply> {
  const notice = readQuery(visit.ctx.request.url).get('done') ?? '';
  const notices = new Map(Object.entries(page.notices ?? {}));
  visit.notice = notices.get(notice) ?? null;
  return page.show(toCall(visit, page));
}

/** origin → form → the pressed button's action; what it refuses is shown on the page that has the form. */
async function submit(visit: Visit, entry: PageEntry, page: Page): Promise<Reply> {
  const { ctx, session, path } = visit;
  checkOrigin(ctx.request);
  checkMayWrite(session, entry);
  const sentForm = await readForm(ctx.request, page.maxBytes);
  const name = String(sentForm.get('action')?.[0] ?? '');
  const action = new Map(Object.entries(page.actions ?? {})).get(name);
  if (!action) throw new ApiError('NOT_FOUND', 'There is no such button.');
  ctx.note({ form: name });
  const call = toCall(visit, page, sentForm);
  if (call.needsSignIn(name)) return { to: signInAgain(path) };
  try {
    const form = parseWith(action.form, toFormValues(sentForm, action.form), 'INVALID_PAYLOAD');
    return await action.run({ ...call, form });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'NOT_FOUND') throw error;
    visit.problem = toProblem(noteRefusal(ctx, error));
    return { ...(await page.show({ ...call, problem: visit.problem })), status: error.status };
  }
}

/** `sentForm`: for a page that shows it again. */
function toCall(visit: Visit, page: Page, sentForm: Form = new Map()): PageCall<unknown, unknown> {
  const { ctx, session, cookies, path, problem } = visit;
  const query = toForm(readQuery(ctx.request.url));
  const signInAgeMs = ctx.ports.clock.now() - session.signedInMs;
  const isText = (value: unknown) => typeof value === 'string';
  const lists = [...sentForm].map(([name, values]) => [name, values.filter(isText)] as const);
  return {
    ctx,
    session,
    cookies,
    problem,
    address: path,
    needsSignIn: (name) => page.actions?.[name]?.sensitive === true && signInAgeMs > MAX_SIGN_IN_AGE_MS,
    formValues: Object.fromEntries(lists.map(([name, [first = '']]) => [name, first])),
    formLists: Object.fromEntries(lists),
    params: page.params && parseWith(page.params, readPath(ctx), 'INVALID_PARAMS'),
    query: page.query && parseWith(page.query, toFormValues(query, page.query), 'INVALID_PARAMS'),
  };
}

const toPage = (visit: Visit, view: View): Promise<Response> =>
  toDocument(visit.ctx, view.status ?? 200, renderPage(PAGES, view, visit));

/** What the answer's headers and the log say of a refusal, whether its form is shown again or not. */
function noteRefusal(ctx: Context, error: unknown): ApiError {
  const refusal = toRefusal(error, ctx, ctx.requestId);
  Object.assign(ctx.headers, refusal.headers);
  return refusal;
}
