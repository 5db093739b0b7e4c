import { GUARD_FLOOR, liveEnough } from '../../../domain/feed/feed-guard.ts';
import type { FeedClaim, FeedDifference, FeedRuns } from '../../../ports/feeds/feed-runs.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { byNumber, writeAs } from './feed-claim.ts';
import { handOver } from './hand-over.ts';

/**
 * A snapshot against what the feed had before. What it had is what earlier runs found and nobody has replaced since
 * (`feed_chunks`), and `feed_missing`; what it has is what this run found, and later ones.
 */
export function compareSnapshot(sql: Sql): FeedRuns['compare'] {
  return (claim, missesAllowed, isHeld) =>
    sql
      .transaction(async (bound) => {
        if (!(await writeAs(bound, ENTER_DELIST, claim))) return null;
        await raiseWorkMem(bound, claim);
        await bound.query(MARK, [...byNumber(claim), claim.runId]);
        await handOver(bound, claim, missesAllowed);
        const [row] = await bound.query<Omit<FeedDifference, 'live'>>(DIFFERENCE, [
          ...byNumber(claim),
          missesAllowed,
        ]);
        if (!row) throw new Error('the comparison returned no row');
        const matters = row.present > 0 && row.gone > GUARD_FLOOR;
        const difference = { ...row, live: matters ? await countLive(bound, claim, row.gone) : null };
        if (isHeld(difference)) throw new Held(difference);
        await bound.query(UNMARK, byNumber(claim));
        return { ...difference, held: false };
      }, 'job')
      .catch((error: unknown) => {
        // Rolled back: nothing is marked.
        if (error instanceof Held) return { ...error.difference, held: true };
        throw error;
      });
}

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
  const [some] = await bound.query<{ live: number }>(LIVE_SOME, [...byNumber(claim), enough]);
  if (some && some.live >= enough) return some.live;
  await bound.query(NO_LOOK_UPS);
  const [all] = await bound.query<{ live: number }>(LIVE, byNumber(claim));
  return all?.live ?? 0;
}

/** Above this many hashes, grouping them needs more memory. */
const MANY_HASHES = 20_000;

/** For this transaction. */
async function raiseWorkMem(bound: Sql, { accountId, feedId }: FeedClaim): Promise<void> {
  const [row] = await bound.query<{ hashes: number }>(SIZE, [accountId, feedId]);
  if ((row?.hashes ?? 0) > MANY_HASHES) await bound.query(MORE_WORK_MEM);
}

const SIZE: Statement = {
  text: `
    select coalesce(sum(cardinality(hashes)), 0)::int as hashes from feed_chunks
    where account_id = $1 and feed_id = $2`,
};

const MORE_WORK_MEM: Statement = { text: `select set_config('work_mem', '128MB', true)` };

/** Disables nested loops: the planner expects ten rows where there are thousands. */
const NO_LOOK_UPS: Statement = { text: `select set_config('enable_nestloop', 'off', true)` };

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
  text: `
    with ${MISSING}, marked as (
      insert into feed_missing as f (account_id, feed_id, dedup_hash, misses, run_no)
      select l.account_id, $2, m.hash, case when l.observed_at <= ${OBSERVED} then m.misses + 1 else 0 end, $3::bigint
      from missing m join listings l on l.account_id = $1 and l.dedup_hash = m.hash
      where l.status = 'available' and l.version > 0
      on conflict (account_id, feed_id, dedup_hash) do update set misses = excluded.misses, run_no = excluded.run_no
      returning 1
    )
    select count(*) from marked`,
};

const DIFFERENCE: Statement = {
  text: `
    select (
      select coalesce(sum(cardinality(hashes)), 0)::int from feed_chunks
      where account_id = $1 and feed_id = $2 and run_no >= $3::bigint
    ) as present, (
      select count(*)::int from feed_missing
      where account_id = $1 and feed_id = $2 and run_no = $3::bigint and misses >= $4::int
    ) as gone`,
};

/** It is back, or not for sale any more. */
const UNMARK: Statement = {
  text: `delete from feed_missing where account_id = $1 and feed_id = $2 and run_no < $3::bigint`,
};
