import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPglite } from '../../../lib/adapters/postgres/connection/pglite.ts';
import { DatabaseDown, DatabaseReadOnly } from '../../../lib/adapters/postgres/connection/sql.ts';
import { failure, one, run } from './drivers-under-test.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ctis-embedded-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const ENDLESS = 'select count(*) from generate_series(1, 100000000000)';

test('the process answers while the database is busy, and closing it keeps what was acknowledged', async () => {
  const sql = openPglite({ dataDir });
  await run(sql, 'create table kept (id int)');
  await run(sql, 'insert into kept values (7)');
  expect(await failure(run(sql, ENDLESS))).toBeInstanceOf(DatabaseDown);
  await sql.close();
  const reopened = openPglite({ dataDir });
  expect(await one(reopened, 'select id as v from kept')).toBe(7);
  await reopened.close();
});

test('a disk that is nearly full is read, and not written', async () => {
  const sql = openPglite({ dataDir, minFreeBytes: Number.MAX_SAFE_INTEGER });
  expect(await failure(run(sql, 'insert into kept values (8)'))).toBeInstanceOf(DatabaseReadOnly);
  const write = sql.transaction((bound) => run(bound, 'insert into kept values (9)'));
  expect(await failure(write)).toBeInstanceOf(DatabaseReadOnly);
  expect(await one(sql, 'select array_agg(id) as v from kept')).toEqual([7]);
  await sql.close();
});
