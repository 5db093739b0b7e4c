import { beforeAll, expect, test } from 'vitest';
import { asAccount } from '../../../../lib/adapters/postgres/connection/current-account.ts';
import {
  DatabaseDown,
  DatabaseReadOnly,
  type Role,
} from '../../../../lib/adapters/postgres/connection/sql.ts';
import { sliceRows } from '../../../../lib/adapters/postgres/listings/batch/write-slices.ts';
import { openPglite } from '../../../../lib/adapters/postgres/pglite/pglite.ts';
import { newEmbeddedFolder, openEmbedded } from '../../../support/processes/embedded.ts';
import { failure, one, run } from '../connection/drivers-under-test.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await newEmbeddedFolder();
});

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

test('a worker that is stuck is ended, and the next statement finds what was acknowledged', async () => {
  const sql = openPglite({ dataDir, maxSilenceMs: 4_000 });
  await run(sql, 'create table before_it_stuck (id int)');
  expect(await failure(run(sql, ENDLESS))).toBeInstanceOf(DatabaseDown);
  const count = () => one(sql, 'select count(*)::int as v from before_it_stuck').catch(String);
  await expect.poll(count, { timeout: 60_000 }).toBe(0);
  await sql.close();
});

test('a transaction may be idle for as long as it likes: ending its session would end the database', async () => {
  const sql = await openEmbedded();
  const timeout = await sql.transaction((bound) =>
    one(bound, `select current_setting('idle_in_transaction_session_timeout') as v`),
  );
  expect(timeout).toBe('0');
  await sql.close();
});

test('a disk that is nearly full is read, and not written', async () => {
  const sql = openPglite({ dataDir, minFreeBytes: Number.MAX_SAFE_INTEGER });
  expect(await failure(run(sql, 'insert into kept values (8)'))).toBeInstanceOf(DatabaseReadOnly);
  const write = sql.transaction((bound) => run(bound, 'insert into kept values (9)'));
  expect(await failure(write)).toBeInstanceOf(DatabaseReadOnly);
  expect(await one(sql, 'select array_agg(id) as v from kept')).toEqual([7]);
  await sql.close();
});

test('requests go before ingest, and ingest before jobs, whoever came first', async () => {
  const sql = await openEmbedded();
  const order: string[] = [];
  await sql.transaction(async (bound) => {
    await run(bound, 'select 1');
    const ask = (role: Role) => sql.query({ text: 'select 1', role }).then(() => void order.push(role));
    const waiting = [ask('job'), ask('ingest'), ask('request'), ask('job'), ask('request')];
    waited = Promise.all(waiting);
  });
  await waited;
  expect(order).toEqual(['request', 'request', 'ingest', 'job', 'job']);
  await sql.close();
});
let waited: Promise<unknown>;

test('rows that are rewritten again and again take no more space', async () => {
  const sql = openPglite({ dataDir: 'memory', upkeepMs: 0 });
  await run(sql, 'create table rewritten (id int primary key, n int)');
  await run(sql, 'insert into rewritten select id, 0 from generate_series(1, 6000) id');
  const size = () => one(sql, `select pg_relation_size('rewritten')::int as v`);
  const before = Number(await size());
  for (let round = 0; round < 12; round += 1) {
    await run(sql, 'update rewritten set n = n + 1');
    // The database counts its dead rows once a second otherwise.
    await run(sql, 'select pg_stat_force_next_flush()');
  }
  expect(Number(await size())).toBeLessThan(4 * before);
  await sql.close();
});

test('accounts take turns on the only connection, however much one of them asks', async () => {
  const sql = await openEmbedded();
  const order: string[] = [];
  const ask = (account: string) =>
    asAccount(account, () => run(sql, 'select 1').then(() => void order.push(account)));
  const greedy = Array.from({ length: 20 }, () => ask('greedy'));
  await Promise.all([...greedy, ask('modest')]);
  expect(order.indexOf('modest')).toBeLessThanOrEqual(2);
  await sql.close();
});

test('rows are written in hash order, so many at once as fit; one too large goes alone', () => {
  const rows = ['d', 'a', 'c', 'b'].map((hash) => ({ hash, json: `"${hash.repeat(hash === 'c' ? 9 : 2)}"` }));
  expect([...sliceRows(rows, 8)]).toEqual(['["aa","bb"]', '["ccccccccc"]', '["dd"]']);
  expect([...sliceRows(rows, Number.POSITIVE_INFINITY)]).toHaveLength(1);
});
