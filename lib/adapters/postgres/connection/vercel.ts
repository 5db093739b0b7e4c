// Fails without it: drivers.test.ts and outages.test.ts, "@vercel/postgres through a WebSocket".
import type { Driver } from './connection.ts';
import { CONNECT_TIMEOUT_MS, IDLE_TIMEOUT_MS, MAX_CONNECTIONS, openPool } from './pool.ts';
import type { Sql } from './sql.ts';

interface VercelOptions {
  url: string;
  max?: number;
  connectTimeoutMs?: number;
  /** Address of a plain WebSocket proxy for a database that is not Neon's, e.g. `localhost:5433/v1`. */
  proxy?: (host: string, port: number | string) => string;
}

/** Neon (and anything behind a WebSocket proxy) by @vercel/postgres. */
export function openVercel(options: VercelOptions): Sql {
  return openPool(() => loadDriver(options));
}

async function loadDriver({
  url,
  max = MAX_CONNECTIONS,
  proxy,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: VercelOptions): Promise<Driver> {
  // Never its `sql` template, which sends each statement by HTTP to Neon, nor `createPool`, which refuses other hosts.
  const { VercelClient, VercelPool, types } = await import('@vercel/postgres');
  const { WebSocket } = await import('ws');

  /** By default a silent peer is waited for without end when opening, and for 30 s when closing. */
  class BoundedWebSocket extends WebSocket {
    constructor(address: string) {
      super(address, undefined, { handshakeTimeout: connectTimeoutMs });
    }

    override close(code?: number, reason?: string): void {
      super.close(code, reason);
      setTimeout(() => this.terminate(), 100).unref();
    }
  }

  class Client extends VercelClient {
    constructor(_?: unknown, timeoutMs = connectTimeoutMs) {
      super({ connectionString: url, connectionTimeoutMillis: timeoutMs });
      this.neonConfig.webSocketConstructor = BoundedWebSocket;
      // Collecting writes waits for a timer: about 1 ms a statement.
      this.neonConfig.coalesceWrites = false;
      if (proxy) {
        this.neonConfig.wsProxy = proxy;
        this.neonConfig.useSecureWebSocket = false;
        // Only Neon asks for the password in clear text inside TLS, so that it can be sent ahead.
        this.neonConfig.pipelineConnect = false;
      }
    }
  }

  const pool = new VercelPool({
    connectionString: url,
    max,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    allowExitOnIdle: true,
  });
  pool.Client = Client;
  return {
    pool,
    places: max,
    newClient: () => new Client(null, connectTimeoutMs / 3),
    getTypeParser: types.getTypeParser,
  };
}
