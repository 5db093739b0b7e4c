import { openPg, openVercel } from '../../../../lib/db/connection/pool.ts';
import type { Sql } from '../../../../lib/db/sql.ts';
import { available, startPgBouncer } from '../../../support/postgres/pgbouncer.ts';
import { usePostgres } from '../../../support/postgres/postgres.ts';
import { connectThrough, startWebSocketProxy } from '../../../support/postgres/websocket-proxy.ts';
import { throughPort } from '../../../support/servers/ports.ts';

/** A way to a database of its own. */
export interface Bench {
  /** The port of the server, or of what stands before it. */
  port: number;
  /** Connects to another port in its place, if one is given. */
  open(options?: { max?: number; port?: number }): Sql;
  /** A connection around whatever stands before the server. */
  direct: Sql;
  stop(): Promise<void>;
}

/** Starts what stands before the server; returns its port and how to connect to it. */
type Way = (
  database: string,
) => Promise<{ port: number; open(options: { max?: number; port: number }): Sql; stop(): Promise<void> }>;

const readPort = (url: string) => Number(new URL(url).port);

async function startBench(way: Way): Promise<Bench> {
  const server = await usePostgres();
  const database = await server.createDatabase();
  const direct = openPg({ url: database });
  const { port, open, stop } = await way(database);
  return {
    port,
    open: (options = {}) => open({ port, ...options }),
    direct,
    async stop() {
      await direct.close();
      await stop();
      await server.dropDatabase(database);
    },
  };
}

const toPostgres: Way = async (database) => ({
  port: readPort(database),
  open: ({ port, ...options }) => openPg({ url: throughPort(database, port), ...options }),
  stop: async () => undefined,
});

const toPgBouncer: Way = async (database) => {
  const bouncer = await startPgBouncer(database);
  return { ...(await toPostgres(bouncer.through(database))), stop: () => bouncer.stop() };
};

const toVercel: Way = async (database) => {
  const proxy = await startWebSocketProxy(database);
  return {
    port: proxy.port,
    open: ({ port, ...options }) => {
      connectThrough(port);
      return openVercel({ url: database, ...options });
    },
    stop: () => proxy.close(),
  };
};

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
