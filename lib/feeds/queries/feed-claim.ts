import type { Sql, Statement } from '../../adapters/postgres/connection/sql.ts';
import type { FeedClaim } from '../../ports/feeds/feed-runs.ts';

/**
 * Runs a statement whose first parameters are account, run and fence; true while the claim is valid: a worker that slept
 * through its lease changes nothing any more.
 */
export async function writeAs(
  sql: Sql,
  statement: Statement,
  { accountId, runId, fence }: FeedClaim,
  ...params: unknown[]
): Promise<boolean> {
  return (await sql.query(statement, [accountId, runId, fence, ...params])).length > 0;
}
