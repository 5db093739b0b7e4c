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
  const write = documentWriter();
  return {
    log: platform.log,
    dispatch(request: Request, outgoing?: HeaderSink) {
      if (request.method !== 'GET' || !DOCUMENT.test(request.url))
        return platform.dispatch(request, outgoing);
      return nameAddress(platform.dispatch(request), publicUrl ?? request.url, write);
    },
  };
}

type Write = (response: Response, origin: string) => Promise<Uint8Array<ArrayBuffer>>;

async function nameAddress(
  answer: Response | Promise<Response>,
  url: string,
  write: Write,
): Promise<Response> {
  const response = await answer;
  if (response.status !== 200) return response;
  const document = await write(response, new URL(url).origin);
  const headers = new Headers(response.headers);
  // They are the file's.
  for (const name of ['etag', 'last-modified']) headers.delete(name);
  return new Response(document, { headers });
}

const ADDRESS = 'http://address.invalid';

/** Parses the file once, and encodes it once as long as it is asked for at the same address: each takes 10 ms and more. */
function documentWriter(): Write {
  let file: { etag: string; pieces: Promise<string[]> } | null = null;
  let last: { key: string; bytes: Uint8Array<ArrayBuffer> } | null = null;
  return async (response, origin) => {
    const etag = response.headers.get('etag') ?? '';
    if (file?.etag !== etag) file = { etag, pieces: readPieces(response) };
    const pieces = await file.pieces;
    const key = `${etag} ${origin}`;
    if (last?.key !== key) last = { key, bytes: new TextEncoder().encode(pieces.join(origin)) };
    return last.bytes;
  };
}

async function readPieces(response: Response): Promise<string[]> {
  const document: Document = await response.json();
  for (const { servers = [] } of [document, ...Object.values(document.paths)])
    for (const server of servers) server.url = new URL(server.url, ADDRESS).href.replace(/\/$/, '');
  return JSON.stringify(document, null, 2).split(ADDRESS);
}
