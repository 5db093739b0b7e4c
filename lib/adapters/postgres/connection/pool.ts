import { arrayModeParserOf, type Parse, parserOf, toWire } from '../listings/values.ts';
import { cancelStatement, cutClient } from './cancel.ts';
import { Deadline } from './deadline.ts';
import { asCallersSee, connectionSurvives, StatementTimeout } from './failure.ts';
import { Gate } from './gate.ts';
import { DatabaseDown, ROLE_TIMEOUTS, type Role, type Sql, type Statement } from './sql.ts';
import { StatementNames } from './statement-names.ts';
import { type Answer, rowsAs, transact } from './transaction.ts';
import { ServerGone, type Spare, whileAlive } from './vigil.ts';

/** Connections a pool holds at most, unless told otherwise: functions are many, each instance needs few. */
export const POOL_SIZE = 5;
/** Idle connections are given back after this, ms: an instance may be frozen at any moment. */
export const IDLE_TIMEOUT = 5_000;
/** Longest `close` waits for statements under way, ms. */
const CLOSE_PATIENCE = 2_000;

/** One statement as node-postgres takes it. */
export interface DriverQuery {
  text: string;
  values: (string | null)[];
  name: string | undefined;
  rowMode: 'array' | undefined;
  types: { getTypeParser(oid: number): Parse };
}

/**
 * A checked-out connection; pg's and Neon's `PoolClient`. Asked by callback: what pg's own promise answered stays in
 * memory until the next major garbage collection, which costs a busy process a tenth of its throughput.
 */
export interface DriverClient {
  query(query: DriverQuery, done: (error: unknown, answer: Answer | Answer[]) => void): void;
  release(destroy?: boolean): void;
}

/** pg's and Neon's `Pool`, reduced to what is used here. */
export interface DriverPool<Client extends DriverClient> {
  connect(done: (error: unknown, client: Client | undefined) => void): void;
  /** Connections that stand and are not in use. */
  readonly idleCount: number;
  end(): Promise<void>;
  /** An unconnected client of the same settings. */
  spare(): Spare;
}

const AS_OBJECTS = { getTypeParser: parserOf };
const AS_ARRAYS = { getTypeParser: arrayModeParserOf };

/** `Sql` over a pool of the node-postgres kind, which is loaded with the first statement. */
export function openPool<Client extends DriverClient>(
  load: () => Promise<DriverPool<Client>>,
  max: number = POOL_SIZE,
): Sql {
  return new PoolSql(load, max);
}

class PoolSql<Client extends DriverClient> implements Sql {
  readonly transactional = false;
  readonly #load: () => Promise<DriverPool<Client>>;
  readonly #gate: Gate;
  readonly #names = new StatementNames();
  readonly #inUse = new Set<Client>();
  /** When a connection was given back, by the wall clock. */
  readonly #idleSince = new WeakMap<Client, number>();
  #pool: Promise<DriverPool<Client>> | null = null;
  /** When the server was last found silent, by the clock of the process: who queued behind that need not find out too. */
  #silentAt = Number.NEGATIVE_INFINITY;

  constructor(load: () => Promise<DriverPool<Client>>, max: number) {
    this.#load = load;
    this.#gate = new Gate(max);
  }

  async query<Row>(statement: Statement, params: readonly unknown[] = []): Promise<Row[]> {
    const values = params.map(toWire);
    const deadline = new Deadline(statement.role);
    const lease = await this.#take(deadline);
    try {
      const name = this.#names.of(statement);
      try {
        return rowsAs<Row>(await lease.run(statement, values, deadline, name));
      } catch (error) {
        const blame = name === undefined ? null : this.#names.blame(error);
        if (blame === null) throw error;
        if (blame === 'stale') lease.discard();
        return rowsAs<Row>(await lease.run(statement, values, deadline));
      }
    } finally {
      lease.end();
    }
  }

  async transaction<T>(work: (bound: Sql) => Promise<T>, role: Role = 'request'): Promise<T> {
    const lease = await this.#take(new Deadline(role));
    try {
      const session = {
        run: async (statement: Statement, params: readonly unknown[]) =>
          lease.run(statement, params.map(toWire), new Deadline(statement.role)),
        discard: () => lease.discard(),
      };
      return await transact(session, work, role);
    } finally {
      lease.end();
    }
  }

  async close(): Promise<void> {
    this.#gate.close(new DatabaseDown(new Error('the connection to the database is closed')));
    const pool = await this.#pool?.catch(() => null);
    if (!pool) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_PATIENCE);
    });
    await Promise.race([pool.end().catch(() => {}), patience]);
    clearTimeout(timer);
    for (const client of this.#inUse) cutClient(client);
  }

  /** A connection of one's own, fresh or warm. @throws DatabaseDown when there is none within the deadline. */
  async #take(deadline: Deadline): Promise<Lease<Client>> {
    const queuedAt = performance.now();
    await this.#gate.enter(deadline.left());
    if (this.#silentAt > queuedAt) {
      this.#gate.leave();
      throw new DatabaseDown(new Error('the server fell silent meanwhile'));
    }
    let pool: DriverPool<Client>;
    try {
      this.#pool ??= this.#load();
      pool = await this.#pool;
    } catch (error) {
      this.#pool = null;
      this.#gate.leave();
      throw error;
    }
    const client = (await this.#idle(pool)) ?? (await this.#connect(pool, deadline));
    this.#inUse.add(client);
    const onSilence = () => {
      this.#silentAt = performance.now();
    };
    return new Lease(client, pool, onSilence, (destroy) => {
      this.#inUse.delete(client);
      this.#idleSince.set(client, Date.now());
      client.release(destroy);
      this.#gate.leave();
    });
  }

  /** A connection that stands, without a clock: it is there at once. */
  async #idle(pool: DriverPool<Client>): Promise<Client | null> {
    if (pool.idleCount === 0) return null;
    try {
      const client = await connection(pool);
      if (this.#isFresh(client)) return client;
      cutClient(client);
      client.release(true);
      return null;
    } catch (error) {
      this.#gate.leave();
      throw asCallersSee(error);
    }
  }

  /** Leaves the gate when it fails; late arrivals go back to the pool. */
  async #connect(pool: DriverPool<Client>, deadline: Deadline): Promise<Client> {
    const connecting = this.#fresh(pool);
    try {
      return await within(connecting, deadline.connect());
    } catch (error) {
      if (error instanceof StatementTimeout) this.#silentAt = performance.now();
      connecting
        .then((late) => late.release())
        .catch(() => {})
        .finally(() => this.#gate.leave());
      throw asCallersSee(error);
    }
  }

  async #fresh(pool: DriverPool<Client>): Promise<Client> {
    for (;;) {
      const client = await connection(pool);
      if (this.#isFresh(client)) return client;
      cutClient(client);
      client.release(true);
    }
  }

  /**
   * A connection that has idled longer than the pool would have kept it belongs to an instance that was frozen
   * meanwhile: most likely it is dead without knowing, so it is not tried.
   */
  #isFresh(client: Client): boolean {
    const since = this.#idleSince.get(client);
    return since === undefined || Date.now() - since < IDLE_TIMEOUT + 1_000;
  }
}

function connection<Client extends DriverClient>(pool: DriverPool<Client>): Promise<Client> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => (client ? resolve(client) : reject(error)));
  });
}

/** A checked-out connection and what has become of it. */
class Lease<Client extends DriverClient> {
  readonly #client: Client;
  readonly #pool: DriverPool<Client>;
  readonly #onSilence: () => void;
  readonly #release: (destroy: boolean) => void;
  #state: 'sound' | 'broken' | 'overrun' = 'sound';

  constructor(
    client: Client,
    pool: DriverPool<Client>,
    onSilence: () => void,
    release: (destroy: boolean) => void,
  ) {
    this.#client = client;
    this.#pool = pool;
    this.#onSilence = onSilence;
    this.#release = release;
  }

  async run(
    statement: Statement,
    values: (string | null)[],
    deadline: Deadline,
    name?: string,
  ): Promise<Answer> {
    if (this.#state === 'overrun') throw new DatabaseDown(new Error('an earlier statement was given up'));
    const query = new Asked(statement, name, values);
    try {
      const left = deadline.left();
      const asked = this.#ask(query);
      const long = left > ROLE_TIMEOUTS.request;
      return lastOf(await within(long ? whileAlive(asked, () => this.#pool.spare()) : asked, left));
    } catch (error) {
      if (error instanceof ServerGone) this.#onSilence();
      if (error instanceof StatementTimeout) this.#state = 'overrun';
      else if (!connectionSurvives(error)) this.discard();
      throw asCallersSee(error);
    }
  }

  #ask(query: DriverQuery): Promise<Answer | Answer[]> {
    return new Promise((resolve, reject) => {
      this.#client.query(query, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
  }

  discard(): void {
    if (this.#state === 'sound') this.#state = 'broken';
  }

  /** Gives the connection back, or does away with it. */
  end(): void {
    if (this.#state === 'sound') this.#release(false);
    else if (this.#state === 'broken') this.#destroy();
    else void cancelStatement(this.#client, this.#pool.spare()).finally(() => this.#destroy());
  }

  #destroy(): void {
    cutClient(this.#client);
    this.#release(true);
  }
}

/** One use of a statement. pg copies a query's own properties one by one, which costs, but not what its class has. */
class Asked implements DriverQuery {
  readonly statement: Statement;
  readonly name: string | undefined;
  readonly values: (string | null)[];

  constructor(statement: Statement, name: string | undefined, values: (string | null)[]) {
    this.statement = statement;
    this.name = name;
    this.values = values;
  }

  get text(): string {
    return this.statement.text;
  }

  get types(): DriverQuery['types'] {
    return this.statement.arrays ? AS_ARRAYS : AS_OBJECTS;
  }

  get rowMode(): 'array' | undefined {
    return this.statement.arrays ? 'array' : undefined;
  }
}

/** A message of several commands is answered once for each; the last speaks for all. */
function lastOf(answer: Answer | Answer[]): Answer {
  if (!Array.isArray(answer)) return answer;
  return answer.at(-1) ?? { rows: [], command: '' };
}

function within<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StatementTimeout(ms)), ms);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
