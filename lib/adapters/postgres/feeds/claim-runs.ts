import type { BrokenFile, ClaimedRun, FeedClaim, FeedPhase } from '../../../ports/feeds/feed-runs.ts';
import type { FeedSettings } from '../../../ports/feeds/feeds.ts';
import { PRESENT_MOMENT, START_MOMENT } from '../connection/moments.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { locked } from '../listings/row-locks.ts';
import { dueSlot, lately } from './due-slot.ts';

export async function queueDue(sql: Sql): Promise<number> {
  if (!sql.isDistributed) return (await sql.query(QUEUE_DUE)).length;
  let queued = 0;
  for (const { id } of await sql.query<{ id: string }>(WITH_DUE_FEEDS))
    queued += (await sql.query(QUEUE_DUE_OF_ACCOUNT, [id])).length;
  return queued;
}

type Which = Pick<FeedClaim, 'accountId' | 'runId'> | null;

export async function claimRun(sql: Sql, leaseSeconds: number, which: Which): Promise<ClaimedRun | null> {
  const named = [which?.accountId ?? null, which?.runId ?? null];
  if (sql.isDistributed) return claimOfCluster(sql, leaseSeconds, named);
  const [row] = await sql.query<ClaimRow>(CLAIM, [leaseSeconds, ...named]);
  return row ? toClaimed(row) : null;
}

/** One account after the other: a statement of a cluster locks rows of one. */
async function claimOfCluster(
  sql: Sql,
  leaseSeconds: number,
  named: readonly (string | null)[],
): Promise<ClaimedRun | null> {
  for (const { id } of await sql.query<{ id: string }>(WAITING, named)) {
    const claimed = await sql.transaction(async (bound) => {
      const [turn] = await bound.query<{ taken: boolean }>(TAKE_TURN, [id]);
      if (!turn?.taken) return null;
      const [row] = await bound.query<ClaimRow>(CLAIM_OF_ACCOUNT, [leaseSeconds, id, named[1]]);
      if (row) await bound.query(SERVED, [id]);
      return row ? toClaimed(row) : null;
    });
    if (claimed) return claimed;
  }
  return null;
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

const CADENCE = 'greatest(f.cadence_minutes, a.min_feed_cadence_minutes)';

/** Across all accounts, or of one by `scope`. A feed whose last run is still under way waits for its next turn. */
const queueStatement = (scope: string): Statement => ({
  role: 'job',
  text: `
    with due as materialized (${locked(`
      select f.account_id, f.id,
        ${dueSlot(`greatest(f.next_run_at, ${lately(CADENCE)})`, CADENCE, CADENCE)} as next_at
      from feeds f join accounts a on a.id = f.account_id
      where ${scope} f.enabled and f.next_run_at <= now() and not a.suspended
      order by f.next_run_at limit 1000 for update of f skip locked`)}
    ), moved as (
      update feeds f set next_run_at = due.next_at
      from due where ${scope} f.account_id = due.account_id and f.id = due.id
    )
    insert into feed_runs (account_id, id, feed_id)
    select account_id, 'run_' || left(replace(gen_random_uuid()::text, '-', ''), 24), id from due
    on conflict (account_id, feed_id) where status in ('queued', 'running') do nothing
    returning id`,
});
const QUEUE_DUE = queueStatement('');
const QUEUE_DUE_OF_ACCOUNT = queueStatement('f.account_id = $1 and');

const WITH_DUE_FEEDS: Statement = {
  role: 'job',
  text: `
    select distinct f.account_id as id from feeds f join accounts a on a.id = f.account_id
    where f.enabled and f.next_run_at <= now() and not a.suspended`,
};

/** `scope`: the account of the feeds, where it is one. */
const selectClaimed = (scope: string) => `
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
    from claimed c join feeds f on ${scope} f.account_id = c.account_id and f.id = c.feed_id`;

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
        started_at = coalesce(r.started_at, moment.at), due_at = now() + make_interval(secs => $1::int)
      from next, ${START_MOMENT} where r.account_id = next.account_id and r.id = next.id returning r.*
    ) ${selectClaimed('')}`,
};

/** Of account $2, any run or $3; whoever runs it holds the lock of the account's turn. */
const CLAIM_OF_ACCOUNT: Statement = {
  text: `
    with next as (
      select r.id from feed_runs r
      where r.account_id = $2 and ($3::text is null or r.id = $3) and r.status in ('queued', 'running')
        and r.due_at <= now() and (
          select count(*) from feed_runs b
          where b.account_id = $2 and b.status = 'running' and b.due_at > now()) < ${MAX_RUNNING_PER_ACCOUNT}
      order by r.due_at limit 1 for update of r skip locked
    ), claimed as (
      update feed_runs r set status = 'running', fence = r.fence + 1, claims = r.claims + 1,
        started_at = coalesce(r.started_at, moment.at), due_at = now() + make_interval(secs => $1::int)
      from next, ${START_MOMENT} where r.account_id = $2 and r.id = next.id returning r.*
    ) ${selectClaimed('f.account_id = $2 and')}`,
};

const WAITING: Statement = {
  text: `
    select r.account_id as id from feed_runs r join accounts a on a.id = r.account_id
    where r.status in ('queued', 'running') and r.due_at <= now()
      and ($1::text is null or r.account_id = $1 and r.id = $2)
    group by r.account_id, a.feeds_served_at order by a.feeds_served_at nulls first, r.account_id limit 20`,
};

const TAKE_TURN: Statement = {
  text: `select pg_try_advisory_xact_lock(hashtextextended('feed runs ' || $1::text, 0)) as taken`,
};

const SERVED: Statement = {
  text: `update accounts set feeds_served_at = moment.at from ${PRESENT_MOMENT} where id = $1`,
};
