import { HOME, unpackRow } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { FeedReject } from '../feed.ts';
import type { ClaimedRun, FeedClaim, FeedRunState } from '../run/claimed-run.ts';
import { writeAs } from './feed-claim.ts';

/** What one part of a file came to. */
interface FeedProgress extends Record<'rows' | 'created' | 'merged' | 'unchanged' | 'rejected', number> {
  part: number;
  /** Of its rows and how they are read, if every row was accepted; null: it is decided again next time. */
  digest: string | null;
  /** Dedup hashes of all its records, rejected ones too. */
  hashes: readonly string[];
  rejects: readonly FeedReject[];
  /** How many rejects of the run each code has. */
  codes: Record<string, number>;
  state: FeedRunState;
}

/** Counts a part of a feed's file and the trucks that are in it; inside the transaction that wrote its listings. */
export function countPart(db: Sql, claim: FeedClaim, { hashes, rejects, ...progress }: FeedProgress) {
  const members = hashes.map((hash) => `\\x${hash}`);
  const values = [JSON.stringify(progress), members, JSON.stringify(rejects)];
  return writeAs(db, COUNT_PART, claim, claim.feedId, claim.no, ...values);
}

/** Digests of the feed's parts by number, those that need not be decided again. */
export async function readKnownParts(db: Sql, { accountId, feedId }: FeedClaim) {
  const rows = await db.query<{ part: number; digest: string }>(KNOWN_PARTS, [accountId, feedId]);
  return new Map(rows.map(({ part, digest }) => [part, digest]));
}

/**
 * Counts the rows of a known part as unchanged and goes on after it: a truck is in one part, the last that was counted with it, so
 * its trucks are all there. False when the part is not known any more, or a listing of it was changed by anybody else.
 */
export async function skipPart(db: Sql, run: ClaimedRun, { no, digest }: { no: number; digest: string }) {
  const { accountId, runId, fence, feedId } = run;
  const state = { ...run.state, part: no + 1 };
  const params = [accountId, runId, fence, feedId, no, digest, JSON.stringify(state)];
  const isSkipped = (await db.query(SKIP_PART, params)).length > 0;
  if (isSkipped) run.state = state;
  return isSkipped;
}

/** All or nothing, and only once. Only members that come to the part or leave it are written. */
const COUNT_PART: Statement = {
  timeout: 'ingest',
  text: `
    with counted as (
      select * from ${unpackRow('$6')} as t(part int, digest text, rows int, created int, merged int,
        unchanged int, rejected int, codes json, state json)
    ), mine as (
      update feed_runs r set rows = r.rows + t.rows, created = r.created + t.created, merged = r.merged + t.merged,
        unchanged = r.unchanged + t.unchanged, rejected = r.rejected + t.rejected, rejects_by_code = t.codes,
        state = t.state, claims = 0
      from counted t
      where r.account_id = $1 and r.id = $2 and r.fence = $3::int and r.status = 'running' and r.phase = 'ingest'
      returning r.id, t.part, t.digest, t.rows, t.rejected
    ), stored as materialized (
      select m.* from unnest($7::bytea[]) as hash cross join lateral (
        select dedup_hash, part from feed_members
        where account_id = $1 and dedup_hash = hash and feed_id = $4 limit 1) m
    ), placed as (
      insert into feed_members (account_id, feed_id, dedup_hash, part, run_no, misses)
      select home.account_id, $4, hash, mine.part, $5::bigint, 0
      from ${HOME}, mine cross join unnest($7::bytea[]) as hash left join stored s on s.dedup_hash = hash
      where s.part is distinct from mine.part
      on conflict (account_id, dedup_hash, feed_id) do update set part = excluded.part, misses = 0
    ), dropped as (
      update feed_members m set part = null from mine
      where m.account_id = $1 and m.feed_id = $4 and m.part = mine.part
        and m.dedup_hash not in (select unnest($7::bytea[]))
    ), robbed as (
      update feed_parts p set digest = null from mine
      where p.account_id = $1 and p.feed_id = $4 and p.part in (select part from stored) and p.part <> mine.part
    ), known as (
      insert into feed_parts (account_id, feed_id, part, digest, rows)
      select home.account_id, $4, part, digest, rows from ${HOME}, mine
      on conflict (account_id, feed_id, part) do update set digest = excluded.digest, rows = excluded.rows
    ), refused as (
      insert into feed_rejects (account_id, run_id, chunk, n, rejects)
      select home.account_id, id, part, rejected, $8::json from ${HOME}, mine where rejected > 0
    )
    select id from mine`,
};

const KNOWN_PARTS: Statement = {
  timeout: 'ingest',
  text: 'select part, digest from feed_parts where account_id = $1 and feed_id = $2 and digest is not null',
};

/**
 * Unless a listing of the part is another writer's by now. Listings are looked up one by one (`limit 1`): an account that
 * PostgreSQL takes for small would be read as a whole.
 */
const SKIP_PART: Statement = {
  timeout: 'ingest',
  text: `
    with known as (
      select p.rows from feed_parts p
      where p.account_id = $1 and p.feed_id = $4 and p.part = $5::int and p.digest = $6 and not exists (
        select 1 from feed_members m left join lateral (
          select input_hash, feed_id from listings where account_id = $1 and dedup_hash = m.dedup_hash limit 1) l on true
        where m.account_id = $1 and m.feed_id = $4 and m.part = $5::int
          and (l.input_hash is null or l.feed_id is distinct from $4))
    )
    update feed_runs r set rows = r.rows + known.rows, unchanged = r.unchanged + known.rows, state = $7::json, claims = 0
    from known
    where r.account_id = $1 and r.id = $2 and r.fence = $3::int and r.status = 'running' and r.phase = 'ingest'
    returning r.id`,
};
