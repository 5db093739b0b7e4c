import { sqlState } from '../../db/connection/errors.ts';
import { HOME } from '../../db/fragments.ts';
import { enqueue } from '../../db/jobs/enqueue.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { dueSlot, SCHEDULED } from './due-slot.ts';

/** What puts a run into its queue: a person, or the release of a held one. */

/** Queues a run; answers the one that is queued or running already, if there is one. Null: no such feed. */
export async function queueRun(db: Sql, accountId: string, feedId: string, runId: string) {
  const [run] = await db.query<{ id: string }>(START, [accountId, feedId, runId]);
  return run?.id ?? null;
}

/** Sends a held run on to delist. `superseded`: a later run has taken its place. */
export async function sendToDelist(db: Sql, accountId: string, feedId: string, runId: string) {
  const [run] = await db
    .query<{ outcome: 'released' | 'not_held' | 'superseded' }>(RELEASE, [accountId, feedId, runId])
    .catch((error: unknown) => {
      // Another run began at this very moment.
      if (sqlState(error) === '23505') return [{ outcome: 'superseded' as const }];
      throw error;
    });
  return run?.outcome ?? 'not_held';
}

/** The job of each feed in `rows`. */
export const queued = (rows: string, due: string) => `queued as (${enqueue(
  `select home.account_id, 'feed', id, ${due} from ${HOME}, ${rows}`,
  ', due_at',
)}
    )`;

/** The run that is under way, or a new one; no row when there is no such feed. */
const START: Statement = {
  text: `
    with next as materialized (
      select case when f.enabled then ${dueSlot('now()')} end as at
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
    ), ${queued('feed, lateral (select now() as due_at) moment', 'due_at')}
    select id from started`,
};

/** A held run may go on as long as no later run had a file: what that has would be delisted unseen. */
const RELEASE: Statement = {
  text: `
    with run as (
      select r.id, r.status, exists (select 1 from feed_runs o where o.account_id = $1 and o.feed_id = $2 and o.no > r.no
        and (o.status <> 'failed' or o.rows > 0)) as later
      from feed_runs r where r.account_id = $1 and r.feed_id = $2 and r.id = $3 for update
    ), released as (
      update feed_runs u set status = 'queued', phase = 'reconcile', released = true, due_at = now(), claims = 0,
        finished_at = null
      from run where u.account_id = $1 and u.id = run.id and run.status = 'held' and not run.later
      returning u.feed_id as id
    ), ${queued('released, lateral (select now() as due_at) moment', 'due_at')}
    select case when exists (select 1 from released) then 'released' when status = 'held' then 'superseded'
      else 'not_held' end as outcome from run`,
};
