import type { FeedClaim, FeedEnd } from '../../../ports/feeds/feed-runs.ts';
import type { FeedError } from '../../../ports/feeds/feeds.ts';
import { PRESENT_MOMENT } from '../connection/moments.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { raiseAlert } from '../jobs/enqueue.ts';

/** What the worker of a run writes. Every statement names the fencing token. */

/** Runs a statement whose first parameters are account, run and fence; true when the claim still holds. */
export async function writeAs(
  sql: Sql,
  statement: Statement,
  { accountId, runId, fence }: FeedClaim,
  ...params: unknown[]
): Promise<boolean> {
  return (await sql.query(statement, [accountId, runId, fence, ...params])).length > 0;
}

/** The parameters of statements that tell a run's snapshot from earlier ones: account, feed, number of the run. */
export const byNumber = ({ accountId, feedId, no }: FeedClaim) => [accountId, feedId, no];

/** The run did what runs are for: the feed is not put off after its failures any more. */
export async function resetFailures(sql: Sql, { accountId, feedId }: FeedClaim): Promise<void> {
  await sql.query(RESET_FAILURES, [accountId, feedId]);
}

const RESET_FAILURES: Statement = { text: 'update feeds set failures = 0 where account_id = $1 and id = $2' };

/** Ends a run; what its end says of the file goes over what was known before. */
export function endRun(
  sql: Sql,
  claim: FeedClaim,
  status: 'succeeded' | 'unchanged' | 'held' | 'failed',
  { phases, bytes, sha256 }: FeedEnd,
  outcome: { wouldDelist?: number; error?: FeedError } = {},
): Promise<boolean> {
  const { wouldDelist, error } = outcome;
  return writeAs(
    sql,
    END,
    claim,
    status,
    JSON.stringify(phases),
    bytes ?? null,
    sha256 ?? null,
    wouldDelist ?? null,
    error === undefined ? null : JSON.stringify(error),
  );
}

const END: Statement = {
  text: `
    with ended as (
      update feed_runs set status = $4, phases = $5::json, bytes = coalesce($6::bigint, bytes),
      sha256 = coalesce($7, sha256), would_delist = coalesce($8::int, would_delist), error = $9::json,
      finished_at = moment.at, state = case when $4 = 'held' then state else '{}' end
    from ${PRESENT_MOMENT} where account_id = $1 and id = $2 and fence = $3::int and status = 'running' returning id
    ), raised as (${raiseAlert('feed', `ended where $4 in ('held', 'failed')`)}
    )
    select id from ended`,
};
