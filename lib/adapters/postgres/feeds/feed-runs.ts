import type { BrokenFile, ClaimedRun, FeedPhase, FeedRuns } from '../../../ports/feeds/feed-runs.ts';
import type { FeedSettings, RawFile } from '../../../ports/feeds/feeds.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { endRun, writeAs } from './feed-claim.ts';
import { feedReconcile, foldUnapplied, forgetFile } from './feed-reconcile.ts';

/**
 * The queue of feed runs. A claim is a lease (`due_at` moves on) with a fencing token: a worker that slept through its
 * lease changes nothing any more.
 */
export function postgresFeedRuns(sql: Sql): FeedRuns {
  return {
    ...feedReconcile(sql),

    async queueDue() {
      const rows = await sql.query(QUEUE_DUE);
      return rows.length;
    },

    async claim(leaseSeconds, which) {
      const params = [leaseSeconds, which?.accountId ?? null, which?.runId ?? null];
      const [row] = await sql.query<ClaimRow>(CLAIM, params);
      return row ? toClaimed(row) : null;
    },

    heartbeat: (claim, seconds) => writeAs(sql, BEAT, claim, seconds),

    fetched: (claim, { bytes, sha256, observedAt, raw }, state) =>
      writeAs(sql, FETCHED, claim, bytes, sha256, observedAt, raw, JSON.stringify(state)),

    progress(claim, { chunk, hashes, counts, rejects, rejectsByCode, state }, seconds) {
      const written = { ...counts, codes: rejectsByCode, state, seconds, chunk, n: rejects.length };
      const packed = hashes.map((hash) => `\\x${hash}`);
      return writeAs(
        sql,
        PROGRESS,
        claim,
        ...[JSON.stringify(written), packed, JSON.stringify(rejects), claim.feedId, claim.no],
      );
    },

    enter: (claim, phase, phases) => writeAs(sql, ENTER, claim, phase, JSON.stringify(phases)),

    release: (claim, phases, delaySeconds) =>
      writeAs(sql, GIVE_BACK, claim, JSON.stringify(phases), delaySeconds),

    unchanged: (claim, end) =>
      sql.transaction(async (bound) => {
        if (!(await endRun(bound, claim, 'unchanged', end))) return false;
        await bound.query(WELL, [claim.accountId, claim.feedId]);
        return true;
      }),

    fail: (claim, end, error, brokenBy = null) =>
      sql.transaction(async (bound) => {
        if (!(await endRun(bound, claim, 'failed', end, { error }))) return false;
        await bound.query(FAILED, [claim.accountId, claim.feedId]);
        if (brokenBy)
          await bound.query(BROKEN, [
            claim.accountId,
            claim.feedId,
            JSON.stringify(brokenBy),
            brokenBy.sha256,
          ]);
        await forgetFile(bound, claim);
        await foldUnapplied(bound, claim);
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

interface ClaimRow extends Omit<ClaimedRun, 'lastFile' | 'brokenFile' | 'feed' | 'phase'> {
  phase: FeedPhase;
  feed: FeedSettings & {
    sha256: string | null;
    etag: string | null;
    lastModified: string | null;
    brokenFile: BrokenFile | null;
  };
}

function toClaimed({
  feed: { sha256, etag, lastModified, brokenFile, ...feed },
  ...run
}: ClaimRow): ClaimedRun {
  const observedAt = run.observedAt === null ? null : Math.round(run.observedAt);
  return {
    ...run,
    observedAt,
    feed,
    brokenFile,
    lastFile: sha256 === null ? null : { sha256, etag, lastModified },
  };
}

/** Across all accounts. A feed whose last run is still under way waits for its next turn. */
const QUEUE_DUE: Statement = {
  role: 'job',
  text: `
    with due as materialized (
      select f.account_id, f.id, greatest(f.cadence_minutes, a.min_feed_cadence_minutes) as cadence
      from feeds f join accounts a on a.id = f.account_id
      where f.enabled and f.next_run_at <= now() and not a.suspended
      order by f.next_run_at limit 1000 for update of f skip locked
    ), moved as (
      update feeds f set next_run_at = now() + make_interval(mins => due.cadence)
      from due where f.account_id = due.account_id and f.id = due.id
    )
    insert into feed_runs (account_id, id, feed_id)
    select account_id, 'run_' || left(replace(gen_random_uuid()::text, '-', ''), 24), id from due
    on conflict (account_id, feed_id) where status in ('queued', 'running') do nothing
    returning id`,
};

const CLAIMED = `
    select c.account_id as "accountId", c.feed_id as "feedId", c.id as "runId", c.no::float8 as no, c.fence, c.claims,
      c.phase, c.released, date_part('epoch', clock_timestamp()) * 1000 as now,
      date_part('epoch', c.observed_at) * 1000 as "observedAt", date_part('epoch', f.file_observed_at) * 1000 as "appliedObservedAt", c.rejects_by_code as "rejectsByCode", c.phases, nullif(c.state::text, '{}')::json as state, c.sha256, c.raw,
      json_build_object('name', f.name, 'dealer', f.dealer, 'protocol', f.protocol, 'url', f.url,
        'username', f.username, 'password', f.password, 'private_key', f.private_key,
        'host_key_sha256', f.host_key_sha256, 'format', f.format, 'source_provider_id', f.source_provider_id,
        'mapping', f.mapping, 'defaults', f.defaults, 'class_from_vin', f.class_from_vin,
        'zero_price_is_call', f.zero_price_is_call, 'cadence_minutes', f.cadence_minutes,
        'misses_before_delist', f.misses_before_delist, 'enabled', f.enabled, 'sha256', f.file_sha256,
        'etag', f.file_etag, 'lastModified', f.file_last_modified, 'brokenFile', f.broken_file) as feed
    from claimed c join feeds f on f.account_id = c.account_id and f.id = c.feed_id`;

/** So many runs of one account are worked on at a time. */
const MAX_RUNNING_PER_ACCOUNT = 2;

/**
 * Across all accounts, or one run ($2, $3): the longest waiting run of the account that was served longest ago. The
 * account's row is locked while its running runs are counted.
 */
const CLAIM: Statement = {
  text: `
    with waiting as (
      select account_id, id, due_at from feed_runs
      where status in ('queued', 'running') and due_at <= now()
        and ($2::text is null or account_id = $2 and id = $3)
    ), turn as (
      select a.id from accounts a
      where a.id in (select account_id from waiting) and (
        select count(*) from feed_runs b
        where b.account_id = a.id and b.status = 'running' and b.due_at > now()) < ${MAX_RUNNING_PER_ACCOUNT}
      order by a.feeds_served_at nulls first, a.id limit 1 for no key update skip locked
    ), served as (
      update accounts a set feeds_served_at = clock_timestamp() from turn where a.id = turn.id
    ), next as (
      select r.account_id, r.id from turn join feed_runs r on r.account_id = turn.id
      where r.id in (select w.id from waiting w where w.account_id = turn.id)
        and r.status in ('queued', 'running') and r.due_at <= now()
      order by r.due_at limit 1 for update of r skip locked
    ), claimed as (
      update feed_runs r set status = 'running', fence = r.fence + 1, claims = r.claims + 1,
        started_at = coalesce(r.started_at, now()), due_at = now() + make_interval(secs => $1::int)
      from next where r.account_id = next.account_id and r.id = next.id returning r.*
    ) ${CLAIMED}`,
};

const MINE = `id = $2 and fence = $3::int and status = 'running' returning id`;

const BEAT: Statement = {
  text: `update feed_runs set due_at = now() + make_interval(secs => $4::int) where account_id = $1 and ${MINE}`,
};

const FETCHED: Statement = {
  text: `
    update feed_runs set phase = 'ingest', claims = 0, bytes = $4::bigint, sha256 = $5,
      observed_at = to_timestamp($6::float8 / 1000), raw = $7::boolean, state = $8::json where account_id = $1 and ${MINE}`,
};

/** Fence, cursor, counters, what the chunk had and what was rejected: all or nothing, and only once. */
const PROGRESS: Statement = {
  prepared: true,
  role: 'ingest',
  text: `
    with changed as (
      select * from json_to_record($4::json) as t(rows int, created int, merged int, unchanged int, rejected int,
        codes json, state json, seconds int, chunk int, n int)
    ), mine as (
      update feed_runs r set rows = r.rows + t.rows, created = r.created + t.created, merged = r.merged + t.merged,
        unchanged = r.unchanged + t.unchanged, rejected = r.rejected + t.rejected, rejects_by_code = t.codes,
        state = t.state, claims = 0, due_at = now() + make_interval(secs => t.seconds)
      from changed t
      where r.account_id = $1 and r.id = $2 and r.fence = $3::int and r.status = 'running' and r.phase = 'ingest'
      returning r.id, t.chunk, t.n
    ), found as (
      insert into feed_chunks (account_id, feed_id, run_no, chunk, hashes)
      select $1, $7, $8::bigint, chunk, $5::bytea[] from mine
    ), refused as (
      insert into feed_rejects (account_id, run_id, chunk, n, rejects)
      select $1, id, chunk, n, $6::json from mine where n > 0
    )
    select id from mine`,
};

const ENTER: Statement = {
  text: `update feed_runs set phase = $4, claims = 0, phases = $5::json where account_id = $1 and ${MINE}`,
};

const GIVE_BACK: Statement = {
  text: `
    update feed_runs set claims = 0, phases = $4::json, due_at = now() + make_interval(secs => $5::int) where account_id = $1 and ${MINE}`,
};

const WELL: Statement = { text: 'update feeds set failures = 0 where account_id = $1 and id = $2' };

/** Waits twice as long after every further failure, up to a day, or the cadence if that is longer. */
const FAILED: Statement = {
  text: `
    update feeds set failures = failures + 1, next_run_at = case when enabled then now() + make_interval(mins =>
      greatest(cadence_minutes, least(1440, cadence_minutes * power(2, least(failures, 11))::int))) end
    where account_id = $1 and id = $2`,
};

/** Counts how often this very file broke its worker. */
const BROKEN: Statement = {
  text: `
    update feeds set broken_file = (($3::jsonb) || jsonb_build_object('times',
      case when broken_file->>'sha256' = $4 then (broken_file->>'times')::int + 1 else 1 end))::json
    where account_id = $1 and id = $2`,
};

/** Across all accounts. */
const LEFT_RAW: Statement = {
  role: 'job',
  text: `
    select account_id as "accountId", id as "runId", sha256 from feed_runs
    where raw and finished_at < now() - interval '10 minutes' order by finished_at limit $1::int`,
};

const RAW_REMOVED: Statement = {
  text: 'update feed_runs set raw = false where account_id = $1 and id = $2',
};

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
