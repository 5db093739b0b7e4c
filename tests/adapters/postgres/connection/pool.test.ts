import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Driver } from '../../../../lib/adapters/postgres/connection/connection.ts';
import { openPool } from '../../../../lib/adapters/postgres/connection/pool.ts';
import { DatabaseDown, type Sql } from '../../../../lib/adapters/postgres/connection/sql.ts';

/** A driver whose steps take this long (ms), on a clock of the test's own, with two connections. */
function slowDriver(times: { connect: number; query: number }, onRelease = () => {}): Sql {
  let free = 2;
  const waiting: (() => void)[] = [];
  const release = () => {
    onRelease();
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  type Connect = Driver['pool']['connect'];
  const client: NonNullable<Parameters<Parameters<Connect>[0]>[1]> = {
    query: (_, done) => void setTimeout(done, times.query, null, { rows: [{ v: 1 }], command: 'SELECT' }),
    on: () => {},
    release,
  };
  const connect: Connect = (done) => {
    const start = () => void setTimeout(done, times.connect, undefined, client);
    if (free === 0) waiting.push(start);
    else {
      free--;
      start();
    }
  };
  const pool = { connect, on: () => {}, end: async () => {} };
  const silent = { ...client, connect: () => new Promise(() => {}), end: async () => {} };
  return openPool(async () => ({ pool, places: 2, newClient: () => silent, getTypeParser: () => String }));
}

/** What each of these queries, started together, came to and after how many ms. */
async function outcomes(sql: Sql, count: number) {
  const queries = Array.from({ length: count }, async () => {
    const answer = await sql.query({ text: 'select 1 as v' }).catch((error: unknown) => error);
    return { down: answer instanceof DatabaseDown, after: performance.now() };
  });
  await vi.advanceTimersByTimeAsync(10_000);
  return Promise.all(queries);
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a request hears within 4 s that the database is away, however many wait before it', async () => {
  for (const [connect, query] of [
    [Infinity, 0],
    [0, Infinity],
    [1_400, Infinity],
    [3_001, 0],
  ] as const) {
    vi.setSystemTime(0);
    const start = performance.now();
    const limit = 2 ** 31 - 1;
    const sql = slowDriver({ connect: Math.min(connect, limit), query: Math.min(query, limit) });
    for (const { down, after } of await outcomes(sql, 9)) {
      expect({ down, inTime: after - start <= 4_000 }).toEqual({ down: true, inTime: true });
    }
  }
});

test('a database that may have to wake is waited for once: later requests hear of its outage within 2.5 s', async () => {
  const sql = slowDriver({ connect: 2 ** 31 - 1, query: 0 });
  await outcomes(sql, 1);
  const start = performance.now();
  for (const { down, after } of await outcomes(sql, 2))
    expect({ down, inTime: after - start <= 2_500 }).toEqual({ down: true, inTime: true });
});

test('a slow but living database answers everyone it can reach in the budget', async () => {
  const answers = await outcomes(slowDriver({ connect: 400, query: 300 }), 4);
  expect(answers.map(({ down }) => down)).toEqual([false, false, false, false]);
});

test('a database that answers others meanwhile is busy, and waited for', async () => {
  const answers = await outcomes(slowDriver({ connect: 0, query: 900 }), 8);
  expect(answers.map(({ down }) => down)).toEqual(Array.from({ length: 8 }, () => false));
});

test('a connection that came too late goes to the pool, and its place is free again', async () => {
  const release = vi.fn();
  const sql = slowDriver({ connect: 3_100, query: 0 }, release);
  for (const round of [1, 2, 3]) {
    const answers = await outcomes(sql, 2);
    expect(answers.map(({ down }) => down)).toEqual([true, true]);
    expect(release).toHaveBeenCalledTimes(2 * round);
  }
});
