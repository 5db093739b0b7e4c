import type { Sql } from '../db/sql.ts';

/** Whether the account is for tests; null when there is none. */
export async function readIsTest(db: Sql, accountId: string): Promise<boolean | null> {
  const text = 'select test from accounts where id = $1';
  const [account] = await db.query<{ test: boolean }>({ text }, [accountId]);
  return account?.test ?? null;
}
