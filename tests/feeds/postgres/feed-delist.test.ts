import { expect, test } from 'vitest';
import type { Sql, Statement } from '../../../lib/db/sql.ts';
import { delistSlice, markMissing } from '../../../lib/feeds/queries/reconcile.ts';
import type { FeedClaim } from '../../../lib/feeds/run/claimed-run.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';

/** Work that grows with the square of what is gone takes minutes for a large feed: rows compared are counted, not time. */

const GONE = 3_000;
const [ACCOUNT, FEED, RUN] = ['acc_delist', 'feed_delist', 'run_delist'];
const { sql } = await suiteDatabase();
interface Plan {
  'Rows Removed by Join Filter'?: number;
  'Actual Loops': number;
  Plans?: Plan[];
}

const compared = (plan: Plan): number =>
  (plan['Rows Removed by Join Filter'] ?? 0) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, inner) => sum + compared(inner), 0);

/** The same transaction, where the plans of statements that write are taken first, and undone. */
function explained(real: Sql, plans: Plan[]): Sql {
  return {
    ...real,
    transactional: real.transactional,
    close: () => real.close(),
    async query<Row>(statement: Statement, params?: readonly unknown[]) {
      const text = `explain (analyze, format json, timing off) ${statement.text}`;
      await real.query({ text: 'savepoint plan' });
      const [row] = await real.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({ ...statement, text }, params);
      if (row) plans.push(row['QUERY PLAN'][0].Plan);
      await real.query({ text: 'rollback to plan' });
      return real.query<Row>(statement, params);
    },
    transaction: (work, role) => real.transaction((bound) => work(explained(bound, plans)), role),
  };
}

test('delisting compares no listing with every other, though the statistics know of none', async () => {
  const write = (text: string) => sql.query({ text });
  await write(`alter table feed_members set (autovacuum_enabled = off); analyze feed_members`);
  await write(`insert into feed_runs (account_id, id, feed_id, status, phase, fence, observed_at)
    values ('${ACCOUNT}', '${RUN}', '${FEED}', 'running', 'reconcile', 1, now())`);
  // Every tenth was seen by somebody else since.
  await write(`insert into listings (account_id, dedup_hash, vin, source_provider_id, status, version, doc, quality,
      observed_at, first_seen_at, updated_at)
    select '${ACCOUNT}', sha256(n::text::bytea), 'V' || n, '', 'available', 1, '{}', '{}',
      case when n % 10 = 0 then now() + interval '1 hour' else now() - interval '1 hour' end, now(), now()
    from generate_series(1, ${GONE}) n`);
  await write(`insert into listing_search (account_id, dedup_hash, vin, status, make, model_year, quality, has_images,
      updated_at)
    select account_id, dedup_hash, vin, status, 'Volvo', 2020, 50, false, now() from listings`);
  await write(`analyze listings; analyze listing_search`);
  await write(`insert into accounts (id, name, tier) values ('${ACCOUNT}', 'Delist', 'pro')`);
  await write(`insert into feeds (account_id, id, name, protocol, url)
    values ('${ACCOUNT}', '${FEED}', 'North', 'https', ''), ('${ACCOUNT}', 'feed_other', 'South', 'https', '')`);
  // Every tenth is in another feed's file.
  await write(`insert into feed_members (account_id, feed_id, dedup_hash, misses, run_no)
    select account_id, '${FEED}', dedup_hash, 0, 1 from listings`);
  await write(`insert into feed_members (account_id, feed_id, dedup_hash, part, misses, run_no)
    select account_id, 'feed_other', dedup_hash, 1, 0, 1 from listings
    where substr(vin, 2)::int % 10 = 1`);

  const plans: Plan[] = [];
  const claim: FeedClaim = { accountId: ACCOUNT, feedId: FEED, runId: RUN, no: 1, fence: 1 };
  const db = explained(sql, plans);
  await db.transaction((bound) => markMissing(bound, claim), 'job');
  // As if what was seen since had been missed as well.
  await write('update feed_members set misses = 1 where part is null');
  await delistSlice(db, claim, GONE);

  expect(plans).toHaveLength(3);
  expect(plans.reduce((sum, plan) => sum + compared(plan), 0)).toBeLessThan(10 * GONE);
  const [left] = await sql.query<{ delisted: number; missing: number; patient: number }>({
    text: `select (select count(*)::int from listings where status = 'delisted') as delisted, count(*)::int as missing,
      count(*) filter (where misses = 0)::int as patient from feed_members where feed_id = '${FEED}'`,
  });
  expect(left).toEqual({ delisted: 2_400, missing: 300, patient: 300 });
});
