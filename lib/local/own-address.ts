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
  return {
    log: platform.log,
    dispatch(request: Request, outgoing?: HeaderSink) {
      if (request.method !== 'GET' || !DOCUMENT.test(request.url))
        return platform.dispatch(request, outgoing);
      return nameAddress(platform.dispatch(request), publicUrl ?? new URL(request.url).origin);
    },
  };
}

async function nameAddress(answer: Response | Promise<Response>, address: string): Promise<Response> {
  const response = await answer;
  if (response.status !== 200) return response;
  const document: Document = await response.json();
  for (const { servers = [] } of [document, ...Object.values(document.paths)])
    for (const server of servers) server.url = new URL(server.url, address).href.replace(/\/$/, '');
  const headers = new Headers(response.headers);
  // They are the file's.
  for (const name of ['etag', 'last-modified']) headers.delete(name);
  return new Response(JSON.stringify(document, null, 2), { headers });
}
