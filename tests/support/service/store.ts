import { openPg, openVercel } from '../../../lib/db/connection/pool.ts';
import { distribute } from '../../../lib/db/migrations/distribute.ts';
import { migrate } from '../../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../../lib/db/sql.ts';
import { createCitusDatabase } from '../citus/citus.ts';
import { startPgBouncer } from '../postgres/pgbouncer.ts';
import { usePostgres } from '../postgres/postgres.ts';
import { newDatabase } from '../postgres/suite-database.ts';
import { startWebSocketProxy } from '../postgres/websocket-proxy.ts';

/** The stores that the service's core runs on. */
const OPEN = { postgres: openPostgres, pgbouncer: openPgBouncer, vercel: openNeon, citus: openCitus };
/** The one of this run (vitest.config.ts). */
export const STORE = (process.env.STORE || 'postgres') as keyof typeof OPEN;

export interface TestStore {
  sql: Sql;
  url: string;
}

let current: Promise<TestStore> | undefined;

/** Puts a database of the test's own in place of the worker's. */
export function provideStore(store: TestStore): void {
  current = Promise.resolve(store);
}

/** The migrated database of this worker, shared by its files: every suite makes accounts of its own. */
export function useStore(): Promise<TestStore> {
  current ??= OPEN[STORE]().catch((error: unknown) => {
    // The next file may have better luck.
    current = undefined;
    throw error;
  });
  return current;
}

/** The machine of a test run is busier than any server's: suites about outages choose their own. */
const CONNECT_TIMEOUT_MS = 15_000;

async function openPostgres(): Promise<TestStore> {
  const url = await newDatabase();
  return { sql: openPg({ url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS }), url };
}

async function openPgBouncer(): Promise<TestStore> {
  const url = await newDatabase();
  // Fewer connections than its clients ask for.
  const bouncer = await startPgBouncer(usePostgres().url);
  return { sql: openPg({ url: bouncer.through(url), connectionTimeoutMillis: CONNECT_TIMEOUT_MS }), url };
}

/** Neon's pooled hosts are PgBouncer behind a WebSocket too; their pools are larger than an instance's. */
async function openNeon(): Promise<TestStore> {
  const url = await newDatabase();
  const server = usePostgres();
  const bouncer = await startPgBouncer(server.url, 20);
  await startWebSocketProxy(bouncer.through(server.url));
  return { sql: openVercel({ url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS }), url };
}

async function openCitus(): Promise<TestStore> {
  const url = await createCitusDatabase();
  const sql = openPg({ url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await migrate(sql);
  await distribute(sql, 4);
  return { sql, url };
}
