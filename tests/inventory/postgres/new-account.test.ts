import { expect, test } from 'vitest';
import { TENANT_TABLES } from '../../../drizzle/schema/tenant-tables.ts';
import type { Sql, Timeout } from '../../../lib/db/sql.ts';
import { suiteDatabase } from '../../support/postgres/suite-database.ts';
import { cleanTrucks, type Truck } from '../../support/samples/trucks.ts';
import { type Answer, startService } from '../../support/service/service.ts';
import { provideStore } from '../../support/service/store.ts';

/** An account that came after the last ANALYZE costs the database what any other does. */

const { sql, url } = await suiteDatabase();
let rowsRead = 0;

/** Counts the rows of listings that statements read. */
function counting(real: Sql): Sql {
  const countAround = <T>(work: (bound: Sql) => Promise<T>, role?: Timeout) =>
    real.transaction(async (bound) => {
      const before = await readCounter(bound);
      const result = await work(bound);
      rowsRead += (await readCounter(bound)) - before;
      return result;
    }, role);
  return {
    transactional: real.transactional,
    close: () => real.close(),
    query: (statement, params) => countAround((bound) => bound.query(statement, params), statement.timeout),
    transaction: countAround,
  };
}

/** Rows of listings that this connection has read of late. */
async function readCounter(bound: Sql): Promise<number> {
  const [row] = await bound.query<{ n: number }>({ text: COUNTER });
  return row?.n ?? 0;
}
const COUNTER = `
  select (seq_tup_read + idx_tup_fetch)::float8 as n from pg_stat_xact_user_tables where relname = 'listings'`;

provideStore({ sql: counting(sql), url });
const service = await startService();

const BATCH = 500;

/** A new account with four batches of trucks; returns the last of these. */
async function fill() {
  const account = await service.newAccount();
  let trucks: Truck[] = [];
  for (let batch = 0; batch < 4; batch += 1) {
    trucks = cleanTrucks(BATCH);
    await account.post({ records: trucks });
  }
  return { account, trucks };
}

async function rowsReadBy(work: Promise<Answer>): Promise<number> {
  rowsRead = 0;
  expect((await work).status).toBe(200);
  return rowsRead;
}

test('a look-up and a batch read only their own rows, also before the next ANALYZE', async () => {
  await fill();
  await sql.query({ text: 'analyze', timeout: 'job' });
  const { account, trucks } = await fill();
  const records = trucks.map((truck) => ({ ...truck, price: 77_700 }));
  expect(await rowsReadBy(account.call('GET', `/v1/inventory/${trucks[7]?.vin}`))).toBeLessThan(5);
  expect(await rowsReadBy(account.post({ records }))).toBeLessThan(5 * BATCH);
});

test('no tenant table has statistics of its accounts; its migration says so', async () => {
  const names = await sql.query<{ name: string }>(
    {
      text: `select attrelid::regclass::text as name from pg_attribute
      where attname = 'account_id' and attrelid = any($1::regclass[]) and attstattarget is distinct from 0`,
    },
    [TENANT_TABLES],
  );
  expect(names).toEqual([]);
});
