import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { openPg } from '../../../../lib/db/connection/pool.ts';
import { distribute, NotCitus } from '../../../../lib/db/migrations/distribute.ts';
import { migrate } from '../../../../lib/db/migrations/migrate.ts';
import type { Sql } from '../../../../lib/db/sql.ts';
import { withLaterIndex } from '../../../support/postgres/later-migration.ts';
import { type PostgresServer, usePostgres } from '../../../support/postgres/postgres.ts';
import { runScript } from '../../../support/processes/run-script.ts';
import { startBlackhole } from '../../../support/servers/blackhole.ts';
import { throughPort } from '../../../support/servers/ports.ts';

/** Migrations of a later day, on a database that has the first one. */

const LATER = 'later on accounts (name)';
let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await usePostgres();
});

test('what is missing is applied once, indexes outside of a transaction', async () => {
  const sql = openPg({ url: await postgres.createDatabase() });
  const first = await migrate(sql);
  expect(first).toBeGreaterThan(0);
  await sql.query({ text: `insert into accounts (id, name, tier) values ('acc_1', 'Kept', 'pro')` });
  const later = withLaterIndex(LATER);
  expect(await migrate(sql, later)).toBe(1);
  expect(await migrate(sql, later)).toBe(0);
  expect(await readIndex(sql)).toEqual({ valid: true, unique: false });
  expect(await sql.query({ text: 'select name from accounts' })).toEqual([{ name: 'Kept' }]);
  await sql.close();
});

test('migrators that start together apply each migration once', async () => {
  const url = await postgres.createDatabase();
  const first = openPg({ url });
  const racers = [first, ...Array.from({ length: 7 }, () => openPg({ url }))];
  const later = withLaterIndex(LATER);
  const counts = await Promise.all(racers.map((sql) => migrate(sql, later)));
  const applied = counts.reduce((sum, count) => sum + count, 0);
  const noted = await first.query({ text: 'select count(*)::int as n from drizzle.__drizzle_migrations' });
  expect(noted).toEqual([{ n: applied }]);
  for (const sql of racers) await sql.close();
});

test('an index that a migrator left half built is built again', async () => {
  const sql = openPg({ url: await postgres.createDatabase() });
  await migrate(sql);
  await sql.query({
    text: `insert into accounts (id, name, tier) values ('acc_1', 'Twin', 'pro'), ('acc_2', 'Twin', 'pro')`,
  });
  const half = sql.query({ text: 'create unique index concurrently later on accounts (name)' });
  await expect(half).rejects.toMatchObject({ cause: { code: '23505' } });
  expect(await migrate(sql, withLaterIndex(LATER))).toBe(1);
  expect(await readIndex(sql)).toEqual({ valid: true, unique: false });
  await sql.close();
});

async function readIndex(sql: Sql): Promise<unknown> {
  const [index] = await sql.query({
    text: `select indisvalid as valid, indisunique as "unique" from pg_index where indexrelid = 'later'::regclass`,
  });
  return index;
}

test('a database without Citus is not distributed, and says so', async () => {
  const sql = openPg({ url: await postgres.createDatabase() });
  await migrate(sql);
  await expect(distribute(sql)).rejects.toThrow(NotCitus);
  await sql.close();
});

test('`npm run migrate` says in a line which address is wrong', async () => {
  const nowhere = Object.assign(new URL(postgres.url), { pathname: '/nosuch' }).href;
  const failed = runScript(process.execPath, ['scripts/migrate.ts'], { POSTGRES_URL: nowhere });
  await expect(failed).rejects.toThrow(/"nosuch" does not exist. Check POSTGRES_URL_NON_POOLING/);
  await expect(failed).rejects.not.toThrow(/\n {4}at /);
});

test('`npm run migrate` waits for a database that is not there yet', async () => {
  const url = await postgres.createDatabase();
  const line = await startBlackhole(Number(new URL(url).port));
  await line.set('refuse');
  const printed = runScript(process.execPath, ['scripts/migrate.ts'], {
    POSTGRES_URL: throughPort(url, line.port),
  });
  await sleep(4_000);
  await line.set('forward');
  expect(await printed).toContain('migration(s) applied.');
  await line.close();
});
