import { expect, test } from 'vitest';
import { beginRun } from '../../../lib/feeds/queries/begin-run.ts';
import { endRun } from '../../../lib/feeds/queries/end-run.ts';
import { queueRun, refuseHeld } from '../../../lib/feeds/queries/start-run.ts';
import type { ClaimedRun } from '../../../lib/feeds/run/claimed-run.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';

const [ACCOUNT, FEED, RUN] = ['acc_locks', 'feed_locks', 'run_locks'];
const { sql } = await suiteDatabase();
const write = (text: string) => sql.query({ text });
await write(`insert into accounts (id, name, tier) values ('${ACCOUNT}', 'Locks', 'pro')`);
await write(`insert into feeds (account_id, id, name, protocol, url, next_run_at)
  values ('${ACCOUNT}', '${FEED}', 'North', 'https', '', now())`);

const WAITS = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
const CLAIM = { accountId: ACCOUNT, feedId: FEED, runId: RUN, no: 1, fence: 1, phases: [] };

test.each([
  ['begins', 'succeeded', () => beginRun(sql, ACCOUNT, FEED, 'run_due')],
  ['ends', 'running', () => endRun(sql, CLAIM as unknown as ClaimedRun, { status: 'unchanged' })],
  ['is refused', 'held', () => refuseHeld(sql, ACCOUNT, FEED, RUN)],
])(
  'while a run %s, whoever has locked its feed locks its runs without a deadlock',
  async (_, status, act) => {
    await write('delete from feed_runs');
    await write(`insert into feed_runs (account_id, id, feed_id, status, phase, fence)
    values ('${ACCOUNT}', '${RUN}', '${FEED}', '${status}', 'ingest', 1)`);
    const { acted } = await sql.transaction(async (bound) => {
      await bound.query({ text: `select from feeds where id = '${FEED}' for update` });
      const waiting = act();
      await expect.poll(() => write(WAITS)).not.toEqual([]);
      await bound.query({ text: `select from feed_runs where feed_id = '${FEED}' for update` });
      await queueRun(bound, ACCOUNT, FEED, 'run_new');
      return { acted: waiting };
    }, 'job');
    await acted;
  },
);

test('a feed that is due stays due when a run is asked for while another is running', async () => {
  await write('update feeds set next_run_at = now()');
  await write(`update feed_runs set status = 'running' where status = 'queued'`);
  await queueRun(sql, ACCOUNT, FEED, 'run_more');
  expect(await write('select 1 from feeds where next_run_at <= now()')).toHaveLength(1);
});
