import { sqlState } from '../../db/connection/errors.ts';
import { HOME } from '../../db/fragments.ts';
import { enqueue } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { dueSlot, SCHEDULED } from './due-slot.ts';
import { REMEMBER_FILE } from './end-run.ts';

/** What a person does with runs: starts one, and releases or refuses a held one. */

/** Queues a run; answers the one that is queued or running already, if there is one. Null: no such feed. */
export async function queueRun(db: Sql, accountId: string, feedId: string, runId: string) {
  const [run] = await db.query<{ id: string }>(START, [accountId, feedId, runId]);
  return run?.id ?? null;
}

/** Sends a held run on to delist. False: it is not held, or a later run is under way. */
export async function releaseHeld(db: Sql, accountId: string, feedId: string, runId: string) {
  const rows = await db.query(RELEASE, [accountId, feedId, runId]).catch((error: unknown) => {
    // A unique index allows one run of a feed in progress.
    if (sqlState(error) === '23505') return [];
    throw error;
  });
  return rows.length > 0;
}

/** Closes a held run, whose file is then known as if it had been applied. False: it is not held. */
export const refuseHeld = async (db: Sql, accountId: string, feedId: string, runId: string) =>
  (await db.query(REFUSE, [accountId, feedId, runId])).length > 0;

/** The job of each feed in `rows`. */
export const queueJobs = (rows: string, due: string) => `queued as (${enqueue(
  `select home.account_id, 'feed', id, ${due} from ${HOME}, ${rows}`,
  ', due_at',
)}
    )`;

/** The run that is under way, or a new one; no row when there is no such feed. What a run began without stays due after it. */
const START: Statement = {
  text: `
    with next as materialized (
      select case when not f.enabled then null when exists (
          select 1 from feed_runs r where r.account_id = $1 and r.feed_id = $2 and r.status = 'running') then f.next_run_at
        else ${dueSlot('now()')} end as at
      from ${SCHEDULED} where f.account_id = $1 and f.id = $2
    ), feed as (
      update feeds f set next_run_at = next.at from next
      where f.account_id = $1 and f.id = $2 returning f.id
    ), numbered as materialized (
      select id, nextval('feed_runs_no_seq') as no from feed
    ), started as (
      insert into feed_runs as r (account_id, id, feed_id, no) overriding system value
      select home.account_id, $3, id, no from ${HOME}, numbered
      on conflict (account_id, feed_id) where status in ('queued', 'running') do update set feed_id = excluded.feed_id
      returning r.id
    ), ${queueJobs('feed, lateral (select now() as due_at) moment', 'due_at')}
    select id from started`,
};

const RELEASE: Statement = {
  text: `
    with released as (
      update feed_runs set status = 'queued', phase = 'reconcile', released = true, due_at = now(), claims = 0,
        finished_at = null, error = null
      where account_id = $1 and feed_id = $2 and id = $3 and status = 'held' returning feed_id as id
    ), ${queueJobs('released, lateral (select now() as due_at) moment', 'due_at')}
    select id from released`,
};

const REFUSE: Statement = {
  text: `
    with feed as materialized (
      select id from feeds where account_id = $1 and id = $2 for update
    ), refused as (
      update feed_runs r set status = 'closed', error = null from feed
      where r.account_id = $1 and r.feed_id = $2 and r.id = $3 and r.status = 'held' returning r.*
    )
    update feeds f set ${REMEMBER_FILE}
    from refused r where f.account_id = $1 and f.id = $2 returning f.id`,
};
