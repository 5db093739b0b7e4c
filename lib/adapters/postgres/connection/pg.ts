// Fails without it: drivers.test.ts, outages.test.ts, messages.test.ts.
import type { Driver } from './connection.ts';
import { CONNECT_TIMEOUT_MS, IDLE_TIMEOUT_MS, MAX_CONNECTIONS, openPool } from './pool.ts';
import type { Sql } from './sql.ts';

interface PgOptions {
  url: string;
  /** Connections at most. */
  max?: number;
  connectTimeoutMs?: number;
  /** The server is the coordinator of a Citus cluster. */
  isDistributed?: boolean;
}

/**
 * PostgreSQL over TCP by `pg`: a server, or PgBouncer in transaction mode. Nothing that a pooler refuses is sent: no
 * startup parameters, no session settings. TLS as the URL says (`sslmode`).
 */
export function openPg(options: PgOptions): Sql {
  const { isDistributed = false } = options;
  return openPool(() => loadDriver(options), isDistributed);
}

async function loadDriver({
  url,
  max = MAX_CONNECTIONS,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: PgOptions): Promise<Driver> {
  const { default: pg } = await import('pg');

  /** The pool's own `connectionTimeoutMillis` would bound waiting for a free connection too. */
  class Client extends pg.Client {
    constructor(_?: unknown, timeoutMs = connectTimeoutMs) {
      super({ connectionString: url, connectionTimeoutMillis: timeoutMs, keepAlive: true });
    }
  }

  const pool = new pg.Pool({ Client, max, idleTimeoutMillis: IDLE_TIMEOUT_MS, allowExitOnIdle: true });
  return {
    pool,
    places: max,
    newClient: () => new Client(null, connectTimeoutMs / 3),
    getTypeParser: pg.types.getTypeParser,
  };
}
