import type { Sql, Statement } from '../../db/sql.ts';
import type { FeedClaim } from '../run/claimed-run.ts';

/** Another worker has the run: whatever this one still writes is rejected. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
  override message = 'another worker has the run';
}

/**
 * Runs a statement whose first parameters are account, run and fence, and that returns a row while the claim is valid. Throws
 * `LeaseLost`: a worker that slept through its lease changes nothing any more.
 */
export async function writeAs(
  db: Sql,
  statement: Statement,
  { accountId, runId, fence }: FeedClaim,
  ...params: unknown[]
) {
  const rows = await db.query(statement, [accountId, runId, fence, ...params]);
  if (rows.length === 0) throw new LeaseLost();
}
