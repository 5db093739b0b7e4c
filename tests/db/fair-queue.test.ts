import { expect, test } from 'vitest';
import { FairQueue } from '../../lib/db/fair-queue.ts';

const forEver = new AbortController().signal;

test('an account has no more than its share, and of those who wait the one with the fewest places is next', async () => {
  const queue = new FairQueue(3, 2);
  const order: string[] = [];
  for (const account of ['a', 'a', 'a', 'b', 'b', 'c'])
    void queue.enter(account, forEver).then(() => order.push(account));
  queue.leave('a');
  queue.leave('c');
  await Promise.resolve();
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a']);
});

test('whoever stops waiting is passed by, and takes no place', async () => {
  const queue = new FairQueue(1);
  expect(queue.tryEnter('a')).toBe(true);
  const impatient = new AbortController();
  const entrance = queue.enter('b', impatient.signal);
  const next = queue.enter('c', forEver);
  impatient.abort();
  expect(await entrance).toBe(false);
  queue.leave('a');
  expect(await next).toBe(true);
  expect(await queue.enter('d', AbortSignal.abort())).toBe(false);
});

test('when all are refused, what is taken is still given back', async () => {
  const queue = new FairQueue(1);
  expect(queue.tryEnter('a')).toBe(true);
  const entrances = [queue.enter('a', forEver), queue.enter('b', forEver)];
  queue.refuseAll();
  expect(await Promise.all(entrances)).toEqual([false, false]);
  queue.leave('a');
  expect(queue.tryEnter('b')).toBe(true);
});
