import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../outside/system/within.ts';
import { FairQueue } from '../fair-queue.ts';
import { type Sql, type Statement, TIMEOUTS_MS } from '../sql.ts';
import { type Client, type Connection, toConnection } from './connection.ts';
import { currentAccount } from './current-account.ts';
import { DatabaseDown, sqlState, toFault } from './errors.ts';
import { transact } from './transaction.ts';

const DEFAULTS = {
  /** Functions are many, each instance needs few connections. */
  max: 5,
  /** A serverless database may have to wake first. */
  connectionTimeoutMillis: 3_000,
  /** An instance may be frozen at any moment. */
  idleTimeoutMillis: 5_000,
  allowExitOnIdle: true,
};
/** A connection that fails this fast is tried once more, after the same time. */
const RETRY_MS = 500;
/** Longest wait for a connection that others use. */
const MAX_WAIT_MS = 30_000;
/** Longest wait for running statements when the pool is closed. */
const CLOSE_TIMEOUT_MS = 1_000;
/** SQLSTATEs by which PgBouncer before 1.21 shows that it keeps no prepared statements. */
const NAME_LOST: ReadonlySet<string> = new Set(['26000', '42P05']);

/** A connection that breaks is reported to its next user; without a listener it would end the process. */
const ignore = () => {};

type Settings = typeof DEFAULTS & { connectionString: string };

type DatabaseOptions = Partial<typeof DEFAULTS> & { url: string };

/** PostgreSQL over TCP by pg: a server, or PgBouncer in transaction mode. TLS as the URL says (`sslmode`). */
export const openPg = (options: DatabaseOptions): Sql =>
  openPool(options, async (settings) => {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({ ...settings, keepAlive: true });
    return pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  });

/** Neon by @vercel/postgres. Never its `sql` template, which sends each statement by HTTP. */
export const openVercel = (options: DatabaseOptions): Sql =>
  openPool(options, async ({ connectionTimeoutMillis, ...settings }) => {
    const { VercelClient, VercelPool } = await import('@vercel/postgres');
    const pool = new VercelPool(settings);
    // A timeout of the pool ends the process: it writes to the error of a WebSocket, which is read-only.
    pool.Client = class extends VercelClient {
      constructor(config: typeof settings) {
        super({ ...config, connectionTimeoutMillis });
      }
    };
    return pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  });

/** A pool of pg or of @vercel/postgres, which differ in their types only. */
interface Pool {
  connect(): Promise<Client>;
  end(): Promise<void>;
}

/** The pool is loaded with the first statement. */
function openPool({ url, ...options }: DatabaseOptions, load: (settings: Settings) => Promise<Pool>): Sql {
  const settings = { ...DEFAULTS, ...options, connectionString: url };
  // No account alone can take every connection.
  const queue = new FairQueue(settings.max, Math.max(1, settings.max - 1));
  let pool: Promise<Pool> | undefined;
  let keepsNames = true;
  let answeredAt = Number.NEGATIVE_INFINITY;

  async function connect(): Promise<Client> {
    pool ??= load(settings);
    const ready = await pool;
    const startedAt = performance.now();
    return ready.connect().catch(async (error) => {
      if (performance.now() - startedAt > RETRY_MS) throw error;
      await sleep(RETRY_MS);
      return ready.connect();
    });
  }

  async function onConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const account = currentAccount();
    if (!queue.tryEnter(account) && !(await queue.enter(account, AbortSignal.timeout(MAX_WAIT_MS))))
      throw new DatabaseDown(new Error('no connection was free'));
    const startedAt = performance.now();
    try {
      const client = await connect().catch((error) => {
        throw toFault(error);
      });
      const connection = toConnection(client, () => {
        answeredAt = performance.now();
      });
      return await work(connection).finally(connection.release);
    } catch (error) {
      // The server has answered nobody since this caller got its place, so the others would wait in vain.
      if (error instanceof DatabaseDown && answeredAt < startedAt) queue.refuseAll();
      throw error;
    } finally {
      queue.leave(account);
    }
  }

  const sql: Sql = {
    transactional: false,
    async query<Row>(statement: Statement, params: readonly unknown[] = []) {
      const { name, timeout = 'request', ...nameless } = statement;
      const isNamed = name !== undefined && keepsNames;
      try {
        const run = (connection: Connection) =>
          connection.run(isNamed ? statement : nameless, params, TIMEOUTS_MS[timeout]);
        return (await onConnection(run)).rows as Row[];
      } catch (error) {
        if (!isNamed || !NAME_LOST.has(sqlState(error))) throw error;
        keepsNames = false;
        return sql.query<Row>(statement, params);
      }
    },
    transaction: (work, timeout = 'request') =>
      onConnection((connection) => transact(connection, work, timeout)),
    async close() {
      const loaded = await pool;
      if (loaded) await within(CLOSE_TIMEOUT_MS, () => loaded.end()).catch(ignore);
    },
  };
  return sql;
}
