import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPg } from '../../../../lib/db/connection/pool.ts';
import { migrate } from '../../../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../../../lib/db/sql.ts';
import { usePostgres } from '../../../support/postgres/postgres.ts';
import { startService, type TestService } from '../../../support/service/service.ts';
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

/** The first migration alone, as a folder that drizzle reads. */
async function firstMigration(): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'ctis-first-'));
  await cp(new URL('meta', DRIZZLE), join(folder, 'meta'), { recursive: true });
  const journal = JSON.parse(await readFile(new URL('meta/_journal.json', DRIZZLE), 'utf8'));
  const entries = journal.entries.slice(0, 1);
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  for (const { tag } of entries) await cp(new URL(`${tag}.sql`, DRIZZLE), join(folder, `${tag}.sql`));
  return pathToFileURL(`${folder}/`);
}

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

describe('a database of the first migration, brought up to date', () => {
  let first: FirstDatabase;
  let service: TestService;
  let members: unknown[] = [];

  beforeAll(async () => {
    first = JSON.parse(await readFile(FIXTURE, 'utf8'));
    const url = await (await usePostgres()).createDatabase();
    const sql = openPg({ url });
    expect(await migrate(sql, await firstMigration())).toBe(1);
    await fill(sql, first.tables);
    await sql.query({ text: FOUND_BY_RUNS });
    await sql.query({ text: `insert into feed_missing values ('acc', 'feed', 'gone', 1, 1)` });
    await migrate(sql);
    members = await sql.query({ text: MEMBERS });
    provideStore({ sql, url });
    service = await startService();
  });

  const call = (method: string, path: string, json?: unknown) =>
    service.call(method, path, { token: first.key, ...(json === undefined ? {} : { json }) });

  test('serves its trucks by VIN, by search and to the widget', async () => {
    const truck = await call('GET', `/v1/inventory/${first.vins.available}`);
    expect(truck.body).toMatchObject({ vin: first.vins.available, status: 'available' });
    const { body } = await call('GET', '/v1/inventory');
    expect(body.listings.map(({ vin }: { vin: string }) => vin)).toContain(first.vins.available);
    expect((await call('GET', '/v1/dealers')).body.dealers).toHaveLength(1);
  });

  test('goes on: repriced, sold, back for sale, unchanged', async () => {
    const vin = first.vins.available;
    const { body: stored } = await call('GET', `/v1/inventory/${vin}`);
    const record = { vin, year: stored.year, make: stored.make, class: stored.class };
    expect((await call('POST', '/v1/inventory', { ...record, price: 43_210 })).body.outcome).toBe('merged');
    expect((await call('POST', '/v1/inventory', { ...record, price: 43_210 })).body.outcome).toBe(
      'unchanged',
    );
    const sold = await call('PATCH', '/v1/inventory', { vin, status: 'sold' });
    expect(sold.body).toMatchObject({ previous_status: 'available', updated: 1 });
    expect((await call('GET', `/v1/inventory/${first.vins.sold}`)).body.status).toBe('sold');
  });

  test('keeps its feeds, runs and leads', async () => {
    const { feeds } = (await call('GET', '/v1/feeds')).body;
    expect(feeds).toHaveLength(1);
    expect((await call('GET', `/v1/feeds/${feeds[0].id}/runs`)).status).toBe(200);
    expect((await call('GET', '/v1/leads')).body.leads).toMatchObject([{ dealer: first.dealer }]);
  });

  test('keeps the trucks of its feeds: in a part those of the newest run, the others missed as often as before', () => {
    expect(members).toEqual([
      { truck: 'both', part: 2, run: 1, misses: 0 },
      { truck: 'earlier', part: null, run: 1, misses: 0 },
      { truck: 'gone', part: null, run: 1, misses: 1 },
      { truck: 'later', part: 1, run: 2, misses: 0 },
    ]);
  });
});
