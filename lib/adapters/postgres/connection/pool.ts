// Fails without it: pool.test.ts, outages.test.ts, and pg.test.ts, "a connection that a frozen instance kept".
import { Turns } from '../../../domain/fair-use/turns.ts';
import { Connection, type Driver, type PooledClient, Server } from './connection.ts';
import { currentAccount } from './current-account.ts';
import { isServerError, toDatabaseError } from './errors.ts';
import { DatabaseDown, ROLE_TIMEOUTS, type Role, type Sql, type Statement } from './sql.ts';
import { StatementNames } from './statement-names.ts';
import { MAX_LATENESS_MS, withTimeout } from './timeout.ts';
import { rowsAs, transact } from './transaction.ts';
import { toWire } from './values.ts';

/** Connections of a pool by default: functions are many, each instance needs few. */
export const MAX_CONNECTIONS = 5;
/** Idle connections are closed after this: an instance may be frozen at any moment. */
export const IDLE_TIMEOUT_MS = 5_000;
/** A connection that is not there by then will not come: a serverless database may have to wake first. */
export const CONNECT_TIMEOUT_MS = 3_000;
/** Callers whose turn has not come give up at the first role's timeout that ends after this. */
const MAX_WAIT_MS = 30_000;
/** Who goes first when all connections are in use. */
const RANKS: Readonly<Record<Role, number>> = { request: 0, ingest: 1, job: 2, migration: 3 };
/** Least time for a statement after waiting for a connection used the budget up. */
const MIN_STATEMENT_MS = 750;
/** Longest `close` waits for running statements. */
const CLOSE_TIMEOUT_MS = 1_000;

/** `Sql` over a pool of the node-postgres kind, which is loaded with the first statement. */
export function openPool(load: () => Promise<Driver>, isDistributed = false): Sql {
  return new PoolSql(load, isDistributed);
}

class PoolSql implements Sql {
  readonly transactional = false;
  readonly isDistributed: boolean;
  readonly #load: () => Promise<Driver>;
  readonly #names = new StatementNames();
  /** When each connection was returned to the pool, by the wall clock. */
  readonly #returnedAt = new WeakMap<PooledClient, number>();
  #server: Promise<Server> | null = null;
  #turns: Turns | null = null;
  #isClosed = false;

  constructor(load: () => Promise<Driver>, isDistributed: boolean) {
    this.#load = load;
    this.isDistributed = isDistributed;
  }

  async query<Row>(statement: Statement, params: readonly unknown[] = []): Promise<Row[]> {
    const values = params.map(toWire);
    const role = statement.role ?? 'request';
    const server = await this.#connectedServer();
    let startedAt = performance.now();
    const remainingMs = () =>
      Math.max(ROLE_TIMEOUTS[role] - (performance.now() - startedAt), MIN_STATEMENT_MS);
    const connection = await this.#acquire(server, role);
    // A server that answered others meanwhile was busy: waiting for it costs nothing of the budget.
    if (server.hasAnsweredSince(startedAt)) startedAt = performance.now();
    try {
      const name = this.#names.for(statement);
      try {
        return rowsAs<Row>(await connection.run(statement, values, remainingMs(), name));
      } catch (error) {
        const fault = name === undefined ? null : this.#names.findFault(error);
        if (fault === null) throw error;
        if (fault === 'stale') connection.discard();
        return rowsAs<Row>(await connection.run(statement, values, remainingMs()));
      }
    } finally {
      connection.release();
    }
  }

  async transaction<T>(work: (bound: Sql) => Promise<T>, role: Role = 'request'): Promise<T> {
    const server = await this.#connectedServer();
    const connection = await this.#acquire(server, role);
    try {
      const session = {
        run: async (statement: Statement, params: readonly unknown[]) =>
          connection.run(statement, params.map(toWire), ROLE_TIMEOUTS[statement.role ?? 'request']),
        discard: () => connection.discard(),
        isDistributed: this.isDistributed,
      };
      return await transact(session, work, role);
    } finally {
      connection.release();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const server = await this.#server?.catch(() => null);
    if (!server) return;
    await withTimeout(server.driver.pool.end(), CLOSE_TIMEOUT_MS).catch(() => {});
    server.giveUp(new Error('the connection to the database is closed'));
  }

  async #connectedServer(): Promise<Server> {
    if (this.#isClosed) throw new DatabaseDown(new Error('the connection to the database is closed'));
    this.#server ??= this.#load().then((driver) => new Server(driver));
    try {
      return await this.#server;
    } catch (error) {
      this.#server = null;
      throw error;
    }
  }

  /** An exclusive connection. @throws DatabaseDown if there is none within the role's timeout, or the longest wait. */
  async #acquire(server: Server, role: Role): Promise<Connection> {
    const account = currentAccount();
    const connecting = this.#checkOut(server, role, account);
    try {
      const client = await this.#awaitTurn(server, connecting, role);
      return new Connection(client, server, () => {
        this.#returnedAt.set(client, Date.now());
        this.#turnsOn(server).end(account);
      });
    } catch (error) {
      connecting.then(
        (late) => {
          late.release();
          this.#turnsOn(server).end(account);
        },
        () => {},
      );
      throw toDatabaseError(error);
    }
  }

  /** One account leaves a connection to others, so that they need not wait for its statements to end. */
  #turnsOn({ driver: { places } }: Server): Turns {
    this.#turns ??= new Turns(places, Math.max(1, places - 1));
    return this.#turns;
  }

  /** A server that answers others meanwhile is busy, not away. */
  async #awaitTurn(server: Server, connecting: Promise<PooledClient>, role: Role): Promise<PooledClient> {
    const latest = performance.now() + MAX_WAIT_MS;
    const timeoutMs = ROLE_TIMEOUTS[role];
    for (;;)
      try {
        return await server.whileReachable(
          connecting,
          server.isAway ? timeoutMs : Math.max(timeoutMs, CONNECT_TIMEOUT_MS),
        );
      } catch (error) {
        const isBusy =
          error instanceof DatabaseDown && server.hasAnsweredSince(performance.now() - ROLE_TIMEOUTS.request);
        if (isBusy && performance.now() <= latest) continue;
        server.isAway = true;
        throw error;
      }
  }

  /** Skips connections that outlived the idle timeout: their instance was frozen, and they are most likely dead. */
  async #checkOut(server: Server, role: Role, account: string | null): Promise<PooledClient> {
    const turns = this.#turnsOn(server);
    await turns.begin({ account, rank: RANKS[role] });
    try {
      for (;;) {
        const client = await connect(server.driver);
        const returnedAt = this.#returnedAt.get(client) ?? Number.POSITIVE_INFINITY;
        if (Date.now() - returnedAt < IDLE_TIMEOUT_MS + 1_000) return client;
        client.release(true);
      }
    } catch (error) {
      turns.end(account);
      throw error;
    }
  }
}

/** Once more when the event loop was blocked: the driver's timer fires before what the server answered is read. */
async function connect(driver: Driver): Promise<PooledClient> {
  const startedAt = performance.now();
  try {
    return await connectOnce(driver);
  } catch (error) {
    const wasBlocked = performance.now() - startedAt > CONNECT_TIMEOUT_MS + MAX_LATENESS_MS;
    if (!wasBlocked || isServerError(error)) throw error;
    return connectOnce(driver);
  }
}

function connectOnce({ pool }: Driver): Promise<PooledClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => (client ? resolve(client) : reject(error)));
  });
}
