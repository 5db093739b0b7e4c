import type { Page, Sql, Statement } from '../../db/sql.ts';
import type { FeedReject, FeedRun } from '../feed.ts';
import { type RunJson, runJson, toRun } from './feed-json.ts';

/** Runs of a feed as they are answered. */

/** Reject packs read at a time. */
const PACKS = 20;

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

const EXISTS: Statement = { text: 'select id from feeds where account_id = $1 and id = $2' };

const RUNS: Statement = {
  text: `
    select ${runJson('$3::int')} as run from feed_runs r
    where r.account_id = $1 and r.feed_id = $2
      and ($4 = '' or r.no < (select no from feed_runs b where b.account_id = $1 and b.id = $4))
    order by r.no desc limit $5::int`,
};

const RUN: Statement = {
  text: `
    select ${runJson('$4::int')} as run from feed_runs r join feeds f on f.account_id = $1 and f.id = r.feed_id
    where r.account_id = $1 and r.feed_id = $2 and r.id = $3`,
};

const REJECTS: Statement = {
  text: `
    select chunk, rejects from feed_rejects where account_id = $1 and run_id = $2 and chunk > $3::int
    order by chunk limit $4::int`,
};
