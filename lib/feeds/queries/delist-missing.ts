import { locked, lockTimeout, PRESENT_MOMENT } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { followsStatus } from '../../inventory/queries/status-change.ts';
import type { FeedClaim } from '../run/claimed-run.ts';
import { elsewhere } from './compare-snapshot.ts';
import { LeaseLost } from './feed-claim.ts';

/**
 * Delists some of what is missing for the last time allowed, unless another feed has it; true: there may be more. Throws
 * `LeaseLost`, `LockTimeout`.
 */
export async function delistSlice(db: Sql, { accountId, feedId, runId, fence }: FeedClaim, limit: number) {
  const params = [accountId, feedId, runId, fence, limit];
  const [row] = await db.query<{ picked: number }>(DELIST, params);
  if (!row) throw new LeaseLost();
  return row.picked === limit;
}

/**
 * A truck that another feed has becomes that feed's: if this feed wrote what is stored, the other reads its file anew.
 * Members are found again by their place: the statistics know nothing of what was marked a moment ago, and a join would
 * compare each with each.
 */
const DELIST: Statement = {
  role: 'job',
  text: `
    with ${lockTimeout('5s')}, run as materialized (${locked(`
      select r.id, r.no, r.observed_at from lock_timeout, feed_runs r
      where r.account_id = $1 and r.id = $3 and r.fence = $4::int and r.status = 'running' and r.phase = 'delist'
      for update of r`)}
    ), picked as materialized (
      select m.dedup_hash, m.place, kept.feed_id as kept_by from (
        select n.dedup_hash, n.ctid as place from run cross join feeds f join feed_members n on n.account_id = $1 and n.feed_id = $2
          and n.part is null and n.misses >= f.misses_before_delist
        where f.account_id = $1 and f.id = $2 order by n.dedup_hash limit $5::int) m
      left join lateral (${elsewhere('m.dedup_hash', '$2')} order by o.run_no desc limit 1) kept on true
    ), target as materialized (${locked(`
      select l.dedup_hash, l.status, l.feed_id, l.observed_at > run.observed_at as is_newer, p.place, p.kept_by
      from run, picked p join listings l on l.account_id = $1 and l.dedup_hash = p.dedup_hash
      where l.version > 0 order by l.dedup_hash for update of l`)}
    ), changed as (
      update listings l set status = 'delisted', version = l.version + 1, input_hash = null,
        observed_at = run.observed_at, outdated = true, updated_at = now(), delisted_at = now()
      from target t, run
      where l.account_id = $1 and l.dedup_hash = t.dedup_hash and t.status = 'available' and not t.is_newer
        and t.kept_by is null
      returning l.dedup_hash, l.version, l.price, t.status as was
    ), ${followsStatus("'delisted'", "'vanished'", '(select no from run)')}, reassigned as (
      update listings l set feed_id = t.kept_by, outdated = true, input_hash = null from target t
      where l.account_id = $1 and l.dedup_hash = t.dedup_hash and t.kept_by is not null and t.feed_id = $2
    ), reread as (
      update feeds set reread_at = moment.at, file_sha256 = null, file_etag = null, file_last_modified = null
      from ${PRESENT_MOMENT} where account_id = $1 and id in (select kept_by from target where feed_id = $2)
    ), newer as materialized (
      select place from target where status = 'available' and is_newer and kept_by is null
    ), start_over as (
      update feed_members set misses = 0
      where account_id = $1 and ctid = any(array(select place from newer))
    ), forgotten as (
      delete from feed_members
      where account_id = $1
        and ctid = any(array(select place from picked except select place from newer))
    ), counted as (
      update feed_runs r set delisted = r.delisted + (select count(*)::int from changed), claims = 0
      from run where r.account_id = $1 and r.id = run.id
    )
    select (select count(*)::int from picked) as picked from run`,
};
