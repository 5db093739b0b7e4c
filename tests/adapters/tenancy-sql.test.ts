import { expect, test } from 'vitest';
import { quietDealers } from '../../lib/adapters/postgres/quiet.ts';
import type { Sql } from '../../lib/adapters/postgres/sql.ts';
import { type SqlText, withoutAccount, writtenSql } from '../support/sql-reader.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Statements that cross accounts on purpose: jobs over what belongs to nobody any more. */
const CROSS_ACCOUNT = [/delete from idempotency_keys where created_at </];

/** What drizzle's builder writes, recorded instead of run. */
async function builtSql(): Promise<SqlText[]> {
  const texts: SqlText[] = [];
  const recorder: Sql = {
    transactional: false,
    query: async ({ text }) => {
      texts.push({ where: 'quiet.ts', text });
      return [];
    },
    transaction: (work) => work(recorder),
    close: async () => undefined,
  };
  const dealers = quietDealers(recorder, 'acc_1');
  await dealers.list({ limit: 2, after: null });
  await dealers.list({ limit: 2, after: 'a' });
  await dealers.change('a', { name: 'A' });
  return texts;
}

test('every SQL text on a tenant table names the account', async () => {
  const texts = [...writtenSql(ROOT), ...(await builtSql())];
  expect(texts.length).toBeGreaterThan(15);
  const checked = texts.filter(({ text }) => !CROSS_ACCOUNT.some((allowed) => allowed.test(text)));
  expect(checked.filter((text) => withoutAccount(text).length > 0)).toEqual([]);
});

test.each([
  ['a read without the account', 'select doc from listings where vin = $2'],
  [
    'an alias without the account',
    'select l.doc from listings l join dealers d on d.account_id = $1 where l.vin = $2',
  ],
  [
    'an account named only in a sub-select',
    'select * from listings where vin in (select vin from listings where account_id = $1)',
  ],
  [
    'an update by hash alone',
    "update listing_search s set status = 'sold' from changed c where s.dedup_hash = c.dedup_hash",
  ],
  [
    'an insert without the account',
    'insert into listing_events (dedup_hash, version) select hash, 1 from input',
  ],
  ['a delete without the account', 'delete from idempotency_keys where key = $2'],
  [
    'the account compared with a column instead of the caller',
    'select * from listings l where l.account_id = l.account_id',
  ],
  ['what a builder writes', 'select "slug" from "dealers" where "dealers"."slug" = $1'],
])('planted fault: %s is found', (_, text) => {
  expect(withoutAccount({ text })).not.toEqual([]);
});
