import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dealers } from '../../drizzle/schema/dealers.ts';
import { builder } from '../../lib/db/builder.ts';
import { listUnscoped, readSent } from '../support/postgres/sent-sql.ts';
import { withoutAccount } from '../support/postgres/sql-reader.ts';

/** What every suite's end asserts of the statements that it sent (tests/support/service/tenancy.ts). */

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
])('planted fault: %s is found', (_, text) => {
  expect(withoutAccount(text)).not.toEqual([]);
});

test('planted fault: a statement of the builder without the account is found when it is sent', async () => {
  const sql = readSent({
    transactional: false,
    query: async () => [],
    transaction: () => Promise.reject(new Error('none')),
    close: async () => undefined,
  });
  await builder(sql).select().from(dealers).where(eq(dealers.slug, 'x'));
  expect(listUnscoped().splice(0)).toHaveLength(1);
});
