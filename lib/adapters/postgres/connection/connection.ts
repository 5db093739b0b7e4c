// Fails without it: outages.test.ts, "silence under an ingest statement", "a statement that overruns its budget".
import { connectionSurvives, isServerError, toDatabaseError } from './errors.ts';
import { DatabaseDown, ROLE_TIMEOUTS, type Statement } from './sql.ts';
import { withTimeout } from './timeout.ts';
import type { Result } from './transaction.ts';
import { columnTypes, type Parse } from './values.ts';

/** One use of a statement, as node-postgres takes it. */
export interface PreparedQuery {
  text: string;
  values: (string | null)[];
  name: string | undefined;
  rowMode: 'array' | undefined;
  types: { getTypeParser(oid: number): Parse };
}

/** A client of pg or Neon. Called back, because pg's promises stay in memory until the next major garbage collection. */
export interface DriverClient {
  query(query: PreparedQuery, done: (error: unknown, result: Result | Result[]) => void): void;
  on(event: 'error', listener: () => void): unknown;
}

export interface PooledClient extends DriverClient {
  release(destroy?: boolean): void;
}

interface SpareClient extends DriverClient {
  connect(): Promise<unknown>;
  end(): Promise<void>;
}

/** Pools of the node-postgres kind; pg's and Neon's differ in their types only. */
export interface Driver {
  pool: {
    connect(done: (error: unknown, client: PooledClient | undefined) => void): void;
    on(event: 'error', listener: () => void): unknown;
    on(event: 'connect', listener: (client: DriverClient) => void): unknown;
    end(): Promise<void>;
  };
  /** Connections of the pool at most; who gets one is decided before it is asked. */
  places: number;
  getTypeParser(oid: number): Parse;
  /** A client outside of the pool, which waits a third as long. */
  newClient(): SpareClient;
}

const PROBE_INTERVAL_MS = 1_000;

/**
 * Cancels what an abandoned statement still does: whatever has the same text and overran the same timeout. Plain SQL,
 * because the protocol's own CancelRequest needs numbers that the drivers do not publish, and a proxy may drop it.
 */
const CANCEL = `select pg_cancel_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and state = 'active'
    and clock_timestamp() - query_start >= make_interval(secs => $2::float8 / 1000) and starts_with($1, query)
    and octet_length(query) >= least(octet_length($1), pg_size_bytes(current_setting('track_activity_query_size')) - 4)`;

/** The database server as all connections of a pool see it. */
export class Server {
  readonly driver: Driver;
  readonly #columns: Record<'arrays' | 'objects', PreparedQuery['types']>;
  readonly #waiting = new Set<(reason: DatabaseDown) => void>();
  #probe: Promise<void> | null = null;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Nothing was answered since a connection failed: the next one is not waited for as one that may wake the server. */
  isAway = false;

  constructor(driver: Driver) {
    this.driver = driver;
    this.#columns = {
      arrays: columnTypes(driver.getTypeParser, true),
      objects: columnTypes(driver.getTypeParser, false),
    };
    // A connection that breaks is reported to its next user; without listeners it would end the process.
    driver.pool.on('error', () => {});
    driver.pool.on('connect', (client) => client.on('error', () => {}));
  }

  toQuery({ text, arrays }: Statement, values: (string | null)[], name?: string): PreparedQuery {
    if (arrays) return { text, values, name, rowMode: 'array', types: this.#columns.arrays };
    return { text, values, name, rowMode: undefined, types: this.#columns.objects };
  }

  /**
   * `work`, or `DatabaseDown` after `timeoutMs`. Ingest and jobs may wait long for a row lock, so that their silence
   * alone proves nothing: meanwhile new connections probe whether the server still answers.
   */
  whileReachable<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    const bounded = withTimeout(work, timeoutMs);
    if (timeoutMs <= ROLE_TIMEOUTS.request) return bounded;
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      const timer = setInterval(() => this.#probeServer(), PROBE_INTERVAL_MS);
      bounded.then(resolve, reject).finally(() => {
        clearInterval(timer);
        this.#waiting.delete(reject);
      });
    });
  }

  recordAnswer(): void {
    this.#answeredAt = performance.now();
    this.isAway = false;
  }

  hasAnsweredSince(time: number): boolean {
    return this.#answeredAt > time;
  }

  /** Fails everything that waits with a long timeout. */
  giveUp(reason: unknown): void {
    for (const reject of this.#waiting) reject(new DatabaseDown(reason));
  }

  #probeServer(): void {
    // A busy server may be late once.
    this.#probe ??= this.#connectOnce()
      .catch(() => this.#connectOnce())
      .catch((error) => this.giveUp(error))
      .finally(() => {
        this.#probe = null;
      });
  }

  async #connectOnce(): Promise<void> {
    await this.#withSpare(async () => {}).catch((error) => {
      // A refusal, say of one connection too many, comes from a server that is alive.
      if (!isServerError(error)) throw error;
    });
    this.recordAnswer();
  }

  /** Best effort: without it an abandoned statement would go on, with its locks, while callers retry. */
  async cancel(statement: Statement, overrunMs: number): Promise<void> {
    const query = this.toQuery({ text: CANCEL }, [statement.text, String(overrunMs)]);
    await this.#withSpare((spare) => send(spare, query)).catch(() => {});
  }

  async #withSpare(use: (spare: SpareClient) => Promise<unknown>): Promise<void> {
    const spare = this.driver.newClient();
    spare.on('error', () => {});
    try {
      await spare.connect();
      await withTimeout(use(spare), ROLE_TIMEOUTS.request);
    } finally {
      spare.end().catch(() => {});
    }
  }
}

/** A checked-out connection. */
export class Connection {
  readonly #client: PooledClient;
  readonly #server: Server;
  readonly #onReturn: () => void;
  #state: 'healthy' | 'broken' | 'timed out' = 'healthy';

  constructor(client: PooledClient, server: Server, onReturn: () => void) {
    this.#client = client;
    this.#server = server;
    this.#onReturn = onReturn;
  }

  async run(
    statement: Statement,
    values: (string | null)[],
    timeoutMs: number,
    name?: string,
  ): Promise<Result> {
    if (this.#state === 'timed out') throw new DatabaseDown(new Error('an earlier statement timed out'));
    try {
      const query = this.#server.toQuery(statement, values, name);
      const result = await this.#server.whileReachable(send(this.#client, query), timeoutMs);
      this.#server.recordAnswer();
      return result;
    } catch (error) {
      if (error instanceof DatabaseDown) this.#abandon(statement, timeoutMs);
      else if (!connectionSurvives(error)) this.discard();
      throw toDatabaseError(error);
    }
  }

  /** Nothing that overran less than its role's timeout is cancelled: it may be another's statement of the same text. */
  #abandon(statement: Statement, timeoutMs: number): void {
    this.#state = 'timed out';
    const roleTimeoutMs = ROLE_TIMEOUTS[statement.role ?? 'request'];
    const timer = setTimeout(
      () => this.#server.cancel(statement, roleTimeoutMs),
      Math.max(roleTimeoutMs - timeoutMs, 0),
    );
    timer.unref();
  }

  /** The connection is in an unknown state and must not be used again. */
  discard(): void {
    if (this.#state === 'healthy') this.#state = 'broken';
  }

  /** Returns the connection to the pool, or destroys it. */
  release(): void {
    this.#client.release(this.#state !== 'healthy');
    this.#onReturn();
  }
}

/** A message of several commands is answered once for each; the last one counts. */
function send(client: DriverClient, query: PreparedQuery): Promise<Result> {
  return new Promise((resolve, reject) => {
    client.query(query, (error, result) => {
      if (error) reject(error);
      else resolve((Array.isArray(result) ? result.at(-1) : result) ?? { rows: [], command: '' });
    });
  });
}
