import { openPg } from '../../../../lib/adapters/postgres/connection/pg.ts';
import type { Sql } from '../../../../lib/adapters/postgres/connection/sql.ts';
import { openVercel } from '../../../../lib/adapters/postgres/connection/vercel.ts';
import { available, startPgBouncer } from '../../../support/postgres/pgbouncer.ts';
import { type PostgresServer, usePostgres } from '../../../support/postgres/postgres.ts';
import { startWebSocketProxy } from '../../../support/postgres/websocket-proxy.ts';
import { type Blackhole, startBlackhole } from '../../../support/servers/blackhole.ts';
import { throughPort } from '../../../support/servers/ports.ts';

/** A way to a database of its own, and the means to disturb it. */
export interface Bench {
  open(options?: { max?: number }): Sql;
  stop(): Promise<void>;
  network: { openThrough(blackhole: Blackhole): Sql; darken(): Promise<Blackhole>; direct(): Sql };
}

export interface Driver {
  name: string;
  installed: boolean;
  start(): Promise<Bench>;
}

async function bench(
  server: PostgresServer,
  database: string,
  way: { port: number; open: (port: number, max?: number) => Sql; stop?: () => Promise<void> },
): Promise<Bench> {
  return {
    open: ({ max = 5 } = {}) => way.open(way.port, max),
    async stop() {
      await way.stop?.();
      await server.dropDatabase(database);
      await server.stop();
    },
    network: {
      darken: () => startBlackhole(way.port),
      openThrough: (blackhole) => way.open(blackhole.port),
      direct: () => openPg({ url: database, max: 1 }),
    },
  };
}

const withMax = (max: number | undefined) => (max === undefined ? {} : { max });
const readPort = (url: string) => Number(new URL(url).port);

/** The three ways the service reaches a database: each is the real driver in front of the real thing. */
export const DRIVERS = {
  postgres: {
    name: 'pg to PostgreSQL',
    installed: true,
    async start() {
      const server = await usePostgres();
      const database = await server.createDatabase();
      return bench(server, database, {
        port: readPort(database),
        open: (port, max) => openPg({ url: throughPort(database, port), ...withMax(max) }),
      });
    },
  },
  pgbouncer: {
    name: 'pg behind PgBouncer in transaction mode',
    installed: available(),
    async start() {
      const server = await usePostgres();
      const database = await server.createDatabase();
      const bouncer = await startPgBouncer(database);
      return bench(server, database, {
        port: readPort(bouncer.through(database)),
        open: (port, max) => openPg({ url: throughPort(database, port), ...withMax(max) }),
        stop: () => bouncer.stop(),
      });
    },
  },
  vercel: {
    name: '@vercel/postgres through a WebSocket',
    installed: true,
    async start() {
      const server = await usePostgres();
      const database = await server.createDatabase();
      const proxy = await startWebSocketProxy(database);
      return bench(server, database, {
        port: proxy.port,
        open: (port, max) => openVercel({ url: database, proxy: proxy.address(port), ...withMax(max) }),
        stop: () => proxy.close(),
      });
    },
  },
} satisfies Record<string, Driver>;

/** The column `v` of the first row. */
export const one = async (sql: Sql, text: string, params: unknown[] = []) =>
  (await sql.query<{ v: unknown }>({ text }, params))[0]?.v;
export const run = (sql: Sql, text: string, params: unknown[] = []) => sql.query({ text }, params);
/** Ends every connection to this database but the one that says so. */
export const OTHERS_OUT = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;
/** What the work was rejected with. */
export const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => error,
  );
