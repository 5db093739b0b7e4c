import type { HeaderSink, Platform } from './platform/platform.ts';

interface Server {
  url: string;
}

/** What of the OpenAPI document is read here. */
interface Document {
  servers: Server[];
  paths: Record<string, { servers?: Server[] }>;
}

const DOCUMENT = /^https?:\/\/[^/]+(?:\/docs)?\/openapi\.json(?:\?|$)/;

/**
 * The platform, with an OpenAPI document that names where the service is reached, which clients made from a file need.
 * A deployment's build writes it into the document. `publicUrl` null: the address that was called.
 */
export function withOwnAddress(
  platform: Pick<Platform, 'dispatch' | 'log'>,
  publicUrl: string | null,
): Pick<Platform, 'dispatch' | 'log'> {
  const pieces: Pieces = new Map();
  return {
    log: platform.log,
    dispatch(request: Request, outgoing?: HeaderSink) {
      if (request.method !== 'GET' || !DOCUMENT.test(request.url))
        return platform.dispatch(request, outgoing);
      return nameAddress(pieces, platform.dispatch(request), publicUrl ?? request.url);
    },
  };
}

async function nameAddress(
  pieces: Pieces,
  answer: Response | Promise<Response>,
  url: string,
): Promise<Response> {
  const response = await answer;
  if (response.status !== 200) return response;
  const between = await piecesFor(pieces, response);
  const headers = new Headers(response.headers);
  // They are the file's.
  for (const name of ['etag', 'last-modified']) headers.delete(name);
  return new Response(between.join(new URL(url).origin), { headers });
}

const ADDRESS = 'http://address.invalid';

/** The pieces of a document that an address stands between, by the file's ETag: parsing it anew takes 25 ms. */
type Pieces = Map<string, Promise<string[]>>;

function piecesFor(pieces: Pieces, response: Response): Promise<string[]> {
  const etag = response.headers.get('etag') ?? '';
  const known = pieces.get(etag);
  if (known !== undefined) return known;
  const read = readPieces(response);
  pieces.set(etag, read);
  return read;
}

async function readPieces(response: Response): Promise<string[]> {
  const document: Document = await response.json();
  for (const { servers = [] } of [document, ...Object.values(document.paths)])
    for (const server of servers) server.url = new URL(server.url, ADDRESS).href.replace(/\/$/, '');
  return JSON.stringify(document, null, 2).split(ADDRESS);
}
