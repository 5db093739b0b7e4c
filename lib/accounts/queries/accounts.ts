import type { Sql, Statement } from '../../db/sql.ts';

/** Whether the account is for tests; null when there is none. */
export const readIsTest = (db: Sql, accountId: string) => readTest(db, IS_TEST, accountId);

const IS_TEST: Statement = { text: 'select test from accounts where id = $1' };

/** The same, and for the time of a transaction nobody else adds to what the account may have so many of. */
export const lockAccount = (db: Sql, accountId: string) => readTest(db, LOCK, accountId);

const LOCK: Statement = { text: 'select test from accounts where id = $1 for no key update' };

async function readTest(db: Sql, statement: Statement, accountId: string): Promise<boolean | null> {
  const [row] = await db.query<{ test: boolean }>(statement, [accountId]);
  return row?.test ?? null;
}
