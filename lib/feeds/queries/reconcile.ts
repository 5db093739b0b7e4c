import { lockTimeout, PRESENT_MOMENT, selectLocked } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import { followsStatus } from '../../inventory/queries/status-change.ts';
import type { FeedClaim } from '../run/claimed-run.ts';
import { LeaseLost, writeAs } from './feed-claim.ts';

/** The file has been read to its end, and has so many parts: goes on to `reconcile`. */
export const completeFile = (db: Sql, claim: FeedClaim, parts: number) =>
  writeAs(db, COMPLETE_FILE, claim, claim.feedId, parts);

export interface Comparison {
  /** Trucks that the complete snapshot would delist. */
  gone: number;
  /** Available trucks that the feed had before it, counted up to four times as many as are gone. */
  available: number;
  hasTrucks: boolean;
}

/** Compares the complete snapshot with what the feed had before it; writes nothing. */
export async function compareMembers(db: Sql, { accountId, feedId, runId, no }: FeedClaim) {
  const [comparison] = await db.query<Comparison>(COMPARE, [accountId, feedId, runId, no]);
  return comparison as Comparison;
}

/** How many trucks a file of these would delist if it were the whole stock of a feed that allows no miss. */
export async function countMissing(db: Sql, accountId: string, feedId: string, hashes: readonly string[]) {
  const [row] = await db.query<{ missing: number }>(COUNT_MISSING, [accountId, feedId, hashes]);
  return row?.missing ?? 0;
}

/** Counts a miss for everything that the snapshot lacks: goes on to `delist`. */
export const markMissing = (db: Sql, claim: FeedClaim) => writeAs(db, MARK_MISSING, claim, claim.feedId);

/** What stood in parts that the file has no more is in none. */
const COMPLETE_FILE: Statement = {
  timeout: 'job',
  text: `
    with mine as (
      update feed_runs set phase = 'reconcile', claims = 0
      where account_id = $1 and id = $2 and fence = $3::int and status = 'running' and phase = 'ingest' returning id
    ), dropped as (
      update feed_members m set part = null from mine
      where m.account_id = $1 and m.feed_id = $4 and m.part > $5::int
    ), forgotten as (
      delete from feed_parts p using mine where p.account_id = $1 and p.feed_id = $4 and p.part > $5::int
    )
    select id from mine`,
};

/** SQL for the other enabled feeds of account $1 that have the truck `hash`, or miss it less often than they may. */
const elsewhere = (hash: string, feed: string) => `
      select f.id as feed_id, o.run_no from feed_members o join feeds f on f.account_id = $1 and f.id = o.feed_id
      where o.account_id = $1 and o.dedup_hash = ${hash} and o.feed_id <> ${feed} and f.enabled
        and (o.part is not null or o.misses < f.misses_before_delist)`;

/**
 * SQL for the members `m` of feed $2 that run $3 delists, with their listings `l`: missed as often as the feed allows,
 * changed by nobody since, and in no other feed.
 */
export const MISSED = `
      from feeds f join feed_runs r on r.account_id = $1 and r.id = $3
        join feed_members m on m.account_id = $1 and m.feed_id = $2 and m.part is null
          and m.misses + 1 >= f.misses_before_delist
        join listings l on l.account_id = $1 and l.dedup_hash = m.dedup_hash and l.version > 0
          and l.status = 'available' and l.observed_at <= r.observed_at
      where f.account_id = $1 and f.id = $2 and not exists (${elsewhere('m.dedup_hash', '$2')})`;

const COUNT_MISSING: Statement = {
  timeout: 'ingest',
  text: `
    select count(*)::int as missing from feed_members m join listings l on l.account_id = $1
      and l.dedup_hash = m.dedup_hash and l.version > 0 and l.status = 'available'
    where m.account_id = $1 and m.feed_id = $2 and m.dedup_hash not in (
        select decode(hash, 'hex') from unnest($3::text[]) as hash)
      and not exists (${elsewhere('m.dedup_hash', '$2')})`,
};

/** Four times as many available trucks are enough for the guard to know the share; what the file adds does not count. */
const COMPARE: Statement = {
  timeout: 'job',
  text: `
    with gone as materialized (select count(*)::int as n ${MISSED})
    select gone.n as gone, exists (
        select 1 from feed_members where account_id = $1 and feed_id = $2 and part is not null
      ) or exists (
        select 1 from feed_runs where account_id = $1 and id = $3 and created + merged + unchanged > 0
      ) as "hasTrucks", (select count(*)::int from (
        select 1 from feed_members m join listing_search s on s.account_id = $1 and s.dedup_hash = m.dedup_hash
        where m.account_id = $1 and m.feed_id = $2 and m.run_no < $4::bigint and s.status = 'available'
        limit (select 4 * n from gone)) as enough) as available
    from gone`,
};

/**
 * What is not for sale any more is forgotten; what another writer has changed since starts over. Members are found
 * again by their place: the statistics know nothing of what was marked a moment ago, and a join would compare each with each.
 */
const MARK_MISSING: Statement = {
  timeout: 'job',
  text: `
    with mine as (
      update feed_runs set phase = 'delist', claims = 0
      where account_id = $1 and id = $2 and fence = $3::int and status = 'running' and phase = 'reconcile'
      returning id, observed_at
    ), missing as materialized (
      select m.ctid as place, case when l.dedup_hash is null then 'gone' when l.observed_at <= mine.observed_at then 'missed'
        else 'changed' end as state
      from mine cross join feed_members m left join lateral (
        select dedup_hash, observed_at from listings
        where account_id = $1 and dedup_hash = m.dedup_hash and version > 0 and status = 'available' limit 1) l on true
      where m.account_id = $1 and m.feed_id = $4 and m.part is null
    ), forgotten as (
      delete from feed_members where account_id = $1
        and ctid = any(array(select place from missing where state = 'gone'))
    ), counted as (
      update feed_members set misses = misses + 1 where account_id = $1
        and ctid = any(array(select place from missing where state = 'missed'))
    ), started_over as (
      update feed_members set misses = 0 where account_id = $1
        and ctid = any(array(select place from missing where state = 'changed'))
    )
    select id from mine`,
};

/**
 * Delists some of what is missing for the last time allowed, unless another feed has it; true: there may be more. Throws
 * `LeaseLost`, `LockTimeout`.
 */
export async function delistSlice(db: Sql, { accountId, feedId, runId, fence }: FeedClaim, limit: number) {
  return db.transaction(async (bound) => {
    const params = [accountId, feedId, runId, fence, limit];
    const [row] = await bound.query<{ picked: string[]; newer: string[] }>(DELIST, params);
    if (!row) throw new LeaseLost();
    const [picked, newer] = [row.picked, row.newer].map((hashes) => hashes.map((hash) => `\\x${hash}`));
    await bound.query(FORGET, [accountId, feedId, picked, newer]);
    return row.picked.length === limit;
  }, 'job');
}

/**
 * A truck that another feed has becomes that feed's: if this feed wrote what is stored, the other reads its file anew.
 */
const DELIST: Statement = {
  timeout: 'job',
  text: `
    with ${lockTimeout('5s')}, run as materialized (${selectLocked(`
      select r.id, r.no, r.observed_at from lock_timeout, feed_runs r
      where r.account_id = $1 and r.id = $3 and r.fence = $4::int and r.status = 'running' and r.phase = 'delist'
      for update of r`)}
    ), picked as materialized (
      select m.dedup_hash, kept.feed_id as kept_by from (
        select n.dedup_hash from run cross join feeds f join feed_members n on n.account_id = $1 and n.feed_id = $2
          and n.part is null and n.misses >= f.misses_before_delist
        where f.account_id = $1 and f.id = $2 order by n.dedup_hash limit $5::int) m
      left join lateral (${elsewhere('m.dedup_hash', '$2')} order by o.run_no desc limit 1) kept on true
    ), target as materialized (${selectLocked(`
      select l.dedup_hash, l.status, l.feed_id, l.observed_at > run.observed_at as is_newer, p.kept_by
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
      update feeds f set reread_at = moment.at, file_sha256 = null, file_etag = null, file_last_modified = null
      from ${PRESENT_MOMENT}, target t where f.account_id = $1 and f.id = t.kept_by and t.feed_id = $2
    ), counted as (
      update feed_runs r set delisted = r.delisted + (select count(*)::int from changed), claims = 0
      from run where r.account_id = $1 and r.id = run.id
    )
    select array(select encode(dedup_hash, 'hex') from picked) as picked, array(
        select encode(dedup_hash, 'hex') from target where status = 'available' and is_newer and kept_by is null) as newer
    from run`,
};

/**
 * What another writer has changed since starts over; the others are forgotten. Hashes come as parameters: a cluster takes no
 * subqueries beside the insert of DELIST, and without statistics a join would compare each member with each.
 */
const FORGET: Statement = {
  timeout: 'job',
  text: `
    with start_over as (
      update feed_members set misses = 0 where account_id = $1 and feed_id = $2 and dedup_hash = any($4::bytea[])
    )
    delete from feed_members where account_id = $1 and feed_id = $2 and dedup_hash = any($3::bytea[])
      and dedup_hash <> all($4::bytea[])`,
};
