import { GUARD_FLOOR, liveEnough } from '../../../domain/feed/feed-guard.ts';
import type { FeedClaim, FeedDifference, FeedRuns } from '../../../ports/feeds/feed-runs.ts';
import { PRESENT_MOMENT } from '../connection/moments.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { locked, lockTimeout, unlessHeld } from '../listings/row-locks.ts';
import { followsStatus } from '../listings/status-change.ts';
import { endRun, writeAs } from './feed-claim.ts';

/**
 * A snapshot against what the feed had before. What it had is what earlier runs found and nobody has replaced since
 * (`feed_chunks`), and `feed_missing`; what it has is what this run found, and later ones.
 */
export function feedReconcile(sql: Sql): Pick<FeedRuns, 'compare' | 'delist' | 'succeed' | 'awaitReview'> {
  return {
    compare: (claim, missesAllowed, isHeld) =>
      sql
        .transaction(async (bound) => {
          if (!(await writeAs(bound, ENTER_DELIST, claim))) return null;
          await makeRoom(bound, claim);
          await bound.query(MARK, [...snapshot(claim), claim.runId]);
          await handOver(bound, claim, missesAllowed);
          const [row] = await bound.query<Omit<FeedDifference, 'live'>>(DIFFERENCE, [
            ...snapshot(claim),
            missesAllowed,
          ]);
          if (!row) throw new Error('the comparison returned no row');
          const matters = row.present > 0 && row.gone > GUARD_FLOOR;
          const difference = { ...row, live: matters ? await countLive(bound, claim, row.gone) : null };
          if (isHeld(difference)) throw new Held(difference);
          await bound.query(UNMARK, snapshot(claim));
          return { ...difference, held: false };
        }, 'job')
        .catch((error: unknown) => {
          // Rolled back: nothing is marked.
          if (error instanceof Held) return { ...error.difference, held: true };
          throw error;
        }),

    delist: (claim, missesAllowed, most, leaseSeconds) =>
      unlessHeld(
        sql.transaction(async (bound) => {
          await handOver(bound, claim, missesAllowed);
          const [row] = await bound.query<{ picked: number; delisted: number }>(DELIST, [
            ...[claim.accountId, claim.feedId, claim.runId, missesAllowed, most],
          ]);
          const { picked, delisted } = row ?? { picked: 0, delisted: 0 };
          const mine = await writeAs(bound, DELISTED, claim, delisted, leaseSeconds);
          if (!mine) throw new Lost();
          return { delisted, left: picked === most };
        }, 'job'),
      ).catch((error: unknown) => {
        if (error instanceof Lost) return null;
        throw error;
      }),

    succeed: (claim, end, file) =>
      sql.transaction(async (bound) => {
        if (!(await endRun(bound, claim, 'succeeded', end))) return false;
        const { sha256 = null, etag = null, lastModified = null } = file ?? {};
        await bound.query(APPLIED, [claim.accountId, claim.feedId, claim.runId, sha256, etag, lastModified]);
        await bound.query(REPLACED, snapshot(claim));
        await bound.query(GONE_ISSUES, snapshot(claim));
        return true;
      }, 'job'),

    awaitReview: (claim, end, wouldDelist) =>
      sql.transaction(async (bound) => {
        if (!(await endRun(bound, claim, 'held', end, { wouldDelist }))) return false;
        await bound.query(HELD, [claim.accountId, claim.feedId]);
        await forgetFile(bound, claim);
        await foldUnapplied(bound, claim);
        return true;
      }, 'job'),
  };
}

/** From so many hashes on, grouping them is given room. */
const MANY = 20_000;

class Lost extends Error {}

class Held extends Error {
  readonly difference: FeedDifference;

  constructor(difference: FeedDifference) {
    super('the guard holds the snapshot');
    this.difference = difference;
  }
}

/** Of the feed's listings before: counted until it does not matter any more, else all of them. */
async function countLive(bound: Sql, claim: FeedClaim, gone: number): Promise<number> {
  const enough = liveEnough(gone);
  const [some] = await bound.query<{ live: number }>(LIVE_SOME, [...snapshot(claim), enough]);
  if (some && some.live >= enough) return some.live;
  await bound.query(NO_LOOK_UPS);
  const [all] = await bound.query<{ live: number }>(LIVE, snapshot(claim));
  return all?.live ?? 0;
}

const snapshot = ({ accountId, feedId, no }: FeedClaim) => [accountId, feedId, no];

/**
 * Found by runs that were never applied, and not by this one nor by the one that was: kept apart, so that runs that
 * fail or are held one after the other do not pile up.
 */
export async function foldUnapplied(bound: Sql, claim: FeedClaim): Promise<void> {
  await bound.query(FOLD_UNAPPLIED, snapshot(claim));
}

/** A run that read rows and was not applied: the file applied before it may be news again. */
export async function forgetFile(bound: Sql, { accountId, feedId, runId }: FeedClaim): Promise<void> {
  await bound.query(FORGET_FILE, [accountId, feedId, runId]);
}

/** For this transaction. */
async function makeRoom(bound: Sql, { accountId, feedId }: FeedClaim): Promise<void> {
  const [row] = await bound.query<{ hashes: number }>(SIZE, [accountId, feedId]);
  if ((row?.hashes ?? 0) > MANY) await bound.query(ROOM);
}

const SIZE: Statement = {
  text: `
    select coalesce(sum(cardinality(hashes)), 0)::int as hashes from feed_chunks
    where account_id = $1 and feed_id = $2`,
};

const ROOM: Statement = {
  text: `select set_config('work_mem', '128MB', true)`,
};

/** All of many: by looking each of them up, or worse, is what the planner would do for the ten it expects. */
const NO_LOOK_UPS: Statement = {
  text: `select set_config('enable_nestloop', 'off', true)`,
};

/**
 * Found by grouping, not by an anti-join: how many hashes an array holds is beyond the planner, and grouping stays
 * quick whatever it thinks.
 */
export const MISSING = `found as (
      select unnest(hashes) as hash, 0 as misses, run_no >= $3::bigint as present from feed_chunks
      where account_id = $1 and feed_id = $2
      union all
      select dedup_hash, misses, false from feed_missing where account_id = $1 and feed_id = $2
    ), missing as materialized (
      select hash, max(misses) as misses from found group by hash having not bool_or(present)
    )`;

const OBSERVED = '(select observed_at from feed_runs where account_id = $1 and id = $4)';

/** One look-up after the other until it is enough; as a join it would be planned for ten hashes. A truck may be in two chunks. */
const LIVE_SOME: Statement = {
  role: 'job',
  text: `
    select count(distinct hash)::int as live from (
      select had.hash from (
        select unnest(hashes) as hash from feed_chunks where account_id = $1 and feed_id = $2 and run_no < $3::bigint
      ) had
      where (select s.status from listing_search s where s.account_id = $1 and s.dedup_hash = had.hash) = 'available'
      limit $4::int + $4::int / 10
    ) found`,
};

const LIVE: Statement = {
  role: 'job',
  text: `
    with had as materialized (
      select unnest(hashes) as hash from feed_chunks where account_id = $1 and feed_id = $2 and run_no < $3::bigint
      union
      select dedup_hash from feed_missing where account_id = $1 and feed_id = $2
    )
    select count(*)::int as live from had join listing_search s on s.account_id = $1 and s.dedup_hash = had.hash
    where s.status = 'available'`,
};

const ENTER_DELIST: Statement = {
  text: `
    update feed_runs set phase = 'delist', claims = 0
    where account_id = $1 and id = $2 and fence = $3::int and status = 'running' and phase = 'reconcile' returning id`,
};

/** What another feed has seen since starts over. */
const MARK: Statement = {
  role: 'job',
  text: `
    with ${MISSING}, marked as (
      insert into feed_missing as f (account_id, feed_id, dedup_hash, misses, run_no)
      select $1, $2, m.hash, case when l.observed_at <= ${OBSERVED} then m.misses + 1 else 0 end, $3::bigint
      from missing m join listings l on l.account_id = $1 and l.dedup_hash = m.hash
      where l.status = 'available' and l.version > 0
      on conflict (account_id, feed_id, dedup_hash) do update set misses = excluded.misses, run_no = excluded.run_no
      returning 1
    )
    select count(*) from marked`,
};

const DIFFERENCE: Statement = {
  role: 'job',
  text: `
    select (
      select coalesce(sum(cardinality(hashes)), 0)::int from feed_chunks
      where account_id = $1 and feed_id = $2 and run_no >= $3::bigint
    ) as present, (
      select count(*)::int from feed_missing
      where account_id = $1 and feed_id = $2 and run_no = $3::bigint and misses >= $4::int
    ) as gone`,
};

/**
 * Of what this feed misses for the last time allowed, keeps what another enabled feed still has. What this feed had
 * written of it becomes the other feed's to write, which reads its file again for that.
 */
async function handOver(bound: Sql, { accountId, feedId }: FeedClaim, missesAllowed: number): Promise<void> {
  const params = [accountId, feedId, missesAllowed];
  const [missing] = await bound.query(ANY_MISSING, params);
  if (missing) await bound.query(HAND_OVER, params);
}

const ANY_MISSING: Statement = {
  role: 'job',
  text: `
    select 1 from feeds where account_id = $1 and id <> $2 and enabled and exists (
      select 1 from feed_missing where account_id = $1 and feed_id = $2 and misses >= $3::int) limit 1`,
};

/** What other enabled feeds of the account have. */
export const ELSEWHERE = `others as (
      select id, misses_before_delist from feeds where account_id = $1 and id <> $2 and enabled
    ), elsewhere as (
      select c.feed_id, c.run_no, unnest(c.hashes) as hash
      from others join feed_chunks c on c.account_id = $1 and c.feed_id = others.id
      union all
      select m.feed_id, m.run_no, m.dedup_hash
      from others join feed_missing m on m.account_id = $1 and m.feed_id = others.id and m.misses < others.misses_before_delist
    )`;

const HAND_OVER: Statement = {
  role: 'job',
  text: `
    with ${ELSEWHERE}, kept as materialized (
      select distinct on (e.hash) e.hash, e.feed_id
      from feed_missing m join elsewhere e on e.hash = m.dedup_hash
      where m.account_id = $1 and m.feed_id = $2 and m.misses >= $3::int
      order by e.hash, e.run_no desc
    ), forgotten as (
      delete from feed_missing
      where account_id = $1 and feed_id = $2 and dedup_hash = any(array(select hash from kept))
    ), ${lockTimeout('5s')}, written_by_this as materialized (${locked(`
      select l.dedup_hash, kept.feed_id from lock_timeout, kept
        join listings l on l.account_id = $1 and l.dedup_hash = kept.hash
      where l.feed_id = $2 order by l.dedup_hash for update of l`)}
    ), handed_over as (
      update listings l set feed_id = w.feed_id, outdated = true, input_hash = null
      from written_by_this w where l.account_id = $1 and l.dedup_hash = w.dedup_hash
    )
    update feeds set reread_at = moment.at, file_sha256 = null, file_etag = null, file_last_modified = null
    from ${PRESENT_MOMENT} where account_id = $1 and id in (select feed_id from written_by_this)`,
};

/** It is back, or not for sale any more. */
const UNMARK: Statement = {
  role: 'job',
  text: `delete from feed_missing where account_id = $1 and feed_id = $2 and run_no < $3::bigint`,
};

/**
 * What was noted a moment ago is beyond the planner's statistics: joined with what was picked, it would compare each of
 * one with each of the other. Looked up by an array, it is found by the primary key.
 */
const DELIST: Statement = {
  role: 'job',
  text: `
    with ${lockTimeout('5s')}, picked as materialized (
      select dedup_hash from feed_missing where account_id = $1 and feed_id = $2 and misses >= $4::int
      order by dedup_hash limit $5::int
    ), run as (
      select observed_at, no from feed_runs where account_id = $1 and id = $3
    ), target as materialized (${locked(`
      select l.dedup_hash, l.status, l.observed_at from lock_timeout, picked p
        join listings l on l.account_id = $1 and l.dedup_hash = p.dedup_hash
      where l.version > 0 order by l.dedup_hash for update of l`)}
    ), changed as (
      update listings l set status = 'delisted', version = l.version + 1, input_hash = null,
        observed_at = run.observed_at, outdated = true, updated_at = now(), delisted_at = now()
      from target t, run
      where l.account_id = $1 and l.dedup_hash = t.dedup_hash and t.status = 'available'
        and t.observed_at <= run.observed_at
      returning l.dedup_hash, l.version, l.price, t.status as was
    ), ${followsStatus("'delisted'", "'vanished'", '(select no from run)')}, kept as materialized (
      select t.dedup_hash from target t, run where t.status = 'available' and t.observed_at > run.observed_at
    ), seen_since as (
      update feed_missing set misses = 0
      where account_id = $1 and feed_id = $2 and dedup_hash = any(array(select dedup_hash from kept))
    ), done as (
      delete from feed_missing
      where account_id = $1 and feed_id = $2
        and dedup_hash = any(array(select dedup_hash from picked except select dedup_hash from kept))
    )
    select (select count(*)::int from picked) as picked, (select count(*)::int from changed) as delisted`,
};

const DELISTED: Statement = {
  text: `
    update feed_runs set delisted = delisted + $4::int, claims = 0, due_at = now() + make_interval(secs => $5::int)
    where account_id = $1 and id = $2 and fence = $3::int and status = 'running' and phase = 'delist' returning id`,
};

/**
 * The file is only remembered if the feed still reads it as this run did, and if no other feed of the account delisted
 * meanwhile: that one may not have seen what this run found.
 */
const REMEMBERED = `greatest(f.updated_at, f.reread_at) < r.started_at and not exists (
        select 1 from feed_runs o where o.account_id = $1 and o.feed_id <> $2 and o.phase = 'delist'
          and (o.status = 'running' or o.delisted > 0 and o.finished_at > r.started_at))`;

const APPLIED: Statement = {
  text: `
    update feeds f set failures = 0, broken_file = null, file_observed_at = r.observed_at,
      (file_sha256, file_etag, file_last_modified) = (select $4::text, $5::text, $6::text where ${REMEMBERED})
    from feed_runs r
    where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3`,
};

const REPLACED: Statement = {
  role: 'job',
  text: `delete from feed_chunks where account_id = $1 and feed_id = $2 and run_no < $3::bigint`,
};

/** Rejected before, and not in the file any more. */
const GONE_ISSUES: Statement = {
  role: 'job',
  text: `delete from issues where account_id = $1 and source = $2 and run_no < $3::bigint`,
};

const HELD: Statement = { text: 'update feeds set failures = 0 where account_id = $1 and id = $2' };

const FORGET_FILE: Statement = {
  text: `
    update feeds f set file_sha256 = null, file_etag = null, file_last_modified = null from feed_runs r
    where f.account_id = $1 and f.id = $2 and r.account_id = $1 and r.id = $3 and r.rows > 0`,
};

const FOLD_UNAPPLIED: Statement = {
  role: 'job',
  text: `
    with stale as materialized (
      select distinct r.no from feed_runs r
      where r.account_id = $1 and r.feed_id = $2 and r.no < $3::bigint and r.status in ('held', 'failed')
    ), found as (
      select unnest(hashes) as hash, run_no in (select no from stale) as stale from feed_chunks
      where account_id = $1 and feed_id = $2
    ), noted as (
      insert into feed_missing (account_id, feed_id, dedup_hash, misses, run_no)
      select $1, $2, hash, 0, $3::bigint from found group by hash having bool_and(stale)
      on conflict (account_id, feed_id, dedup_hash) do nothing
    )
    delete from feed_chunks where account_id = $1 and feed_id = $2 and run_no in (select no from stale)`,
};
