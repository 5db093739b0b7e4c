import { expect, test } from 'vitest';
import { asAccount } from '../../../../lib/db/connection/current-account.ts';
import { suiteDatabase } from '../../../support/postgres/suite-database.ts';
import { one, run } from './drivers-under-test.ts';

const { sql } = await suiteDatabase();

test('slow statements of one account keep no other waiting, nor those of two for long', async () => {
  await run(sql, 'select 1');
  let left = 0;
  const search = async () => {
    left += 1;
    await run(sql, 'select pg_sleep(0.4)');
    left -= 1;
  };
  const flood = (account: string) =>
    asAccount(account, () => Promise.all(Array.from({ length: 12 }, search)));
  const look = () => asAccount('quiet', () => one(sql, 'select 1 as v'));
  const [first, afterOne] = [flood('loud'), await look()];
  expect([afterOne, left]).toEqual([1, 12]);
  const [second, afterTwo] = [flood('louder'), await look()];
  expect([afterTwo, left >= 18]).toEqual([1, true]);
  await Promise.all([first, second]);
});
