import { PRESENT_MOMENT, unpackRow } from '../../db/fragments.ts';
import { raiseAlert } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { UPLOAD_FEED } from '../feed.ts';
import type { ClaimedRun, RunEnd } from '../run/claimed-run.ts';
import { CADENCE, dueSlot, LATELY, SCHEDULED } from './due-slot.ts';
import { writeAs } from './feed-claim.ts';

/** Ends a run, with what its feed makes of that. Locks the feed before its runs, as all do. Throws `LeaseLost`. */
export function endRun(db: Sql, run: ClaimedRun, end: RunEnd) {
  return db.transaction(async (bound) => {
    await bound.query(FEED_AFTER[end.status], [run.accountId, run.feedId, run.runId]);
    await bound.query(CLOSE_HELD, [run.accountId, run.feedId, run.runId, end.status]);
    await writeAs(bound, END, run, JSON.stringify({ ...end, phases: run.phases }));
  }, 'job');
}

/** The next worker goes on at the same place. Throws `LeaseLost`. */
export const interruptRun = (db: Sql, run: ClaimedRun) =>
  writeAs(db, INTERRUPT, run, JSON.stringify(run.phases));

const INTERRUPT: Statement = {
  text: `
    update feed_runs set claims = 0, phases = $4::json
    where account_id = $1 and id = $2 and fence = $3::int and status = 'running' returning id`,
};

/** Closes earlier held runs once a later run has read a file. Before END, because a release locks in this order, too. */
const CLOSE_HELD: Statement = {
  text: `
    update feed_runs h set status = 'closed', error = null from feed_runs r
    where h.account_id = $1 and h.feed_id = $2 and h.status = 'held' and r.account_id = $1 and r.id = $3 and r.no > h.no
      and ($4 <> 'failed' or r.rows > 0)`,
};

const END: Statement = {
  text: `
    with ended as (
      update feed_runs r set status = e.status, phases = e.phases, bytes = coalesce(e.bytes, r.bytes),
        sha256 = coalesce(e.sha256, r.sha256), would_delist = coalesce(e."wouldDelist", r.would_delist), error = e.error,
        finished_at = moment.at
      from ${unpackRow('$4')} as e(status text, phases json, bytes bigint, sha256 text, "wouldDelist" int, error json),
        ${PRESENT_MOMENT}
      where r.account_id = $1 and r.id = $2 and r.fence = $3::int and r.status = 'running' returning r.id, r.status
    ), raised as (${raiseAlert('feed', `ended where status in ('held', 'failed')`)}
    )
    select id from ended`,
};

/**
 * Remembers the file of run `r` if none of its rejects may fare better next time, the feed still reads it as this run did, and no
 * other feed of the account delisted meanwhile: that one may not have seen what this run found.
 */
export const REMEMBER_FILE = `(file_sha256, file_etag, file_last_modified) = (
        select r.sha256, r.state->'file'->>'etag', r.state->'file'->>'lastModified'
        where not (r.state->>'hasRetryableRejects')::boolean and greatest(f.updated_at, f.reread_at) < r.started_at and not exists (
          select 1 from feed_runs o where o.account_id = $1 and o.feed_id <> $2 and o.phase = 'delist'
            and (o.status = 'running' or o.delisted > 0 and o.finished_at > r.started_at)))`;

/** The issues of rows that were rejected before and are not in the file any more end with it; a file that is no whole stock ends none. */
const SUCCEEDED: Statement = {
  text: `
    with gone as (
      delete from issues i using feed_runs r
      where i.account_id = $1 and i.source = $2 and r.account_id = $1 and r.id = $3 and i.run_no < r.no
        and ($2 <> '${UPLOAD_FEED}' or exists (select 1 from feeds where account_id = $1 and id = $2 and is_whole))
    )
    update feeds f set failures = 0, file_observed_at = r.observed_at, ${REMEMBER_FILE}
    from feed_runs r where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3`,
};

/** A run that changed members and was not applied: the file applied before it may be news again. */
const CLEAR_FILE = `(file_sha256, file_etag, file_last_modified) = (
        select f.file_sha256, f.file_etag, f.file_last_modified where r.rows = 0 and r.phase in ('fetch', 'ingest'))`;

const BACKOFF = `greatest(${CADENCE}, least(1440, ${CADENCE} * power(2, least(f.failures, 11))::int))`;

/** Each with the account, the feed and the run. */
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
      select case when f.enabled then ${dueSlot(LATELY, BACKOFF)} end as at
      from ${SCHEDULED} where f.account_id = $1 and f.id = $2
    )
    update feeds f set failures = f.failures + 1, next_run_at = next.at, ${CLEAR_FILE} from next, feed_runs r
    where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3`,
  },
} as const satisfies Record<string, Statement>;
