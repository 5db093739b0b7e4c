import { cutClient } from './cancel.ts';
import { CONNECT_TIMEOUT } from './deadline.ts';
import { type DriverPool, IDLE_TIMEOUT, openPool, POOL_SIZE } from './pool.ts';
import type { Sql } from './sql.ts';

interface VercelOptions {
  url: string;
  max?: number;
  /**
   * Where the WebSocket proxy for a database that is not Neon's stands, without scheme, for example
   * `localhost:5433/v1`. Plain WebSocket, no TLS inside.
   */
  proxy?: (host: string, port: number | string) => string;
}

/** Neon (and anything behind a WebSocket proxy) by @vercel/postgres. */
export function openVercel(options: VercelOptions): Sql {
  return openPool(() => load(options), options.max);
}

async function load(
  options: VercelOptions,
): Promise<DriverPool<import('@vercel/postgres').VercelPoolClient>> {
  // Never its `sql` template, which sends each statement by HTTP to Neon, nor `createPool`, which refuses other hosts.
  const { VercelClient, VercelPool } = await import('@vercel/postgres');

  class Client extends VercelClient {
    constructor(config: import('@vercel/postgres').VercelPostgresClientConfig) {
      super(config);
      const socket = this.neonConfig;
      // Collecting writes waits for a timer: about 1 ms a statement.
      socket.coalesceWrites = false;
      if (options.proxy) {
        socket.wsProxy = options.proxy;
        socket.useSecureWebSocket = false;
        // Neon alone asks for the password in clear inside TLS, and so lets it be sent ahead.
        socket.pipelineConnect = false;
      }
      this.#boundConnecting();
    }

    /**
     * In place of the driver's connectionTimeoutMillis, which closes the WebSocket politely (30 s against a silent
     * peer), and whose pool then throws outside of any promise, which ends the process.
     */
    #boundConnecting() {
      const timer = setTimeout(() => cutClient(this), CONNECT_TIMEOUT);
      timer.unref();
      this.once('connect', () => clearTimeout(timer));
      this.once('end', () => clearTimeout(timer));
    }
  }

  const settings = { connectionString: options.url };
  const pool = new VercelPool({
    ...settings,
    max: options.max ?? POOL_SIZE,
    idleTimeoutMillis: IDLE_TIMEOUT,
    allowExitOnIdle: true,
  });
  pool.Client = Client;
  // A connection that breaks, idle or checked out, is reported to whoever uses it next; unheard it ends the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    connect: (done) => pool.connect(done),
    get idleCount() {
      return pool.idleCount;
    },
    end: () => pool.end(),
    spare: () => new Client(settings),
  };
}
