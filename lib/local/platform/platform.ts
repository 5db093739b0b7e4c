import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeError } from '../../http/request-log.ts';
import { readConfig } from '../config.ts';
import { stampRequest } from './edge-headers.ts';
import { newRequestId, ownAnswer, toResponse } from './responses.ts';
import { compileRoutes, listApiFiles, type Route } from './routes.ts';
import { answerStatic, listStatic } from './static-files.ts';

/** What an api file exports by default. */
interface Handler {
  fetch(request: Request): Response | Promise<Response>;
}

export interface PlatformOptions {
  /** The folder that holds api/, public/ and vercel.json. */
  root: string;
  /** `start` imports every function now, so that a broken one fails the start; default `first-request`. */
  load?: 'first-request' | 'start';
  /** Gets what the platform itself has to tell: a function that broke or took too long, a cron that ran. */
  log?: (entry: Record<string, unknown>) => void;
}

/** Where headers can be set before the answer is known: Node's ServerResponse. */
export interface HeaderSink {
  setHeader(name: string, value: string): unknown;
}

export interface Platform {
  /** Answers as the platform would a request from `info.ip`; never rejects. */
  fetch(request: Request, info: { ip: string }): Promise<Response>;
  /**
   * The same for a request whose edge headers are stamped already (`stampIncoming`); never rejects. Headers of
   * vercel.json go to `outgoing`, where the function's own go over them, when that is cheaper.
   */
  dispatch(request: Request, outgoing?: HeaderSink): Response | Promise<Response>;
  /** Lists public/ again, after files were added to it. */
  refreshStatic(): Promise<void>;
  /** The crons of vercel.json. */
  crons: readonly { path: string; schedule: string }[];
  log(entry: Record<string, unknown>): void;
}

/** Serves an api/ tree by its vercel.json. Throws when the configuration cannot be served. */
export async function createPlatform(options: PlatformOptions): Promise<Platform> {
  const { root, log = () => {} } = options;
  const config = await readConfig(root);
  const apiFiles = await listApiFiles(root);
  const staticPaths = await listStatic(join(root, 'public'));
  const routes = compileRoutes(apiFiles, staticPaths, config);
  const handlers = new Map<string, Handler>();
  if (options.load === 'start') for (const file of apiFiles) await load(file);

  async function load(file: string): Promise<Handler> {
    const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(join(root, file)).href);
    const handler = loadHandler(loaded);
    if (!handler) throw new Error(`${file} has no default export with fetch(request)`);
    handlers.set(file, handler);
    return handler;
  }

  function call(file: string, maxDuration: number, request: Request): Response | Promise<Response> {
    const broke = (error: unknown) => fail(500, 'function failed', file, request, describeError(error));
    const handler = handlers.get(file);
    let answer: Response | Promise<Response>;
    try {
      answer = handler ? handler.fetch(request) : load(file).then((fresh) => fresh.fetch(request));
    } catch (error) {
      return broke(error);
    }
    if (!('then' in answer)) return answer;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => resolve(fail(504, 'function timed out', file, request, `over ${maxDuration} s`)),
        maxDuration * 1_000,
      );
      timer.unref();
      answer.then(
        (response) => {
          clearTimeout(timer);
          resolve(response);
        },
        (error: unknown) => {
          clearTimeout(timer);
          resolve(broke(error));
        },
      );
    });
  }

  function fail(status: 500 | 504, event: string, file: string, request: Request, error: string): Response {
    const requestId = newRequestId();
    log({ level: 'error', event, request_id: requestId, method: request.method, file, status, error });
    const message = status === 504 ? 'The function took too long.' : 'Something went wrong on our side.';
    const { origin } = new URL(request.url);
    return toResponse(ownAnswer(status, 'INTERNAL_ERROR', message, { requestId, origin }));
  }

  function dispatch(request: Request, outgoing?: HeaderSink): Response | Promise<Response> {
    const route = routes.resolve(parsePath(request.url));
    const { target } = route;
    if (target.kind === 'function') {
      if (target.query !== '') appendQuery(request, target.query);
      const answer = call(target.file, target.maxDuration, request);
      if (!outgoing) return route.headers.length === 0 ? answer : withHeaders(answer, route, 'keep');
      for (const [name, value] of route.headers) outgoing.setHeader(name, value);
      return answer;
    }
    if (target.kind === 'none') return withHeaders(toResponse(noSuchRoute(request)), route, 'replace');
    const answer = answerStatic(target.file, request).catch((error: unknown) =>
      fail(500, 'static file failed', target.file, request, describeError(error)),
    );
    return withHeaders(answer, route, 'replace');
  }

  return {
    async fetch(request, { ip }) {
      stampRequest(request, ip);
      return dispatch(request);
    },
    dispatch,
    async refreshStatic() {
      for (const [path, file] of await listStatic(join(root, 'public'))) staticPaths.set(path, file);
    },
    crons: config.crons,
    log,
  };
}

const noSuchRoute = ({ url }: Request) =>
  ownAnswer(404, 'NOT_FOUND', 'No such route.', { origin: new URL(url).origin });

function loadHandler(loaded: unknown): Handler | null {
  if (typeof loaded !== 'object' || loaded === null || !('default' in loaded)) return null;
  const candidate = loaded.default;
  return isHandler(candidate) ? candidate : null;
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'object' && value !== null && 'fetch' in value && typeof value.fetch === 'function';
}

/** The path of an absolute URL, without the cost of parsing it. */
function parsePath(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const query = url.indexOf('?', start);
  return query === -1 ? url.slice(start) : url.slice(start, query);
}

/** Shadows `url` on the request itself: building another Request would cost more than the whole dispatch. */
function appendQuery(request: Request, query: string): void {
  const { url } = request;
  const value = `${url}${url.includes('?') ? '&' : '?'}${query}`;
  Object.defineProperty(request, 'url', { value, configurable: true });
}

/** A function's own header stays (`keep`); over a static file vercel.json has the say (`replace`). */
async function withHeaders(
  answer: Response | Promise<Response>,
  { headers }: Route,
  own: 'keep' | 'replace',
): Promise<Response> {
  const response = await answer;
  const missing = headers.filter(([name]) => own === 'replace' || !response.headers.has(name));
  if (missing.length === 0) return response;
  try {
    for (const [name, value] of missing) response.headers.set(name, value);
    return response;
  } catch {
    // The headers of a fetched response are immutable.
    const open = new Headers(response.headers);
    for (const [name, value] of missing) open.set(name, value);
    return new Response(response.body, { status: response.status, headers: open });
  }
}
