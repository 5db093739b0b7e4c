import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openPg } from '../../../../lib/db/connection/pool.ts';
import { distribute, NotCitus } from '../../../../lib/db/migrations/distribute.ts';
import { migrate } from '../../../../lib/db/migrations/migrate.ts';
import { withLaterIndex } from '../../../support/postgres/later-migration.ts';
import { usePostgres } from '../../../support/postgres/postgres.ts';
import { suiteDatabase } from '../../../support/postgres/suite-database.ts';
import { runScript } from '../../../support/processes/run-script.ts';
import { startBlackhole } from '../../../support/servers/blackhole.ts';
import { throughPort } from '../../../support/servers/ports.ts';

/** Migrations of a later day, on a database that has the first one. */

const LATER = 'later on accounts (name)';
const postgres = usePostgres();
const { sql } = await suiteDatabase();
const run = (text: string) => sql.query({ text });

test('what is missing is applied once, indexes outside of a transaction, those left half built anew; rows stay', async () => {
  await run(
    `insert into accounts (id, name, tier) values ('acc_1', 'Twin', 'pro'), ('acc_2', 'Twin', 'pro')`,
  );
  const half = run('create unique index concurrently later on accounts (name)');
  await expect(half).rejects.toMatchObject({ cause: { code: '23505' } });
  const later = withLaterIndex(LATER);
  expect([await migrate(sql, later), await migrate(sql, later)]).toEqual([1, 0]);
  const built = `select indisvalid as valid, indisunique as "unique" from pg_index where indexrelid = 'later'::regclass`;
  expect(await run(built)).toEqual([{ valid: true, unique: false }]);
  expect(await run('select name from accounts')).toEqual([{ name: 'Twin' }, { name: 'Twin' }]);
});

test('migrators that start together apply each migration once', async () => {
  const url = await postgres.createDatabase();
  const racers = Array.from({ length: 8 }, () => openPg({ url }));
  const later = withLaterIndex(LATER);
  const counts = await Promise.all(racers.map((racer) => migrate(racer, later)));
  const applied = counts.reduce((sum, count) => sum + count, 0);
  const noted = await racers[0]?.query({
    text: 'select count(*)::int as n from drizzle.__drizzle_migrations',
  });
  expect(noted).toEqual([{ n: applied }]);
  for (const racer of racers) await racer.close();
});

test('a database without Citus is not distributed, and says so', async () => {
  await expect(distribute(sql)).rejects.toThrow(NotCitus);
});

const runMigrate = (url: string) =>
  runScript(process.execPath, ['scripts/migrate.ts'], { POSTGRES_URL: url });

test('`npm run migrate` says in a line which address is wrong', async () => {
  const migration = runMigrate(Object.assign(new URL(postgres.url), { pathname: '/nosuch' }).href);
  await expect(migration).rejects.toThrow(/"nosuch" does not exist. Check POSTGRES_URL_NON_POOLING/);
  await expect(migration).rejects.not.toThrow(/\n {4}at /);
});

test('`npm run migrate` waits for a database that is not there yet', async () => {
  const url = await postgres.createDatabase();
  const line = await startBlackhole(Number(new URL(url).port));
  await line.set('refuse');
  const printed = runMigrate(throughPort(url, line.port));
  await sleep(4_000);
  await line.set('forward');
  expect(await printed).toContain('migration(s) applied.');
  await line.close();
});
