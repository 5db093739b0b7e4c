import type { Sql } from '../../../lib/db/sql.ts';

/** This database, but for statements that `answer` has rows for, or throws. */
export const answering = (
  sql: Sql,
  answer: (text: string, params: readonly unknown[]) => unknown[] | null,
): Sql => ({
  ...sql,
  query: async <Row>(statement: Parameters<Sql['query']>[0], params: readonly unknown[] = []) =>
    (answer(statement.text, params) ?? (await sql.query(statement, params))) as Row[],
  transaction: (work, role) => sql.transaction((bound) => work(answering(bound, answer)), role),
});

/** This database as if the instance always died before a commit: the work of a transaction is done and rolled back. */
export const neverCommitting = (sql: Sql): Sql => ({
  ...sql,
  transaction: (work, role) =>
    sql.transaction(async (bound) => {
      await work(bound);
      throw new Error('the instance died before the commit');
    }, role),
});
