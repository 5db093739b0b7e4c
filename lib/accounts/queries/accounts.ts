import type { Sql } from '../../db/sql.ts';

/** For the time of a transaction nobody else adds to what the account may have so many of. Nothing when there is none. */
export const lockAccount = (db: Sql, accountId: string) =>
  db.query<{ name: string; test: boolean }>(
    { text: 'select name, test from accounts where id = $1 for no key update' },
    [accountId],
  );
