import { PRESENT_MOMENT } from '../../adapters/postgres/connection/moments.ts';
import type { Sql, Statement } from '../../adapters/postgres/connection/sql.ts';
import { raiseAlert } from '../../adapters/postgres/jobs/enqueue.ts';
import type { FeedClaim, FeedEnd, FeedRuns } from '../../ports/feeds/feed-runs.ts';
import { dueSlot, lately } from './due-slot.ts';
import { writeAs } from './feed-claim.ts';

/** How a run ends, and what its feed makes of that: one transaction. */
export function endRuns(sql: Sql): Pick<FeedRuns, 'succeed' | 'unchanged' | 'awaitReview' | 'fail'> {
  const end = (
    claim: FeedClaim,
    status: keyof typeof FEED_AFTER,
    { phases, bytes, sha256 }: FeedEnd,
    outcome: { wouldDelist?: number; error?: object; file?: object | null } = {},
  ) =>
    sql.transaction(async (bound) => {
      const { wouldDelist = null, error = null, file = null } = outcome;
      const fault = error && JSON.stringify(error);
      const said = [JSON.stringify(phases), bytes ?? null, sha256 ?? null, wouldDelist, fault];
      if (!(await writeAs(bound, END, claim, status, ...said))) return false;
      const params = [claim.accountId, claim.feedId, claim.runId];
      if (status === 'succeeded') params.push(JSON.stringify(file ?? {}));
      await bound.query(FEED_AFTER[status], params);
      return true;
    }, 'job');
  return {
    succeed: (claim, ended, file) => end(claim, 'succeeded', ended, { file }),
    unchanged: (claim, ended) => end(claim, 'unchanged', ended),
    awaitReview: (claim, ended, wouldDelist) => end(claim, 'held', ended, { wouldDelist }),
    fail: (claim, ended, error) => end(claim, 'failed', ended, { error }),
  };
}

const END: Statement = {
  text: `
    with ended as (
      update feed_runs set status = $4, phases = $5::json, bytes = coalesce($6::bigint, bytes),
        sha256 = coalesce($7, sha256), would_delist = coalesce($8::int, would_delist), error = $9::json,
        finished_at = moment.at, state = case when $4 = 'held' then state else '{}' end
      from ${PRESENT_MOMENT}
      where account_id = $1 and id = $2 and fence = $3::int and status = 'running' returning id
    ), raised as (${raiseAlert('feed', `ended where $4 in ('held', 'failed')`)}
    )
    select id from ended`,
};

/**
 * The file is only remembered if the feed still reads it as this run did, and if no other feed of the account delisted
 * meanwhile: that one may not have seen what this run found.
 */
const IS_REMEMBERED = `greatest(f.updated_at, f.reread_at) < r.started_at and not exists (
        select 1 from feed_runs o where o.account_id = $1 and o.feed_id <> $2 and o.phase = 'delist'
          and (o.status = 'running' or o.delisted > 0 and o.finished_at > r.started_at))`;

/** The issues of rows that were rejected before and are not in the file any more end with it. */
const SUCCEEDED: Statement = {
  text: `
    with gone as (
      delete from issues i using feed_runs r
      where i.account_id = $1 and i.source = $2 and r.account_id = $1 and r.id = $3 and i.run_no < r.no
    )
    update feeds f set failures = 0, file_observed_at = r.observed_at,
      (file_sha256, file_etag, file_last_modified) = (
        select $4::json->>'sha256', $4::json->>'etag', $4::json->>'lastModified' where ${IS_REMEMBERED})
    from feed_runs r where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3`,
};

/** A run that read rows and was not applied: the file applied before it may be news again. */
const CLEAR_FILE = `(file_sha256, file_etag, file_last_modified) = (
        select f.file_sha256, f.file_etag, f.file_last_modified where r.rows = 0)`;

const BACKOFF =
  'greatest(cadence_minutes, least(1440, cadence_minutes * power(2, least(failures, 11))::int))';

/** Each with the account, the feed, the run and, of one that succeeded, what to know its file by. */
const FEED_AFTER = {
  succeeded: SUCCEEDED,
  unchanged: {
    text: `update feeds f set failures = 0 from feed_runs r where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3`,
  },
  held: {
    text: `update feeds f set failures = 0, ${CLEAR_FILE} from feed_runs r where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3`,
  },
  /** Waits twice as long after every further failure, up to a day, or the cadence if that is longer. */
  failed: {
    text: `
    with next as materialized (
      select case when enabled then ${dueSlot(lately('cadence_minutes'), BACKOFF, 'cadence_minutes')} end as at
      from feeds where account_id = $1 and id = $2
    )
    update feeds f set failures = f.failures + 1, next_run_at = next.at, ${CLEAR_FILE} from next, feed_runs r
    where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3`,
  },
} as const satisfies Record<string, Statement>;
