import { inject } from 'vitest';
import { openPg, openVercel } from '../../../lib/adapters/postgres/connection/pool.ts';
import type { Sql } from '../../../lib/adapters/postgres/connection/sql.ts';
import { distribute } from '../../../lib/adapters/postgres/migrations/distribute.ts';
import { migrate } from '../../../lib/adapters/postgres/migrations/migrate.ts';
import { createCitusDatabase } from '../citus/citus.ts';
import { partition } from '../postgres/partitions.ts';
import { startPgBouncer } from '../postgres/pgbouncer.ts';
import { usePostgres } from '../postgres/postgres.ts';
import { newDatabase } from '../postgres/suite-database.ts';
import { startWebSocketProxy } from '../postgres/websocket-proxy.ts';

/** The stores that every service suite runs on; a project of vitest.config.ts chooses one. */
const STORES = ['postgres', 'partitions', 'pgbouncer', 'vercel', 'citus'] as const;
export type StoreName = (typeof STORES)[number];

declare module 'vitest' {
  interface ProvidedContext {
    /** Default: `postgres`. */
    store: StoreName | undefined;
  }
}

export interface TestStore {
  name: StoreName;
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
  current ??= open(inject('store') ?? 'postgres').catch((error: unknown) => {
    // The next file may have better luck.
    current = undefined;
    throw error;
  });
  return current;
}

/** The machine of a test run is busier than any server's: suites about outages choose their own. */
const CONNECT_TIMEOUT_MS = 15_000;

async function open(name: StoreName): Promise<TestStore> {
  if (name === 'citus') return openCitus();
  const url = await newDatabase();
  const direct = openPg({ url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  if (name === 'partitions') await partition(direct);
  if (name === 'postgres' || name === 'partitions') return { name, sql: direct, url };
  await direct.close();
  const server = await usePostgres();
  // Neon's pools are larger than an instance's; the other store has fewer connections than its clients ask for.
  const bouncer = await startPgBouncer(server.url, name === 'vercel' ? 20 : 4);
  if (name === 'pgbouncer')
    return {
      name,
      sql: openPg({ url: bouncer.through(url), connectionTimeoutMillis: CONNECT_TIMEOUT_MS }),
      url,
    };
  // Neon's pooled hosts are PgBouncer behind a WebSocket too.
  await startWebSocketProxy(bouncer.through(server.url));
  return { name, sql: openVercel({ url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS }), url };
}

async function openCitus(): Promise<TestStore> {
  const url = await createCitusDatabase();
  const sql = openPg({ url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, isDistributed: true });
  await migrate(sql);
  await distribute(sql, 4);
  return { name: 'citus', sql, url };
}
