import { expect, test } from 'vitest';
import { asAccount } from '../../../../lib/db/connection/current-account.ts';
import { openPg } from '../../../../lib/db/connection/pool.ts';
import { suiteDatabase } from '../../../support/postgres/suite-database.ts';
import { one } from './drivers-under-test.ts';

const PASS = 'select pg_advisory_xact_lock_shared($1)';
const { sql, url } = await suiteDatabase();

test('slow statements of one account keep no other account waiting, those of two only until one statement ends', async () => {
  const gates = openPg({ url });
  /** Holds a lock of this number while the work goes on. */
  const shut = <T>(gate: number, work: () => Promise<T>) =>
    gates.transaction(async (bound) => {
      await one(bound, 'select pg_advisory_xact_lock($1)', [gate]);
      return work();
    }, 'job');
  let left = 0;
  /** The first of all waits for a gate of its own. */
  const search = async () => {
    left += 1;
    await sql.query({ text: PASS, timeout: 'job' }, [Math.min(left, 2)]);
    left -= 1;
  };
  const flood = (account: string) =>
    asAccount(account, () => Promise.all(Array.from({ length: 12 }, search)));
  const look = () => asAccount('quiet', () => one(sql, 'select 1 as v'));
  const { floods } = await shut(2, async () => {
    const { floods, later } = await shut(1, async () => {
      const first = flood('loud');
      expect([await look(), left]).toEqual([1, 12]);
      // Not awaited here: it waits until gate 1 lets the first search go, which leaves 24 − 1.
      return { floods: [first, flood('louder')], later: look() };
    });
    expect([await later, left]).toEqual([1, 23]);
    return { floods };
  });
  await Promise.all(floods);
  await gates.close();
});
