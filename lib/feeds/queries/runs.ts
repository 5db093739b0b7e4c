import type { Page, Sql, Statement } from '../../db/sql.ts';
import type { FeedReject } from '../feed.ts';
import { FEED_LIMITS } from '../schemas/feed-fields.ts';
import { type RunJson, runJson, toRun } from './feed-json.ts';

/** Runs of a feed as they are answered. */

/** Newest first. */
export async function listRuns(db: Sql, accountId: string, feedId: string, { limit, after }: Page) {
  const rows = await db.query<{ run: RunJson }>(RUNS, [accountId, feedId, after ?? '', limit]);
  return rows.map(({ run }) => toRun(run));
}

export async function readRun(db: Sql, accountId: string, feedId: string, runId: string) {
  const [row] = await db.query<{ run: RunJson }>(RUN, [accountId, feedId, runId]);
  return row ? toRun(row.run) : null;
}

/** Rejects of a run in order, those of some parts after the one named; none: that was all. */
export const listRejects = (db: Sql, accountId: string, runId: string, afterPart: number) =>
  db.query<{ chunk: number; rejects: FeedReject[] }>(REJECTS, [accountId, runId, afterPart]);

const RUNS: Statement = {
  text: `
    select ${runJson(FEED_LIMITS.rejectsListed)} as run from feed_runs r
    where r.account_id = $1 and r.feed_id = $2
      and ($3 = '' or r.no < (select no from feed_runs b where b.account_id = $1 and b.id = $3))
    order by r.no desc limit $4::int`,
};

const RUN: Statement = {
  text: `
    select ${runJson(FEED_LIMITS.rejectsReturned)} as run
    from feed_runs r join feeds f on f.account_id = $1 and f.id = r.feed_id
    where r.account_id = $1 and r.feed_id = $2 and r.id = $3`,
};

const REJECTS: Statement = {
  text: `
    select chunk, rejects from feed_rejects where account_id = $1 and run_id = $2 and chunk > $3::int
    order by chunk limit 20`,
};
