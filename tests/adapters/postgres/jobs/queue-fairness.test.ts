import { beforeAll, describe, expect, test } from 'vitest';
import type { Sql, Statement } from '../../../../lib/adapters/postgres/connection/sql.ts';
import { postgresImages } from '../../../../lib/adapters/postgres/images/images.ts';
import { postgresLeads } from '../../../../lib/adapters/postgres/leads/leads.ts';
import { suiteDatabase } from '../../../support/postgres/suite-database.ts';

/** Queues that all accounts share: whoever has thousands of jobs waiting holds up nobody, and makes no claim slower. */

const BACKLOG = 20_000;

const databases = { analyzed: (await suiteDatabase()).sql, 'not analyzed yet': (await suiteDatabase()).sql };
beforeAll(async () => {
  for (const sql of Object.values(databases)) await fill(sql);
  await databases.analyzed.query({ text: 'analyze lead_deliveries, image_sources', role: 'job' });
});

const fill = (sql: Sql) =>
  sql.transaction(async (bound) => {
    await bound.query({ text: 'set local session_replication_role = replica' });
    for (const [account, count] of [
      ['crowd', BACKLOG],
      ['lone', 1],
    ] as const) {
      const old = account === 'crowd' ? 1 : 0;
      await bound.query({ text: DELIVERIES }, [account, count, old]);
      await bound.query({ text: IMAGES }, [account, count, old]);
    }
  }, 'job');

/** All but the first, the last to be due, are flagged. */
const DELIVERIES = `
  insert into lead_deliveries (account_id, lead_id, kind, dealer, suspicious, due_at)
  select $1, 'lead_' || n, 'webhook', 'lot', n > 1, now() - make_interval(days => case when n > 1 then $3::int else 0 end)
  from generate_series(1, $2::int) as n`;

const IMAGES = `
  insert into image_sources (account_id, url_hash, url, host, due_at)
  select $1, sha256(convert_to($1 || n, 'UTF8')), 'https://slow.example/' || n, 'slow.example',
    now() - make_interval(days => $3::int)
  from generate_series(1, $2::int) as n`;

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const countRows = (plan: Plan): number =>
  ((plan['Rows Removed by Filter'] ?? 0) + plan['Actual Rows']) * plan['Actual Loops'] +
  (plan.Plans ?? []).map(countRows).reduce((sum, rows) => sum + rows, 0);

/** What `claim` returns, and how many rows its statement looks at. */
async function measure<Job>(sql: Sql, claim: (on: Sql) => Promise<readonly Job[]>) {
  let rows = 0;
  const explaining: Sql = {
    ...sql,
    transactional: false,
    async query<Row>(statement: Statement, params: readonly unknown[] = []): Promise<Row[]> {
      const text = `explain (analyze, format json) ${statement.text}`;
      await sql
        .transaction(async (bound) => {
          const [answer] = await bound.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({ text }, params);
          if (answer) rows = countRows(answer['QUERY PLAN'][0].Plan);
          throw new Error('rolled back');
        }, 'job')
        .catch((error: Error) => expect(error.message).toBe('rolled back'));
      return sql.query<Row>(statement, params);
    },
  };
  return { jobs: await claim(explaining), rows };
}

describe.each(Object.entries(databases))('%s', (_, sql) => {
  test('deliveries: the lone account is served beside the crowd, a clean lead before flagged ones, and few rows are looked at', async () => {
    const { jobs, rows } = await measure(sql, (on) => postgresLeads(on).claim('webhook', 8, 60));
    const counts = Map.groupBy(jobs, ({ accountId }) => accountId);
    expect([counts.get('lone')?.length, counts.get('crowd')?.length]).toEqual([1, 2]);
    expect(counts.get('crowd')).toContainEqual(expect.objectContaining({ leadId: 'lead_1' }));
    // What is leased is counted in one pass over what waits, as long as nobody knows how little it is.
    expect(rows).toBeLessThan(sql === databases.analyzed ? 200 : 1.5 * BACKLOG);
    const { jobs: next } = await measure(sql, (on) => postgresLeads(on).claim('webhook', 8, 60));
    expect(next, 'two tries of a dealer at a time').toEqual([]);
  });

  test('images: the lone account is served beside the crowd, and few rows are looked at', async () => {
    const { jobs, rows } = await measure(sql, (on) => postgresImages(on).claim(24, 60, 'sound'));
    const counts = Map.groupBy(jobs, ({ accountId }) => accountId);
    expect([counts.get('lone')?.length, counts.get('crowd')?.length]).toEqual([1, 23]);
    expect(rows).toBeLessThan(1_000);
  });
});
