import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openPg } from '../../../../lib/db/connection/pool.ts';
import { migrate } from '../../../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../../../lib/db/sql.ts';
import { firstMigration } from '../../../support/postgres/later-migration.ts';
import { usePostgres } from '../../../support/postgres/postgres.ts';
import { startService } from '../../../support/service/service.ts';
import { provideStore } from '../../../support/service/store.ts';

/**
 * The first migration has landed and is frozen: a database that it made, with rows that the service of that day
 * wrote, must serve everybody after all later migrations.
 */

const DRIZZLE = new URL('../../../../drizzle/', import.meta.url);
const FIXTURE = new URL('../../../fixtures/first-database.json', import.meta.url);

const FIRST_HASH = '6e9ccadbfc92331606d4fcdd937283aa99821dd8cedfea46b8c5ec2e1507b67d';

interface FirstDatabase {
  key: string;
  dealer: string;
  vins: { available: string; sold: string };
  tables: Record<string, object[]>;
}

/** What two runs of a feed found, the later one in two chunks. */
const FOUND_BY_RUNS = `insert into feed_chunks values ('acc', 'feed', 1, 0, '{both,earlier}'),
  ('acc', 'feed', 2, 0, '{later,both}'), ('acc', 'feed', 2, 1, '{both}')`;
const MEMBERS = `select convert_from(dedup_hash, 'UTF8') as truck, part, run_no::int as run, misses
  from feed_members where account_id = 'acc' order by truck`;

async function fill(sql: Sql, tables: FirstDatabase['tables']): Promise<void> {
  await sql.transaction(async (bound) => {
    // Rows come table by table, not in the order of their foreign keys.
    await bound.query({ text: 'set local session_replication_role = replica' });
    for (const [table, rows] of Object.entries(tables)) {
      const names = Object.keys(rows[0] ?? {}).map((name) => `"${name}"`);
      const text = `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1::json)`;
      await bound.query({ text }, [JSON.stringify(rows)]);
    }
  });
}

test('the first migration is frozen: whatever comes later is a migration of its own', async () => {
  const text = await readFile(new URL('0000_service.sql', DRIZZLE));
  expect(createHash('sha256').update(text).digest('hex')).toBe(FIRST_HASH);
});

test('a database of the first migration, brought up to date, serves everybody and goes on', async () => {
  const first: FirstDatabase = JSON.parse(await readFile(FIXTURE, 'utf8'));
  const url = await usePostgres().createDatabase();
  const sql = openPg({ url });
  expect(await migrate(sql, firstMigration())).toBe(1);
  await fill(sql, first.tables);
  await sql.query({ text: FOUND_BY_RUNS });
  await sql.query({ text: `insert into feed_missing values ('acc', 'feed', 'gone', 1, 1)` });
  await migrate(sql);
  expect(await sql.query({ text: MEMBERS }), 'in a part the newest run’s, others missed as before').toEqual([
    { truck: 'both', part: 2, run: 1, misses: 0 },
    { truck: 'earlier', part: null, run: 1, misses: 0 },
    { truck: 'gone', part: null, run: 1, misses: 1 },
    { truck: 'later', part: 1, run: 2, misses: 0 },
  ]);
  expect(await sql.query({ text: 'select kind, key from jobs' }), 'what waited has a job').toEqual([
    { kind: 'feed', key: 'feed_5f8e15a23df3ae7327eedd11' },
  ]);
  provideStore({ sql, url });
  const service = await startService();
  const call = async (method: string, path: string, json?: unknown) => {
    const answer = await service.call(method, path, { token: first.key, ...(json ? { json } : {}) });
    expect(answer.status, path).toBe(200);
    return answer.body;
  };

  const {
    vin,
    status,
    year,
    make,
    class: truckClass,
  } = await call('GET', `/v1/inventory/${first.vins.available}`);
  expect([vin, status]).toEqual([first.vins.available, 'available']);
  expect((await call('GET', '/v1/inventory')).listings).toContainEqual(expect.objectContaining({ vin }));
  expect((await call('GET', '/v1/dealers')).dealers).toHaveLength(1);
  const repriced = { vin, year, make, class: truckClass, price: 43_210 };
  expect((await call('POST', '/v1/inventory', repriced)).outcome).toBe('merged');
  expect((await call('POST', '/v1/inventory', repriced)).outcome).toBe('unchanged');
  expect(await call('PATCH', '/v1/inventory', { vin, status: 'sold' })).toMatchObject({
    previous_status: 'available',
    updated: 1,
  });
  expect((await call('GET', `/v1/inventory/${first.vins.sold}`)).status).toBe('sold');
  const { feeds } = await call('GET', '/v1/feeds');
  expect(feeds).toHaveLength(1);
  await call('GET', `/v1/feeds/${feeds[0].id}/runs`);
  expect((await call('GET', '/v1/leads')).leads).toMatchObject([{ dealer: first.dealer }]);
});
