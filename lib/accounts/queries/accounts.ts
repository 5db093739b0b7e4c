import type { Sql, Statement } from '../../db/sql.ts';

/** Whether the account is for tests; null when there is none. */
export async function readIsTest(db: Sql, accountId: string): Promise<boolean | null> {
  const [account] = await db.query<{ test: boolean }>(IS_TEST, [accountId]);
  return account?.test ?? null;
}

const IS_TEST: Statement = { text: 'select test from accounts where id = $1' };

/** For the time of a transaction nobody else adds to what the account may have so many of. Nothing when there is none. */
export const lockAccount = (db: Sql, accountId: string) =>
  db.query<{ name: string; test: boolean }>(LOCK, [accountId]);

const LOCK: Statement = { text: 'select name, test from accounts where id = $1 for no key update' };
