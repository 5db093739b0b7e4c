import { PRESENT_MOMENT, START_MOMENT } from '../../db/fragments.ts';
import type { Page, Sql, Statement } from '../../db/sql.ts';
import { type FeedChange, type FeedSettings, UPLOAD_FEED } from '../feed.ts';
import { FEED_JSON, type FeedJson, toFeed } from './feed-json.ts';
import { queueJobs } from './start-run.ts';

/** Feeds of an account, each with its latest run. Secrets are sealed before they come here. */

/** The columns that callers set. */
const SETTINGS = `name, dealer, protocol, url, username, password, private_key, host_key_sha256, format, source_provider_id,
  mapping, defaults, class_from_vin, cadence_minutes, misses_before_delist, enabled`;

/** Locks the dealer until the transaction ends, so that it cannot be deleted meanwhile; false: there is none. */
export const lockDealer = async (db: Sql, accountId: string, slug: string) =>
  (await db.query(DEALER, [accountId, slug])).length > 0;

/** Due at once. False: the account has so many feeds already. */
export const insertFeed = async (
  db: Sql,
  accountId: string,
  id: string,
  settings: FeedSettings,
  maxFeeds: number,
) => (await db.query(CREATE, [accountId, id, JSON.stringify(settings), maxFeeds])).length > 0;

/** In order of id. */
export async function listFeeds(db: Sql, accountId: string, { limit, after }: Page) {
  const rows = await db.query<{ feed: FeedJson }>(LIST, [accountId, after ?? '', limit]);
  return rows.map(({ feed }) => toFeed(feed));
}

export async function readFeed(db: Sql, accountId: string, id: string) {
  const [row] = await db.query<{ feed: FeedJson }>(GET, [accountId, id]);
  return row ? toFeed(row.feed) : null;
}

/** Due at once, unless it is switched off. */
export const updateFeed = (db: Sql, accountId: string, id: string, change: FeedChange) =>
  db.query(CHANGE, [accountId, id, JSON.stringify(change)]);

/** Puts the same secret, sealed anew, in the place of a sealed one. */
export async function resealSecret(db: Sql, accountId: string, id: string, sealed: string, anew: string) {
  await db.query(RESEAL, [accountId, id, sealed, anew]);
}

/**
 * With its runs and what they brought; listings stay. A run with a raw file is kept, hidden, until housekeeping has removed
 * that file. False: no such feed.
 */
export function deleteFeed(db: Sql, accountId: string, id: string) {
  return db.transaction(async (bound) => {
    const rows = await bound.query(REMOVE, [accountId, id]);
    if (rows.length === 0) return false;
    await bound.query(END_RUNS, [accountId, id]);
    // A statement of its own: it sees what the worker of the last run has just committed.
    await bound.query(REMOVE_TRACES, [accountId, id]);
    return true;
  }, 'job');
}

const GET: Statement = {
  text: `select ${FEED_JSON} as feed from feeds f
    where f.account_id = $1 and f.id = $2 and f.id <> '${UPLOAD_FEED}'`,
};

const LIST: Statement = {
  text: `
    select ${FEED_JSON} as feed from feeds f where f.account_id = $1 and f.id > $2
      and f.id <> '${UPLOAD_FEED}' order by f.id limit $3::int`,
};

const DEALER: Statement = {
  text: 'select slug from dealers where account_id = $1 and slug = $2 for key share',
};

const CREATE: Statement = {
  text: `
    with made as (
      insert into feeds (account_id, id, ${SETTINGS}, next_run_at)
      select $1, $2, ${SETTINGS}, case when g.enabled then now() end
      from json_populate_record(null::feeds, $3::json) g
      where (select count(*) from feeds where account_id = $1 and id <> '${UPLOAD_FEED}') < $4::int returning id, next_run_at
    ), ${queueJobs('made where next_run_at is not null', 'next_run_at')}
    select id from made`,
};

/** The file that was applied last may mean something else now: it is read again. */
const CHANGE: Statement = {
  text: `
    with changed as (
      update feeds f set (${SETTINGS}, next_run_at) = (
          select ${SETTINGS}, case when enabled then moment.at end from json_populate_record(f, $3::json)),
        file_sha256 = null, file_etag = null, file_last_modified = null, file_observed_at = null, updated_at = moment.at
      from ${PRESENT_MOMENT} where f.account_id = $1 and f.id = $2 returning f.id, f.next_run_at
    ), ${queueJobs('changed where next_run_at is not null', 'next_run_at')}
    select id from changed`,
};

/** A secret that was changed meanwhile stays. */
const RESEAL: Statement = {
  text: `
    update feeds set password = case when password = $3 then $4 else password end,
      private_key = case when private_key = $3 then $4 else private_key end
    where account_id = $1 and id = $2 and $3 in (password, private_key)`,
};

const REMOVE: Statement = {
  text: `
    with unqueued as (delete from jobs where account_id = $1 and kind = 'feed' and key = $2)
    delete from feeds where account_id = $1 and id = $2 returning id`,
};

/** Its worker writes nothing any more. */
const END_RUNS: Statement = {
  text: `
    update feed_runs set status = 'failed', finished_at = coalesce(finished_at, moment.at)
    from ${START_MOMENT} where account_id = $1 and feed_id = $2`,
};

const REMOVE_TRACES: Statement = {
  text: `
    with parts as (delete from feed_parts where account_id = $1 and feed_id = $2),
    members as (delete from feed_members where account_id = $1 and feed_id = $2),
    rejects as (
      delete from feed_rejects where account_id = $1
        and run_id in (select id from feed_runs where account_id = $1 and feed_id = $2)
    ), runs as (delete from feed_runs where account_id = $1 and feed_id = $2 and not raw)
    delete from issues where account_id = $1 and source = $2`,
};
