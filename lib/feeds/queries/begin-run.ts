import { HOME, START_MOMENT } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { UPLOAD_FEED } from '../feed.ts';
import type { ClaimedRun } from '../run/claimed-run.ts';
import { dueSlot, LATELY, SCHEDULED } from './due-slot.ts';

/**
 * The run that a worker of the feed's job goes on with, under a fence of its own: the one that is queued or was broken off, else
 * a new one if the feed is due; null: none.
 */
export function beginRun(db: Sql, accountId: string, feedId: string, newRunId: string) {
  return db.transaction(async (bound) => {
    await bound.query(MAKE_DUE, [accountId, feedId, newRunId]);
    const [run] = await bound.query<ClaimedRun>(BEGIN, [accountId, feedId]);
    return run ?? null;
  }, 'job');
}

/** A feed whose last run is still under way waits for its next turn. Locks the feed before its runs, as all do. */
const MAKE_DUE: Statement = {
  timeout: 'job',
  text: `
    with due as materialized (
      select f.account_id, f.id,
        ${dueSlot(`greatest(f.next_run_at, ${LATELY})`)} as next_at
      from ${SCHEDULED}
      where f.account_id = $1 and f.id = $2 and f.enabled and f.next_run_at <= now()
    ), moved as (
      update feeds f set next_run_at = due.next_at from due where f.account_id = $1 and f.id = due.id
      returning f.id
    )
    insert into feed_runs (account_id, id, feed_id) select home.account_id, $3, id from ${HOME}, moved
    on conflict (account_id, feed_id) where status in ('queued', 'running') do nothing`,
};

const BEGIN: Statement = {
  timeout: 'job',
  text: `
    with begun as (
      update feed_runs r set status = 'running', fence = r.fence + 1, claims = r.claims + 1,
        started_at = coalesce(r.started_at, moment.at)
      from ${START_MOMENT} where r.account_id = $1 and r.feed_id = $2 and r.status in ('queued', 'running') returning r.*
    )
    select c.account_id as "accountId", c.feed_id as "feedId", c.id as "runId", c.feed_id <> '${UPLOAD_FEED}' or f.is_whole as delists,
      c.no::float8 as no, c.fence, c.claims, c.phase, c.released, date_part('epoch', clock_timestamp()) * 1000 as now,
      round(date_part('epoch', c.observed_at) * 1000) as "observedAt",
      date_part('epoch', f.file_observed_at) * 1000 as "appliedObservedAt", c.rejects_by_code as "rejectsByCode", c.phases,
      case when c.phase = 'fetch' then '{"file": {"etag": null, "lastModified": null}, "part": 1, "hasRetryableRejects": false}'
        else c.state end as state, coalesce(c.sha256, '') as sha256, to_json(f) as feed,
      case when f.file_sha256 is not null then json_build_object('sha256', f.file_sha256, 'etag', f.file_etag,
        'lastModified', f.file_last_modified) end as "lastFile"
    from begun c join feeds f on f.account_id = $1 and f.id = c.feed_id`,
};
