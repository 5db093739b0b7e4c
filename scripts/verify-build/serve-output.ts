import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Output } from './output.ts';
import { resolve } from './routing.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

type Handler = (request: Request) => Response | Promise<Response>;

export interface Served {
  origin: string;
  close(): Promise<void>;
}

/**
 * Serves an emitted output on loopback, by its own routes; `staged` says where each function lies. The answer's
 * `x-reached` names the function or the static file. Port 0 takes a free one.
 */
export async function serveOutput(
  output: Output,
  staged: ReadonlyMap<string, string>,
  port: number,
): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    answer(output, staged, incoming)
      .catch((error: unknown) => new Response(String(error), { status: 500 }))
      .then((response) => send(response, outgoing));
  });
  await new Promise<void>((resolved) => server.listen(port, '127.0.0.1', resolved));
  // A TCP server's address is never a string or null once it listens.
  const { port: taken } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((closed) => server.close(() => closed()));
  };
  return { origin: `http://127.0.0.1:${taken}`, close };
}

async function answer(
  output: Output,
  staged: ReadonlyMap<string, string>,
  incoming: IncomingMessage,
): Promise<Response> {
  const method = incoming.method ?? 'GET';
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? '127.0.0.1'}`);
  const destination = resolve(output, method, url.pathname);
  const headers = new Headers(destination.headers);
  if (destination.kind === 'none') return new Response(null, { status: destination.status, headers });
  if (destination.kind === 'static') {
    headers.set('x-reached', destination.file);
    headers.set('Content-Type', TYPES[extname(destination.file)] ?? 'application/octet-stream');
    return new Response(await readFile(join(output.folder, 'static', destination.file)), { headers });
  }
  const { name, query } = destination;
  const emitted = output.functions.find((one) => one.name === name);
  const fetch = await handlerIn(join(staged.get(name) ?? '', emitted?.handler ?? ''));
  url.search = [url.search.slice(1), query].filter(Boolean).join('&');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
  const pairs = Object.entries(incoming.headers).flatMap(([key, value]) =>
    value ? [[key, String(value)]] : [],
  );
  const response = await fetch(new Request(url, { method, headers: Object.fromEntries(pairs), body }));
  for (const [key, value] of response.headers) headers.set(key, value);
  headers.set('x-reached', name);
  return new Response(response.body, { status: response.status, headers });
}

/** As the platform does it: unwraps `default`, takes `fetch` off its object; a bare function is `(req, res)`. */
async function handlerIn(path: string): Promise<Handler> {
  let exported: { default?: object; fetch?: unknown } = await import(pathToFileURL(path).href);
  for (let depth = 0; depth < 5 && exported.default; depth++) exported = exported.default;
  if (typeof exported.fetch !== 'function') throw new Error(`${path}: the default export has no fetch`);
  return exported.fetch as Handler;
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}
