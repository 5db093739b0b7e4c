import { type Sql, type Statement, TIMEOUTS_MS, type Timeout } from '../sql.ts';
import type { Connection } from './connection.ts';

/** The server ends a statement that takes too long; only when it is silent the connection is given up. */
const SILENCE_MS = 500;

/** `set local` ends with the transaction, so that a pooler accepts it. */
const begin = (timeout: Timeout) =>
  `begin; set local statement_timeout = ${TIMEOUTS_MS[timeout]}; set local idle_in_transaction_session_timeout = '15s'`;

/** Runs `work` in a transaction on this connection: its statements one after the other, and none after the end. */
export async function transact<T>(
  connection: Connection,
  work: (bound: Sql) => Promise<T>,
  timeout: Timeout,
): Promise<T> {
  const timeoutMs = TIMEOUTS_MS[timeout] + SILENCE_MS;
  const command = async (text: string, ms = timeoutMs) => (await connection.run({ text }, [], ms)).command;
  let last: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  let savepoints = 0;

  const bound: Sql = {
    transactional: true,
    async query<Row>({ text, rowMode }: Statement, params: readonly unknown[] = []) {
      const answer = last.then(() => {
        if (hasEnded) throw new Error('the transaction is over');
        return connection.run({ text, rowMode }, params, timeoutMs);
      });
      last = answer.catch(() => {});
      return (await answer).rows as Row[];
    },
    async transaction(inner) {
      const name = `savepoint_${savepoints++}`;
      await bound.query({ text: `savepoint ${name}` });
      try {
        const result = await inner(bound);
        await bound.query({ text: `release savepoint ${name}` });
        return result;
      } catch (error) {
        await bound.query({ text: `rollback to savepoint ${name}` }).catch(() => {});
        throw error;
      }
    },
    close: () => Promise.reject(new Error('a transaction is ended by its work, not closed')),
  };

  const end = async () => {
    hasEnded = true;
    await last;
  };

  let result: T;
  try {
    await command(begin(timeout), TIMEOUTS_MS.request);
    result = await work(bound).finally(end);
  } catch (error) {
    // The first error counts, not a failed rollback: a dead connection has rolled back by itself.
    await command('rollback').catch(() => {});
    throw error;
  }
  // After a failed statement whose error was ignored, PostgreSQL answers COMMIT with ROLLBACK and no error.
  if ((await command('commit')) !== 'COMMIT')
    throw new Error('the transaction was rolled back: the failure of a statement in it was swallowed');
  return result;
}
