import { Gate } from './gate.ts';
import { ROLE_TIMEOUTS, type Role, type Sql, type Statement } from './sql.ts';

/** What one statement came back with. `command` is Postgres' tag, for example `INSERT` or `ROLLBACK`. */
export interface Answer {
  rows: unknown[];
  command: string;
}

/** Runs one statement on the connection that belongs to the transaction. */
export type Run = (statement: Statement, params: readonly unknown[]) => Promise<Answer>;

/** The connection a transaction has to itself. */
export interface Session {
  run: Run;
  /** The connection is in an unknown state and must not be used again. */
  discard(): void;
}

/**
 * BEGIN with a bound on idleness that rides along in the same message: an instance that is frozen or cut off in the
 * middle must not hold its row locks for longer. `set local` is gone with the transaction, so a pooler does not mind.
 */
const BEGIN = "begin; set local idle_in_transaction_session_timeout = '15s'";

/** BEGIN, `work`, COMMIT on one connection; on a throw ROLLBACK, and the throw goes on. */
export async function transact<T>(
  session: Session,
  work: (bound: Sql) => Promise<T>,
  role: Role,
): Promise<T> {
  const { run } = session;
  const command = async (text: string) => (await run({ text, role }, [])).command;
  await command(BEGIN);
  return settle(run, work, role, 0, async (failed) => {
    if (failed) await command('rollback').catch(() => session.discard());
    // A statement inside failed and nobody noticed: Postgres answers COMMIT with ROLLBACK, politely.
    else if ((await command('commit')) !== 'COMMIT') throw new SwallowedFailure();
  });
}

/** The same inside a transaction, by a savepoint. */
async function nested<T>(run: Run, work: (bound: Sql) => Promise<T>, role: Role, depth: number): Promise<T> {
  const point = `ctis_${depth}`;
  const command = (text: string) => run({ text, role }, []);
  await command(`savepoint ${point}`);
  return settle(run, work, role, depth, async (failed) => {
    await command(failed ? `rollback to savepoint ${point}` : `release savepoint ${point}`);
  });
}

async function settle<T>(
  run: Run,
  work: (bound: Sql) => Promise<T>,
  role: Role,
  depth: number,
  end: (failed: boolean) => Promise<void>,
): Promise<T> {
  const bound = new Bound(run, role, depth);
  let result: T;
  try {
    result = await work(bound);
  } catch (error) {
    await bound.over();
    // The reason counts, not that undoing failed too: a dead connection has rolled back by itself.
    await end(true).catch(() => {});
    throw error;
  }
  await bound.over();
  await end(false);
  return result;
}

/** One transaction's (or savepoint's) view: statements take turns, and none is taken after the end. */
class Bound implements Sql {
  readonly transactional = true;
  readonly #run: Run;
  readonly #role: Role;
  readonly #depth: number;
  readonly #turn = new Gate(1);
  #running: Promise<unknown> = Promise.resolve();

  constructor(run: Run, role: Role, depth: number) {
    this.#run = run;
    this.#role = role;
    this.#depth = depth;
  }

  query<Row>(statement: Statement, params: readonly unknown[] = []): Promise<Row[]> {
    const role = statement.role ?? this.#role;
    return this.#inTurn(role, async () => rowsAs<Row>(await this.#run({ ...statement, role }, params)));
  }

  transaction<T>(work: (bound: Sql) => Promise<T>, role: Role = this.#role): Promise<T> {
    return this.#inTurn(role, () => nested(this.#run, work, role, this.#depth + 1));
  }

  close(): Promise<void> {
    return Promise.reject(new Error('a transaction is ended by its work, not closed'));
  }

  /** Refuses what still waits, and waits for what still runs. */
  async over(): Promise<void> {
    this.#turn.close(new Error('the transaction is over'));
    await this.#running.catch(() => {});
  }

  async #inTurn<T>(role: Role, work: () => Promise<T>): Promise<T> {
    await this.#turn.enter(ROLE_TIMEOUTS[role]);
    const running = work();
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#turn.leave();
    }
  }
}

/** The caller of `query` names the row's shape; only the statement's text can make it true. */
export function rowsAs<Row>(answer: Answer): Row[] {
  return answer.rows as Row[];
}

class SwallowedFailure extends Error {
  readonly code = '25P02';
  constructor() {
    super('the transaction was rolled back: a statement in it failed and the failure was swallowed');
    this.name = 'SwallowedFailure';
  }
}
