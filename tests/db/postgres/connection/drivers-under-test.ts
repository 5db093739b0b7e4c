import { openPg, openVercel } from '../../../../lib/db/connection/pool.ts';
import type { Sql } from '../../../../lib/db/sql.ts';
import { available, startPgBouncer } from '../../../support/postgres/pgbouncer.ts';
import { usePostgres } from '../../../support/postgres/postgres.ts';
import { connectThrough, startWebSocketProxy } from '../../../support/postgres/websocket-proxy.ts';
import { throughPort } from '../../../support/servers/ports.ts';

/** `port`: in the place of the server's, or of what stands before it. */
type Open = (options?: { max?: number; port?: number }) => Sql;

/** How to reach a database, and what stands before it. */
type Way = (url: string) => Promise<{ port: number; open: Open; stop(): Promise<void> }>;

const toPostgres: Way = async (url) => {
  const serverPort = Number(new URL(url).port);
  return {
    port: serverPort,
    open: ({ port = serverPort, ...options } = {}) => openPg({ url: throughPort(url, port), ...options }),
    stop: async () => undefined,
  };
};

const toPgBouncer: Way = async (url) => {
  const { through, stop } = await startPgBouncer(url);
  return { ...(await toPostgres(through(url))), stop };
};

const toVercel: Way = async (url) => {
  const { port: proxyPort, close } = await startWebSocketProxy(url);
  return {
    port: proxyPort,
    open: ({ port = proxyPort, ...options } = {}) => {
      connectThrough(port);
      return openVercel({ url, ...options });
    },
    stop: close,
  };
};

/** A way to a database of its own; `direct` is a connection around whatever stands before the server. */
async function startBench(driver: Way) {
  const url = await usePostgres().createDatabase();
  const { stop, ...reached } = await driver(url);
  const direct = openPg({ url });
  return { ...reached, direct, stop: async () => void (await Promise.all([direct.close(), stop()])) };
}
export type Bench = Awaited<ReturnType<typeof startBench>>;

/** The ways the service reaches a database: each is the real driver in front of the real thing. */
export const DRIVERS = [
  { name: 'pg to PostgreSQL', start: () => startBench(toPostgres) },
  ...(available()
    ? [{ name: 'pg behind PgBouncer in transaction mode', start: () => startBench(toPgBouncer) }]
    : []),
  { name: '@vercel/postgres through a WebSocket', start: () => startBench(toVercel) },
];

/** The column `v` of the first row. */
export const one = async (sql: Sql, text: string, params: unknown[] = []) =>
  (await sql.query<{ v: unknown }>({ text }, params))[0]?.v;
export const run = (sql: Sql, text: string, params: unknown[] = []) => sql.query({ text }, params);
/** What the work was rejected with. */
export const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => error,
  );
