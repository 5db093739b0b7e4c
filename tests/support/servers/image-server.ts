import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { guardedFetcher } from '../../../lib/outside/fetcher/guarded.ts';
import type { Background } from '../../../lib/outside/system.ts';
import type { Ports } from '../../../lib/ports.ts';
import { listenHttp } from './ports.ts';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A dealer's image server on loopback. */
export async function startImageServer() {
  const answers = new Map<string, (Buffer | number | Answer)[]>();
  const hits = new Map<string, number>();
  let under = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const queue = answers.get(path) ?? [404];
    const count = hits.get(path) ?? 0;
    hits.set(path, count + 1);
    under += 1;
    most = Math.max(most, under);
    response.on('close', () => {
      under -= 1;
    });
    const answer = queue[count] ?? queue.at(-1);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else if (typeof answer === 'function') answer(response, request);
    // What the server says of the type must not matter.
    else response.writeHead(200, { 'content-type': 'text/html' }).end(answer);
  });
  const { host, close } = await listenHttp(server);
  const pending = new Set<Promise<unknown>>();
  const background: Background = {
    run(work) {
      const settled = work.finally(() => pending.delete(settled));
      pending.add(settled);
      settled.catch(() => undefined);
    },
  };
  let serial = 0;
  return {
    /** A URL of its own that answers like this, for the last of these from then on. */
    add(...steps: (Buffer | number | Answer)[]) {
      serial += 1;
      const path = `/${process.pid}-${serial}.jpg`;
      answers.set(path, steps);
      return `http://${host}${path}`;
    },
    /** How often a URL was asked for. */
    hits: (url: string) => hits.get(new URL(url).pathname) ?? 0,
    /** Most requests under way at one time. */
    most: () => most,
    /** Ports that let the service fetch from it, and know when its background work has ended. */
    ports: ({ settings }: Ports): Partial<Ports> => ({
      // Feeds of another server on this machine are judged by it, too.
      fetcher: { ...guardedFetcher({ allow: new Set([host]) }), findRefusal: async () => null },
      settings: { ...settings, restingJobs: new Set() },
      background,
    }),
    /** Waits until no work goes on after an answer. */
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
    close,
  };
}
