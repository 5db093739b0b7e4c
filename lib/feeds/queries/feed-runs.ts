import { unpackRow } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { RawFile } from '../feed.ts';
import type { FeedClaim, FeedRunState } from '../run/claimed-run.ts';
import { writeAs } from './feed-claim.ts';

/** Seconds until the feed's next run; null: it has none. */
export async function untilDue(db: Sql, accountId: string, feedId: string) {
  const [row] = await db.query<{ seconds: number | null }>(UNTIL_DUE, [accountId, feedId]);
  return row?.seconds ?? null;
}

/** The file is here: goes on to `ingest`. */
export const saveFetched = (
  db: Sql,
  claim: FeedClaim,
  file: { bytes: number; sha256: string; observedAt: number; state: FeedRunState },
) => writeAs(db, FETCHED, claim, JSON.stringify(file));

/** Runs that ended and whose raw file is still there. */
export const listLeftRaw = (db: Sql) => db.query<RawFile>(LEFT_RAW);

export async function forgetRaw(db: Sql, { accountId, runId }: RawFile) {
  await db.query(RAW_REMOVED, [accountId, runId]);
}

/** Forgets runs that ended long ago; answers how many. */
export async function sweepRuns(db: Sql) {
  const [row] = await db.query<{ swept: number }>(SWEEP);
  return row?.swept ?? 0;
}

/** Null: not by itself. A run that was asked for meanwhile is due now. */
const UNTIL_DUE: Statement = {
  text: `
    select case when exists (
        select 1 from feed_runs r where r.account_id = $1 and r.feed_id = $2 and r.status in ('queued', 'running')) then 0
      when f.enabled then date_part('epoch', f.next_run_at - now()) end as seconds
    from feeds f where f.account_id = $1 and f.id = $2`,
};

const FETCHED: Statement = {
  text: `
    update feed_runs set phase = 'ingest', claims = 0, raw = true, bytes = f.bytes, sha256 = f.sha256,
      observed_at = to_timestamp(f."observedAt" / 1000), state = f.state
    from ${unpackRow('$4')} as f(bytes bigint, sha256 text, "observedAt" float8, state json)
    where account_id = $1 and id = $2 and fence = $3::int and status = 'running' returning id`,
};

/** Across all accounts. */
const LEFT_RAW: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ select account_id as "accountId", id as "runId", sha256 from feed_runs
    where raw and finished_at < now() - interval '10 minutes' order by finished_at limit 200`,
};

/** The run of a feed that was removed goes with its file. */
const RAW_REMOVED: Statement = {
  text: `
    with removed as (
      delete from feed_runs r where r.account_id = $1 and r.id = $2
        and not exists (select 1 from feeds f where f.account_id = $1 and f.id = r.feed_id)
    )
    update feed_runs r set raw = false where r.account_id = $1 and r.id = $2
      and exists (select 1 from feeds f where f.account_id = $1 and f.id = r.feed_id)`,
};

/** Across all accounts: runs of more than 90 days ago, but for the newest 20 of each feed. */
const SWEEP: Statement = {
  timeout: 'job',
  text: `
    /* all accounts */ with old as (
      select r.account_id, r.id from feed_runs r
      where r.finished_at < now() - interval '90 days' and not r.raw and r.no < (
        select min(no) from (select o.no from feed_runs o
          where o.account_id = r.account_id and o.feed_id = r.feed_id order by o.no desc limit 20) newest)
      limit 1000
    ), rejects as (
      delete from feed_rejects j using old where j.account_id = old.account_id and j.run_id = old.id
    ), runs as (
      delete from feed_runs r using old where r.account_id = old.account_id and r.id = old.id returning 1
    )
    select count(*)::int as swept from runs`,
};
