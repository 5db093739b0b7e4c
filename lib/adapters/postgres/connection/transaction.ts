// Fails without it: drivers.test.ts, "transactions".
import { ROLE_TIMEOUTS, type Role, type Sql, type Statement } from './sql.ts';
import { withTimeout } from './timeout.ts';
import { inlineValues } from './values.ts';

/** The result of one statement. `command` is Postgres' tag, for example `INSERT` or `ROLLBACK`. */
export interface Result {
  rows: unknown[];
  command: string;
}

type Run = (statement: Statement, params: readonly unknown[]) => Promise<Result>;

/** The connection that a transaction has to itself. */
export interface Session {
  run: Run;
  /** The connection is in an unknown state and must not be used again. */
  discard(): void;
  isDistributed: boolean;
}

/**
 * Limits idleness in the same message: an instance that is frozen in the middle must not keep its row locks for longer.
 * `set local` ends with the transaction, so a pooler accepts it.
 */
const BEGIN = "begin; set local idle_in_transaction_session_timeout = '15s'";

/** BEGIN, `work`, COMMIT on one connection; rolls back and rethrows when `work` throws. */
export async function transact<T>(
  { run, discard, isDistributed }: Session,
  work: (bound: Sql) => Promise<T>,
  role: Role,
): Promise<T> {
  const command = async (text: string) => (await run({ text, role }, [])).command;
  const edges = new Edges(run);
  return finish(new BoundSql({ run: edges.run, isDistributed }, role, 0), work, {
    rollBack: () => command('rollback').catch(discard),
    commit: async () => {
      if (!edges.hasBegun) return;
      // After a failed statement that nobody noticed, Postgres answers COMMIT with ROLLBACK and no error.
      if ((await command([...edges.last, 'commit'].join('; '))) !== 'COMMIT') throw new SwallowedFailure();
    },
  });
}

/** BEGIN goes out with the first statement, or right before it; what is to go with COMMIT is put by for it. */
class Edges {
  hasBegun = false;
  readonly last: string[] = [];
  readonly #send: Run;

  constructor(send: Run) {
    this.#send = send;
  }

  readonly run: Run = async (statement, params) => {
    const { sentWith, role = 'request' } = statement;
    const isFirst = !this.hasBegun;
    this.hasBegun = true;
    if (isFirst && sentWith !== 'begin') await this.#send({ text: BEGIN, role }, []);
    if (sentWith === undefined) return this.#send(statement, params);
    const text = inlineValues(statement.text, params);
    if (sentWith === 'begin') return this.#send({ text: isFirst ? `${BEGIN}; ${text}` : text, role }, []);
    this.last.push(text);
    return { rows: [], command: '' };
  };
}

interface Endings {
  rollBack(): Promise<unknown>;
  commit(): Promise<unknown>;
}

async function finish<T>(
  bound: BoundSql,
  work: (bound: Sql) => Promise<T>,
  { rollBack, commit }: Endings,
): Promise<T> {
  let result: T;
  try {
    result = await work(bound);
  } catch (error) {
    await bound.end();
    // The first error counts, not a failed rollback: a dead connection has rolled back by itself.
    await rollBack().catch(() => {});
    throw error;
  }
  await bound.end();
  await commit();
  return result;
}

/** One transaction (or savepoint): statements take turns, and none is accepted after the end. */
class BoundSql implements Sql {
  readonly transactional = true;
  readonly isDistributed: boolean;
  readonly #run: Run;
  readonly #role: Role;
  readonly #depth: number;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  constructor({ run, isDistributed }: Pick<Session, 'run' | 'isDistributed'>, role: Role, depth: number) {
    this.#run = run;
    this.isDistributed = isDistributed;
    this.#role = role;
    this.#depth = depth;
  }

  query<Row>(statement: Statement, params: readonly unknown[] = []): Promise<Row[]> {
    const role = statement.role ?? this.#role;
    return this.#inTurn(role, async () => rowsAs<Row>(await this.#run({ ...statement, role }, params)));
  }

  transaction<T>(work: (bound: Sql) => Promise<T>, role: Role = this.#role): Promise<T> {
    const savepoint = `ctis_${this.#depth}`;
    const command = (text: string) => this.#run({ text, role }, []);
    return this.#inTurn(role, async () => {
      await command(`savepoint ${savepoint}`);
      const { isDistributed } = this;
      return finish(new BoundSql({ run: this.#run, isDistributed }, role, this.#depth + 1), work, {
        rollBack: () => command(`rollback to savepoint ${savepoint}`),
        commit: () => command(`release savepoint ${savepoint}`),
      });
    });
  }

  close(): Promise<void> {
    return Promise.reject(new Error('a transaction is ended by its work, not closed'));
  }

  /** Refuses what still waits, and waits for what still runs. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#lastTurn;
  }

  /** Waiting is bounded because a statement may wait, by mistake, for the transaction that it stands in. */
  #inTurn<T>(role: Role, work: () => Promise<T>): Promise<T> {
    const turn = withTimeout(this.#lastTurn, ROLE_TIMEOUTS[role]).then(() => {
      if (this.#hasEnded) throw new Error('the transaction is over');
      return work();
    });
    this.#lastTurn = Promise.allSettled([this.#lastTurn, turn]);
    return turn;
  }
}

/** The caller of `query` names the row's shape; only the statement's text can make it true. */
export function rowsAs<Row>(result: Result): Row[] {
  return result.rows as Row[];
}

class SwallowedFailure extends Error {
  override name = 'SwallowedFailure';
  readonly code = '25P02';

  constructor() {
    super('the transaction was rolled back: a statement in it failed and the failure was swallowed');
  }
}
