import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DriverClient, openPool } from '../../../lib/adapters/postgres/connection/pool.ts';
import { DatabaseDown, type Sql } from '../../../lib/adapters/postgres/connection/sql.ts';

/** A client that tells that the server is there. */
const answering = { connect: async () => {}, on: () => {} };

/** A driver whose steps take as long as they are told (ms), on a clock of the test's own. */
function slowDriver(times: { connect: number; query: number }, onRelease = () => {}): Sql {
  const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(resolve, ms, value));
  const client: DriverClient = {
    query: (_, done) =>
      void after(times.query, { rows: [{ v: 1 }], command: 'SELECT' }).then((answer) => done(null, answer)),
    release: onRelease,
  };
  const connect = (done: (error: unknown, client: DriverClient) => void) =>
    void after(times.connect, client).then((late) => done(null, late));
  return openPool(async () => ({ connect, idleCount: 0, end: async () => {}, spare: () => answering }), 2);
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

test('a request hears within 2.5 s that the database is away, however many wait before it', async () => {
  for (const [connect, query] of [
    [Infinity, 0],
    [0, Infinity],
    [1_400, Infinity],
    [1_501, 0],
  ] as const) {
    vi.setSystemTime(0);
    const start = performance.now();
    const limit = 2 ** 31 - 1;
    const sql = slowDriver({ connect: Math.min(connect, limit), query: Math.min(query, limit) });
    for (const { down, after } of await outcomes(sql, 9)) {
      expect({ down, inTime: after - start <= 2_500 }).toEqual({ down: true, inTime: true });
    }
  }
});

test('a slow but living database answers everyone it can reach in the budget', async () => {
  const answers = await outcomes(slowDriver({ connect: 400, query: 300 }), 4);
  expect(answers.map(({ down }) => down)).toEqual([false, false, false, false]);
});

test('a connection that came too late goes to the pool, and its place is free again', async () => {
  const release = vi.fn();
  const sql = slowDriver({ connect: 1_600, query: 0 }, release);
  for (const round of [1, 2, 3]) {
    const answers = await outcomes(sql, 2);
    expect(answers.map(({ down }) => down)).toEqual([true, true]);
    expect(release).toHaveBeenCalledTimes(2 * round);
  }
});
