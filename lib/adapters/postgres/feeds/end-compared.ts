import type { FeedClaim, FeedRuns } from '../../../ports/feeds/feed-runs.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { HOME } from '../listings/home.ts';
import { byNumber, endRun, resetFailures } from './feed-claim.ts';

/** The end of a run whose file was compared with what the feed had: applied, or awaiting review. */
export function endCompared(sql: Sql): Pick<FeedRuns, 'succeed' | 'awaitReview'> {
  return {
    succeed: (claim, end, file) =>
      sql.transaction(async (bound) => {
        if (!(await endRun(bound, claim, 'succeeded', end))) return false;
        const { sha256 = null, etag = null, lastModified = null } = file ?? {};
        await bound.query(APPLIED, [claim.accountId, claim.feedId, claim.runId, sha256, etag, lastModified]);
        await bound.query(REPLACED, byNumber(claim));
        await bound.query(GONE_ISSUES, byNumber(claim));
        return true;
      }, 'job'),

    awaitReview: (claim, end, wouldDelist) =>
      sql.transaction(async (bound) => {
        if (!(await endRun(bound, claim, 'held', end, { wouldDelist }))) return false;
        await resetFailures(bound, claim);
        await forgetFile(bound, claim);
        await setUnappliedApart(bound, claim);
        return true;
      }, 'job'),
  };
}

/**
 * Found by runs that were never applied, and not by this one nor by the one that was: kept apart, so that runs that
 * fail or are held one after the other do not pile up.
 */
export async function setUnappliedApart(bound: Sql, claim: FeedClaim): Promise<void> {
  await bound.query(UNAPPLIED_APART, byNumber(claim));
}

/** A run that read rows and was not applied: the file applied before it may be news again. */
export async function forgetFile(bound: Sql, { accountId, feedId, runId }: FeedClaim): Promise<void> {
  await bound.query(FORGET_FILE, [accountId, feedId, runId]);
}

/**
 * The file is only remembered if the feed still reads it as this run did, and if no other feed of the account delisted
 * meanwhile: that one may not have seen what this run found.
 */
const REMEMBERED = `greatest(f.updated_at, f.reread_at) < r.started_at and not exists (
        select 1 from feed_runs o where o.account_id = $1 and o.feed_id <> $2 and o.phase = 'delist'
          and (o.status = 'running' or o.delisted > 0 and o.finished_at > r.started_at))`;

const APPLIED: Statement = {
  text: `
    update feeds f set failures = 0, file_observed_at = r.observed_at,
      (file_sha256, file_etag, file_last_modified) = (select $4::text, $5::text, $6::text where ${REMEMBERED})
    from feed_runs r
    where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3`,
};

const REPLACED: Statement = {
  text: `delete from feed_chunks where account_id = $1 and feed_id = $2 and run_no < $3::bigint`,
};

/** Rejected before, and not in the file any more. */
const GONE_ISSUES: Statement = {
  text: `delete from issues where account_id = $1 and source = $2 and run_no < $3::bigint`,
};

const FORGET_FILE: Statement = {
  text: `
    update feeds f set file_sha256 = null, file_etag = null, file_last_modified = null from feed_runs r
    where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3 and r.rows > 0`,
};

const UNAPPLIED_APART: Statement = {
  text: `
    with stale as materialized (
      select distinct r.no from feed_runs r
      where r.account_id = $1 and r.feed_id = $2 and r.no < $3::bigint and r.status in ('held', 'failed')
    ), found as (
      select unnest(hashes) as hash, run_no in (select no from stale) as stale from feed_chunks
      where account_id = $1 and feed_id = $2
    ), noted as (
      insert into feed_missing (account_id, feed_id, dedup_hash, misses, run_no)
      select home.account_id, $2, hash, 0, $3::bigint from ${HOME}, found group by home.account_id, hash having bool_and(stale)
      on conflict (account_id, feed_id, dedup_hash) do nothing
    )
    delete from feed_chunks where account_id = $1 and feed_id = $2 and run_no in (select no from stale)`,
};
