import { expect, test } from 'vitest';
import { type Fleet, simulateFeeds, type Workers } from '../../scripts/simulate/feeds.ts';
import { Heap } from '../../scripts/simulate/heap.ts';
import * as fc from '../support/oracles/fast-check.ts';

test('a heap gives back its items in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (keys) => {
      const heap = new Heap<number>();
      for (const key of keys) heap.push(key, key);
      expect(keys.map(() => heap.pop())).toEqual([...keys].sort((a, b) => a - b));
      expect(heap.pop()).toBeUndefined();
    }),
  );
});

const CRON: Workers = {
  invocationsPerMinute: 1,
  workersPerInvocation: 1,
  softDeadlineSeconds: 60,
  runsPerAccount: 2,
};
const makeFleet = (feedsPerAccount: number[], runSeconds: number): Fleet => ({
  feedsPerAccount,
  cadenceSeconds: 3_600,
  drawRunSeconds: () => runSeconds,
  drawFirstDue: () => 0,
});
const simulateLags = (fleet: Fleet, workers = CRON) =>
  simulateFeeds(fleet, workers, 3_600, 0).lags.map(({ seconds, feeds }) => [feeds, seconds]);

test('one worker takes one run after the other, and the account served longest ago is next', () => {
  expect(simulateLags(makeFleet([3, 1], 10))).toEqual([
    [3, 0],
    [1, 10],
    [3, 20],
    [3, 30],
  ]);
});

test('an account has at most two runs at a time, however many workers there are', () => {
  expect(simulateLags(makeFleet([4], 10), { ...CRON, workersPerInvocation: 8 })).toEqual([
    [4, 0],
    [4, 0],
    [4, 10],
    [4, 10],
  ]);
});
