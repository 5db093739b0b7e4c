import type { FeedRuns } from '../../../ports/feeds/feed-runs.ts';
import type { RawFile } from '../../../ports/feeds/feeds.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { HOME } from '../listings/home.ts';
import { beginRun } from './begin-run.ts';
import { compareSnapshot } from './compare-snapshot.ts';
import { delistMissing } from './delist-missing.ts';
import { dueSlot, lately } from './due-slot.ts';
import { endCompared, forgetFile, setUnappliedApart } from './end-compared.ts';
import { endRun, resetFailures, writeAs } from './feed-claim.ts';

/** What the worker of a run writes names its fence: one that slept through its lease changes nothing any more. */
export function postgresFeedRuns(sql: Sql): FeedRuns {
  return {
    ...endCompared(sql),
    compare: compareSnapshot(sql),
    delist: delistMissing(sql),

    begin: (accountId, feedId, newRunId) => beginRun(sql, accountId, feedId, newRunId),
    async untilDue(accountId, feedId) {
      const [row] = await sql.query<{ seconds: number | null }>(UNTIL_DUE, [accountId, feedId]);
      return row?.seconds ?? null;
    },

    fetched: (claim, { bytes, sha256, observedAt, raw }, state) =>
      writeAs(sql, FETCHED, claim, bytes, sha256, observedAt, raw, JSON.stringify(state)),

    progress(claim, { part, hashes, counts, rejects, rejectsByCode, state }) {
      const written = { ...counts, codes: rejectsByCode, state, chunk: part.no, n: rejects.length };
      const packed = hashes.map((hash) => `\\x${hash}`);
      return writeAs(
        sql,
        PROGRESS,
        claim,
        JSON.stringify([written]),
        packed,
        JSON.stringify(rejects),
        claim.feedId,
        claim.no,
      );
    },

    enter: (claim, phase, phases) => writeAs(sql, ENTER, claim, phase, JSON.stringify(phases)),

    interrupt: (claim, phases) => writeAs(sql, INTERRUPT, claim, JSON.stringify(phases)),

    unchanged: (claim, end) =>
      sql.transaction(async (bound) => {
        if (!(await endRun(bound, claim, 'unchanged', end))) return false;
        await resetFailures(bound, claim);
        return true;
      }, 'job'),

    fail: (claim, end, error) =>
      sql.transaction(async (bound) => {
        if (!(await endRun(bound, claim, 'failed', end, { error }))) return false;
        await bound.query(FAILED, [claim.accountId, claim.feedId]);
        await forgetFile(bound, claim);
        await setUnappliedApart(bound, claim);
        return true;
      }, 'job'),

    leftRaw: (limit) => sql.query<RawFile>(LEFT_RAW, [limit]),

    async rawRemoved({ accountId, runId }) {
      await sql.query(RAW_REMOVED, [accountId, runId]);
    },

    async sweep() {
      const [row] = await sql.query<{ swept: number }>(SWEEP);
      return row?.swept ?? 0;
    },
  };
}

const MINE = `id = $2 and fence = $3::int and status = 'running' returning id`;

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
    update feed_runs set phase = 'ingest', claims = 0, bytes = $4::bigint, sha256 = $5,
      observed_at = to_timestamp($6::float8 / 1000), raw = $7::boolean, state = $8::json where account_id = $1 and ${MINE}`,
};

/** Fence, cursor, counters, what the part had and what was rejected: all or nothing, and only once. */
const PROGRESS: Statement = {
  role: 'ingest',
  text: `
    with changed as (
      select * from json_to_recordset($4::json) as t(rows int, created int, merged int, unchanged int, rejected int,
        codes json, state json, chunk int, n int)
    ), mine as (
      update feed_runs r set rows = r.rows + t.rows, created = r.created + t.created, merged = r.merged + t.merged,
        unchanged = r.unchanged + t.unchanged, rejected = r.rejected + t.rejected, rejects_by_code = t.codes,
        state = t.state, claims = 0
      from changed t
      where r.account_id = $1 and r.id = $2 and r.fence = $3::int and r.status = 'running' and r.phase = 'ingest'
      returning r.id, t.chunk, t.n
    ), found as (
      insert into feed_chunks (account_id, feed_id, run_no, chunk, hashes)
      select home.account_id, $7, $8::bigint, chunk, $5::bytea[] from ${HOME}, mine
    ), refused as (
      insert into feed_rejects (account_id, run_id, chunk, n, rejects)
      select home.account_id, id, chunk, n, $6::json from ${HOME}, mine where n > 0
    )
    select id from mine`,
};

const ENTER: Statement = {
  text: `update feed_runs set phase = $4, claims = 0, phases = $5::json where account_id = $1 and ${MINE}`,
};

const INTERRUPT: Statement = {
  text: `update feed_runs set claims = 0, phases = $4::json where account_id = $1 and ${MINE}`,
};

const BACKOFF =
  'greatest(cadence_minutes, least(1440, cadence_minutes * power(2, least(failures, 11))::int))';

/** Waits twice as long after every further failure, up to a day, or the cadence if that is longer. */
const FAILED: Statement = {
  text: `
    with next as materialized (
      select case when enabled then ${dueSlot(lately('cadence_minutes'), BACKOFF, 'cadence_minutes')} end as at
      from feeds where account_id = $1 and id = $2
    )
    update feeds f set failures = f.failures + 1, next_run_at = next.at from next
    where f.account_id = $1 and f.id = $2`,
};

/** Across all accounts. */
const LEFT_RAW: Statement = {
  role: 'job',
  text: `
    select account_id as "accountId", id as "runId", sha256 from feed_runs
    where raw and finished_at < now() - interval '10 minutes' order by finished_at limit $1::int`,
};

const RAW_REMOVED: Statement = { text: 'update feed_runs set raw = false where account_id = $1 and id = $2' };

/** Across all accounts: runs of more than 90 days ago, but for the newest 20 of each feed. */
const SWEEP: Statement = {
  role: 'job',
  text: `
    with old as (
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
