import { describe, expect, test, vi } from 'vitest';
import { openPg } from '../../../../lib/adapters/postgres/connection/pg.ts';
import { sqlState } from '../../../../lib/adapters/postgres/connection/sql.ts';
import { useDatabase } from '../../../support/postgres/postgres.ts';
import { startWireCounter } from '../../../support/postgres/wire-counter.ts';
import { failure, one, run } from './drivers-under-test.ts';

describe('pg alone', () => {
  const database = useDatabase();

  test('a database that does not exist and a wrong password are mistakes, not outages', async () => {
    const wrong = { pathname: '/no_such_database', password: 'wrong' };
    const states = Object.entries(wrong).map(async ([part, value]) => {
      const sql = openPg({ url: Object.assign(new URL(database()), { [part]: value }).href });
      const state = sqlState(await failure(run(sql, 'select 1')));
      await sql.close();
      return state;
    });
    expect(await Promise.all(states)).toEqual(['3D000', '28P01']);
  });

  test('a statement costs one message, a transaction two more', async () => {
    const counter = await startWireCounter(database());
    const sql = openPg({ url: counter.url, max: 1 });
    const lookUp = { text: 'select $1::int as v', prepared: true };
    await sql.query(lookUp, [1]);
    counter.reset();
    await sql.query(lookUp, [2]);
    expect([counter.count(), counter.statements()]).toEqual([1, [lookUp.text]]);
    counter.reset();
    await sql.transaction(async (bound) => {
      await bound.query(lookUp, [3]);
      await run(bound, 'select 4');
    });
    expect(counter.count()).toBe(4);
    expect(counter.statements().slice(1)).toEqual([lookUp.text, 'select 4', 'commit']);
    await sql.close();
    await counter.close();
  });

  test('a connection that a frozen instance kept for too long is not used again', async () => {
    const counter = await startWireCounter(database());
    const sql = openPg({ url: counter.url, max: 1 });
    const backend = () => one(sql, 'select pg_backend_pid() as v');
    const first = await backend();
    expect(await backend()).toBe(first);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect(await backend()).not.toBe(first);
    vi.restoreAllMocks();
    await sql.close();
    await counter.close();
  });
});
