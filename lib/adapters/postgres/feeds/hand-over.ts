import type { FeedClaim } from '../../../ports/feeds/feed-runs.ts';
import { PRESENT_MOMENT } from '../connection/moments.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { locked, lockTimeout } from '../listings/row-locks.ts';

/**
 * Of what this feed misses for the last time allowed, keeps what another enabled feed still has. What this feed had
 * written of it becomes the other feed's to write, which reads its file again for that.
 */
export async function handOver(
  bound: Sql,
  { accountId, feedId }: FeedClaim,
  missesAllowed: number,
): Promise<void> {
  const params = [accountId, feedId, missesAllowed];
  const [missing] = await bound.query(ANY_MISSING, params);
  if (missing) await bound.query(HAND_OVER, params);
}

const ANY_MISSING: Statement = {
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
