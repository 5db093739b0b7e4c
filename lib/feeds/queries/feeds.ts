import { sqlState } from '../../db/connection/errors.ts';
import { PRESENT_MOMENT } from '../../db/connection/moments.ts';
import { enqueue } from '../../db/jobs/enqueue.ts';
import type { Page, Sql, Statement } from '../../db/sql.ts';
import { HOME } from '../../inventory/queries/home.ts';
import type { Feed, FeedChange, FeedReject, FeedRun, FeedSettings, RawFile } from '../feed.ts';
import { FEED_LIMITS } from '../schemas/feed-fields.ts';
import { dueSlot } from './due-slot.ts';
import { type FeedJson, feedJson, type RunJson, runJson, toFeed, toRun } from './feed-json.ts';

/** Feeds of an account, and their latest runs. Secrets are sealed before they come here. */

/** The columns that callers set. */
const SETTINGS = `name, dealer, protocol, url, username, password, private_key, host_key_sha256, format, source_provider_id,
  mapping, defaults, class_from_vin, zero_price_is_call, cadence_minutes, misses_before_delist, enabled`;

const LISTED = FEED_LIMITS.rejectsListed;
/** Reject packs read at a time. */
const PACKS = 20;

/** Locks the dealer until the transaction ends, so that it cannot be deleted meanwhile. */
const knows = async (db: Sql, accountId: string, dealer: string | null | undefined) =>
  dealer == null || (await db.query(DEALER, [accountId, dealer])).length > 0;

/** Due at once. `unknown_dealer`: the account has no such dealer; `too_many`: it has `maxFeeds` already. */
export function insertFeed(
  db: Sql,
  accountId: string,
  id: string,
  settings: FeedSettings,
  maxFeeds: number,
): Promise<Feed | null | 'unknown_dealer' | 'too_many'> {
  return db.transaction(async (bound) => {
    if (!(await knows(bound, accountId, settings.dealer))) return 'unknown_dealer';
    const created = await bound.query(CREATE, [accountId, id, JSON.stringify(settings), maxFeeds]);
    return created.length === 0 ? 'too_many' : readFeed(bound, accountId, id);
  });
}

/** In order of id. */
export async function listFeeds(db: Sql, accountId: string, { limit, after }: Page): Promise<Feed[]> {
  const rows = await db.query<{ feed: FeedJson }>(LIST, [accountId, LISTED, after ?? '', limit]);
  return rows.map(({ feed }) => toFeed(feed, LISTED));
}

export async function readFeed(db: Sql, accountId: string, id: string): Promise<Feed | null> {
  const [row] = await db.query<{ feed: FeedJson }>(GET, [accountId, id, LISTED]);
  return row ? toFeed(row.feed, LISTED) : null;
}

export function updateFeed(
  db: Sql,
  accountId: string,
  id: string,
  change: FeedChange,
): Promise<Feed | 'unknown_dealer' | null> {
  return db.transaction(async (bound) => {
    if (!(await knows(bound, accountId, change.dealer))) return 'unknown_dealer';
    await bound.query(CHANGE, [accountId, id, JSON.stringify(change)]);
    await bound.query(RESCHEDULE, [accountId, id]);
    return readFeed(bound, accountId, id);
  });
}

/** Puts the same secret, sealed anew, in the place of a sealed one. */
export async function resealSecret(
  db: Sql,
  accountId: string,
  id: string,
  sealed: string,
  anew: string,
): Promise<void> {
  await db.query(RESEAL, [accountId, id, sealed, anew]);
}

/** With its runs and what they found; listings stay. Answers the raw files that are left; null: no such feed. */
export function deleteFeed(db: Sql, accountId: string, id: string): Promise<RawFile[] | null> {
  return db.transaction(async (bound) => {
    const gone = await bound.query(REMOVE, [accountId, id]);
    if (gone.length === 0) return null;
    const runs = await bound.query<{ id: string; raw: boolean; sha256: string | null }>(REMOVE_RUNS, [
      accountId,
      id,
    ]);
    // A statement of its own: it sees what the worker of the last run has just committed.
    await bound.query(REMOVE_TRACES, [accountId, id, JSON.stringify(runs.map((run) => run.id))]);
    return runs.flatMap(({ id: runId, raw, sha256 }) =>
      raw && sha256 !== null ? [{ accountId, runId, sha256 }] : [],
    );
  }, 'job');
}

/** Newest first, each with so many rejects at most; null: no such feed. */
export async function listRuns(
  db: Sql,
  accountId: string,
  feedId: string,
  { limit, after }: Page,
  rejects: number,
): Promise<FeedRun[] | null> {
  if ((await db.query(EXISTS, [accountId, feedId])).length === 0) return null;
  const rows = await db.query<{ run: RunJson }>(RUNS, [accountId, feedId, rejects, after ?? '', limit]);
  return rows.map(({ run }) => toRun(run, rejects));
}

export async function readRun(
  db: Sql,
  accountId: string,
  feedId: string,
  runId: string,
  rejects: number,
): Promise<FeedRun | null> {
  const [row] = await db.query<{ run: RunJson }>(RUN, [accountId, feedId, runId, rejects]);
  return row ? toRun(row.run, rejects) : null;
}

/** Rejects of a run in order, those of some parts after the one named; none: that was all. */
export function listRejects(
  db: Sql,
  accountId: string,
  runId: string,
  afterPart: number,
): Promise<{ chunk: number; rejects: FeedReject[] }[]> {
  return db.query(REJECTS, [accountId, runId, afterPart, PACKS]);
}

/** Queues a run; answers the one that is queued or running already, if there is one. Null: no such feed. */
export async function queueRun(
  db: Sql,
  accountId: string,
  feedId: string,
  runId: string,
): Promise<string | null> {
  const [run] = await db.query<{ id: string }>(START, [accountId, feedId, runId]);
  return run?.id ?? null;
}

/** Sends a held run on to delist. `superseded`: a later run has taken its place. Null: no such run. */
export async function sendToDelist(
  db: Sql,
  accountId: string,
  feedId: string,
  runId: string,
): Promise<'released' | 'not_held' | 'superseded' | null> {
  const [row] = await db.query<ReleaseRow>(RELEASE, [accountId, feedId, runId]).catch((error: unknown) => {
    // Another run began at this very moment.
    if (sqlState(error) === '23505') return [{ status: 'held', released: false }];
    throw error;
  });
  if (!row) return null;
  if (row.released) return 'released';
  return row.status === 'held' ? 'superseded' : 'not_held';
}

interface ReleaseRow {
  status: string;
  released: boolean;
}

const GET: Statement = {
  text: `select ${feedJson('$3::int')} as feed from feeds f
    where f.account_id = $1 and f.id = $2 and f.id <> 'upload'`,
};

const LIST: Statement = {
  text: `
    select ${feedJson('$2::int')} as feed from feeds f where f.account_id = $1 and f.id > $3
      and f.id <> 'upload' order by f.id limit $4::int`,
};

const EXISTS: Statement = { text: 'select id from feeds where account_id = $1 and id = $2' };

const DEALER: Statement = {
  text: 'select slug from dealers where account_id = $1 and slug = $2 for key share',
};

/** The job of each feed in `rows`. */
const queued = (rows: string, due: string) => `queued as (${enqueue(
  `select home.account_id, 'feed', id, ${due} from ${HOME}, ${rows}`,
  ', due_at',
)}
    )`;

const CREATE: Statement = {
  text: `
    with made as (
      insert into feeds (account_id, id, ${SETTINGS}, next_run_at)
      select $1, $2, ${SETTINGS}, case when g.enabled then now() end
      from json_populate_record(null::feeds, $3::json) g
      where (select count(*) from feeds where account_id = $1 and id <> 'upload') < $4::int returning id, next_run_at
    ), ${queued('made where next_run_at is not null', 'next_run_at')}
    select id from made`,
};

/** The file that was applied last may mean something else now: it is read again. */
const CHANGE: Statement = {
  text: `
    update feeds f set (${SETTINGS}) = (select ${SETTINGS} from json_populate_record(f, $3::json)),
      file_sha256 = null, file_etag = null, file_last_modified = null, file_observed_at = null, updated_at = moment.at
    from ${PRESENT_MOMENT} where f.account_id = $1 and f.id = $2`,
};

/** A secret that was changed meanwhile stays. */
const RESEAL: Statement = {
  text: `
    update feeds set password = case when password = $3 then $4 else password end,
      private_key = case when private_key = $3 then $4 else private_key end
    where account_id = $1 and id = $2 and $3 in (password, private_key)`,
};

const RESCHEDULE: Statement = {
  text: `
    with next as materialized (
      select case when enabled
        then least(coalesce(next_run_at, now()), now() + make_interval(mins => cadence_minutes)) end as at
      from feeds where account_id = $1 and id = $2
    ), moved as (
      update feeds f set next_run_at = next.at from next
      where f.account_id = $1 and f.id = $2 returning f.id, f.next_run_at
    ), ${queued('moved where next_run_at is not null', 'next_run_at')}
    select id from moved`,
};

const REMOVE: Statement = {
  text: `
    with unqueued as (delete from jobs where account_id = $1 and kind = 'feed' and key = $2)
    delete from feeds where account_id = $1 and id = $2 returning id`,
};

const REMOVE_RUNS: Statement = {
  text: 'delete from feed_runs where account_id = $1 and feed_id = $2 returning id, raw, sha256',
};

const REMOVE_TRACES: Statement = {
  text: `
    with parts as (delete from feed_parts where account_id = $1 and feed_id = $2),
    members as (delete from feed_members where account_id = $1 and feed_id = $2),
    rejects as (
      delete from feed_rejects where account_id = $1
        and run_id in (select id from json_array_elements_text($3::json) as gone(id))
    )
    delete from issues where account_id = $1 and source = $2`,
};

const RUNS: Statement = {
  text: `
    select ${runJson('$3::int')} as run from feed_runs r
    where r.account_id = $1 and r.feed_id = $2
      and ($4 = '' or r.no < (select no from feed_runs b where b.account_id = $1 and b.id = $4))
    order by r.no desc limit $5::int`,
};

const RUN: Statement = {
  text: `
    select ${runJson('$4::int')} as run from feed_runs r
    where r.account_id = $1 and r.feed_id = $2 and r.id = $3`,
};

const REJECTS: Statement = {
  text: `
    select chunk, rejects from feed_rejects where account_id = $1 and run_id = $2 and chunk > $3::int
    order by chunk limit $4::int`,
};

const CADENCE = 'greatest(s.cadence_minutes, a.min_feed_cadence_minutes)';

/** The run that is under way, or a new one; no row when there is no such feed. */
const START: Statement = {
  text: `
    with next as materialized (
      select case when s.enabled
        then ${dueSlot('now()', CADENCE, CADENCE)} end as at
      from feeds s join accounts a on a.id = s.account_id where s.account_id = $1 and s.id = $2
    ), feed as (
      update feeds f set next_run_at = next.at from next
      where f.account_id = $1 and f.id = $2 returning f.id
    ), numbered as materialized (
      select id, nextval('feed_runs_no_seq') as no from feed
    ), started as (
      insert into feed_runs as r (account_id, id, feed_id, no) overriding system value
      select home.account_id, $3, id, no from ${HOME}, numbered
      on conflict (account_id, feed_id) where status in ('queued', 'running') do update set feed_id = excluded.feed_id
      returning r.id
    ), ${queued('feed, lateral (select now() as due_at) moment', 'due_at')}
    select id from started`,
};

/** A held run may go on as long as no later run had a file: what that has would be delisted unseen. */
const RELEASE: Statement = {
  text: `
    with run as (
      select r.id, r.status, exists (select 1 from feed_runs o where o.account_id = $1 and o.feed_id = $2 and o.no > r.no
        and (o.status <> 'failed' or o.rows > 0)) as later
      from feed_runs r where r.account_id = $1 and r.feed_id = $2 and r.id = $3 for update
    ), released as (
      update feed_runs u set status = 'queued', phase = 'reconcile', released = true, due_at = now(), claims = 0,
        finished_at = null
      from run where u.account_id = $1 and u.id = run.id and run.status = 'held' and not run.later
      returning u.feed_id as id
    ), ${queued('released, lateral (select now() as due_at) moment', 'due_at')}
    select status, exists (select 1 from released) as released from run`,
};
