import type { Sql, Statement } from '../../db/sql.ts';
import type { FeedClaim } from '../run/claimed-run.ts';

/**
 * Runs a statement whose first parameters are account, run and fence; true while the claim is valid: a worker that slept
 * through its lease changes nothing any more.
 */
export async function writeAs(
  db: Sql,
  statement: Statement,
  { accountId, runId, fence }: FeedClaim,
  ...params: unknown[]
): Promise<boolean> {
  return (await db.query(statement, [accountId, runId, fence, ...params])).length > 0;
}
