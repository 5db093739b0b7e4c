import { createServer, type ServerResponse } from 'node:http';
import type { Sql } from '../../../lib/db/sql.ts';
import { guardedFetcher } from '../../../lib/outside/fetcher/guarded.ts';
import { bundledGeocoder } from '../../../lib/outside/geocoder/gazetteer.ts';
import { remoteGeocoder } from '../../../lib/outside/geocoder/with-remote.ts';
import type { Clock } from '../../../lib/outside/system.ts';
import { listenHttp } from './ports.ts';

type Reply = (query: string, response: ServerResponse) => unknown;

/** A geocoder over HTTP on loopback. */
export type GeocoderServer = Awaited<ReturnType<typeof startGeocoderServer>>;

export async function startGeocoderServer() {
  let under = 0;
  const server = createServer((request, response) => {
    under += 1;
    reply.most = Math.max(reply.most, under);
    response.on('close', () => {
      under -= 1;
    });
    const query = new URL(request.url ?? '', 'http://x').searchParams.get('q') ?? '';
    reply.asked.push(query);
    const answer = reply.reply(query, response);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else if (answer !== undefined) response.end(JSON.stringify(answer));
  });
  const { host, close } = await listenHttp(server);
  const reply = {
    /** Every question so far, decoded. */
    asked: [] as string[],
    /** Most questions under way at one time. */
    most: 0,
    /** What it answers from now on: JSON, a status, or whatever `reply` does itself (answering undefined). */
    reply: (() => []) as Reply,
    /** The gazetteer with this server behind it, as an instance of the service would have it. */
    instance: (sql: Sql, { clock, log }: { clock: Clock; log: Record<string, unknown>[] }) =>
      remoteGeocoder(bundledGeocoder(), {
        url: `http://${host}/search?format=json&q={query}`,
        fetcher: guardedFetcher({ allow: new Set([host]) }),
        sql,
        clock,
        log: { write: (entry) => void log.push(entry) },
      }),
    close,
  };
  return reply;
}
