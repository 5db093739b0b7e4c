import type { Sql, Statement } from '../connection/sql.ts';

/**
 * Claims of a cluster, whose statements lock rows of one account each: of every account with something due its share, the
 * one that waits longest first. `waiting` answers their ids.
 */
export async function claimByAccount<Job>(
  sql: Sql,
  waiting: Statement,
  params: readonly unknown[],
  max: number,
  claim: (accountId: string, max: number) => Promise<readonly Job[]>,
): Promise<Job[]> {
  const claimed: Job[] = [];
  let accounts = (await sql.query<{ id: string }>(waiting, params)).map(({ id }) => id);
  while (accounts.length > 0 && claimed.length < max) {
    const share = Math.max(1, Math.floor((max - claimed.length) / accounts.length));
    const withMore: string[] = [];
    for (const id of accounts.slice(0, max - claimed.length)) {
      const some = await claim(id, share);
      claimed.push(...some);
      if (some.length === share) withMore.push(id);
    }
    accounts = withMore;
  }
  return claimed;
}
