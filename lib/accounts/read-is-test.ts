import type { Sql, Statement } from '../db/sql.ts';

/** Whether the account is for tests; null when there is none. */
export async function readIsTest(db: Sql, accountId: string): Promise<boolean | null> {
  const [account] = await db.query<{ test: boolean }>(IS_TEST, [accountId]);
  return account?.test ?? null;
}

const IS_TEST: Statement = { text: 'select test from accounts where id = $1' };
