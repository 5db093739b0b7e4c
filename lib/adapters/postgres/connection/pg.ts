import { CONNECT_TIMEOUT } from './deadline.ts';
import { type DriverPool, IDLE_TIMEOUT, openPool, POOL_SIZE } from './pool.ts';
import type { Sql } from './sql.ts';

/**
 * PostgreSQL over TCP by `pg`: a server, or PgBouncer in transaction mode. Nothing that a pooler refuses is sent: no
 * startup parameters, no session settings. TLS as the URL says (`sslmode`).
 */
export function openPg(options: { url: string; max?: number }): Sql {
  return openPool(() => load(options), options.max);
}

async function load(options: { url: string; max?: number }): Promise<DriverPool<import('pg').PoolClient>> {
  const { default: pg } = await import('pg');
  const settings = { connectionString: options.url, connectionTimeoutMillis: CONNECT_TIMEOUT };
  const pool = new pg.Pool({
    ...settings,
    max: options.max ?? POOL_SIZE,
    idleTimeoutMillis: IDLE_TIMEOUT,
    allowExitOnIdle: true,
    keepAlive: true,
  });
  // A connection that breaks, idle or checked out, is reported to whoever uses it next; unheard it ends the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    connect: (done) => pool.connect(done),
    get idleCount() {
      return pool.idleCount;
    },
    end: () => pool.end(),
    spare: () => new pg.Client(settings),
  };
}
