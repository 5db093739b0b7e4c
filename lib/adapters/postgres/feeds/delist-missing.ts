import type { FeedRuns } from '../../../ports/feeds/feed-runs.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { locked, lockTimeout } from '../listings/row-locks.ts';
import { followsStatus } from '../listings/status-change.ts';
import { writeAs } from './feed-claim.ts';
import { handOver } from './hand-over.ts';

/** Delists what the feed has missed for the last time allowed, a slice at a time. */
export function delistMissing(sql: Sql): FeedRuns['delist'] {
  return (claim, missesAllowed, most) =>
    sql
      .transaction(async (bound) => {
        await handOver(bound, claim, missesAllowed);
        const [row] = await bound.query<{ picked: number; delisted: number }>(DELIST, [
          claim.accountId,
          claim.feedId,
          claim.runId,
          missesAllowed,
          most,
        ]);
        const { picked, delisted } = row ?? { picked: 0, delisted: 0 };
        const mine = await writeAs(bound, DELISTED, claim, delisted);
        if (!mine) throw new ClaimLost();
        return { delisted, left: picked === most };
      }, 'job')
      .catch((error: unknown) => {
        if (error instanceof ClaimLost) return null;
        throw error;
      });
}

class ClaimLost extends Error {}

/**
 * What was noted a moment ago is beyond the planner's statistics: joined with what was picked, it would compare each of
 * one with each of the other. Looked up by an array, it is found by the primary key.
 */
const DELIST: Statement = {
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
    update feed_runs set delisted = delisted + $4::int, claims = 0
    where account_id = $1 and id = $2 and fence = $3::int and status = 'running' and phase = 'delist' returning id`,
};
