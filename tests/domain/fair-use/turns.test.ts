import { expect, test } from 'vitest';
import { Turns } from '../../../lib/domain/fair-use/turns.ts';

/** The order in which these callers get the only place, each giving it back at once. */
async function takeOrder(callers: readonly { account: string; rank?: number }[]): Promise<string[]> {
  const turns = new Turns(1);
  await turns.begin({ account: 'first' });
  const order: string[] = [];
  const waiting = callers.map(async (caller) => {
    await turns.begin(caller);
    order.push(caller.account);
    turns.end(caller.account);
  });
  turns.end('first');
  await Promise.all(waiting);
  return order;
}

const times = (count: number, account: string, rank = 0) =>
  Array.from({ length: count }, () => ({ account, rank }));

test('accounts take turns, whatever each has waiting', async () => {
  expect(await takeOrder([...times(5, 'a'), ...times(2, 'b'), ...times(1, 'c')])).toEqual([
    'a',
    'b',
    'c',
    'a',
    'b',
    'a',
    'a',
    'a',
  ]);
});

test('a lower rank goes first, whoever came first', async () => {
  const order = await takeOrder([...times(1, 'job', 2), ...times(1, 'ingest', 1), ...times(2, 'request', 0)]);
  expect(order).toEqual(['request', 'request', 'ingest', 'job']);
});

test('requests that never end let a job through now and then', async () => {
  const turns = new Turns(1);
  await turns.begin({ account: 'a' });
  let isDone = false;
  const job = turns.begin({ account: null, rank: 2 }).then(() => {
    isDone = true;
  });
  let requests = 0;
  for (; !isDone && requests < 100; requests += 1) {
    const next = turns.begin({ account: 'a' });
    turns.end('a');
    await Promise.race([next, job]);
  }
  expect([isDone, requests]).toEqual([true, 9]);
});

test('an account has no more than its share, and the service’s own work any', async () => {
  const turns = new Turns(3, 2);
  const got: string[] = [];
  for (const account of ['a', 'a', 'a', 'b']) void turns.begin({ account }).then(() => got.push(account));
  await Promise.resolve();
  expect(got).toEqual(['a', 'a', 'b']);
  turns.end('b');
  await turns.begin({ account: null });
  expect(got).toHaveLength(3);
  turns.end('a');
  await Promise.resolve();
  expect(got).toEqual(['a', 'a', 'b', 'a']);
});

test('whoever stops waiting is passed by, and takes no place', async () => {
  const turns = new Turns(1);
  await turns.begin({ account: 'a' });
  const impatient = new AbortController();
  const given = turns.begin({ account: 'b', signal: impatient.signal });
  const next = turns.begin({ account: 'c' });
  impatient.abort();
  expect(await given).toBe(false);
  turns.end('a');
  expect(await next).toBe(true);
  expect(await turns.begin({ account: 'd', signal: AbortSignal.abort() })).toBe(false);
});
