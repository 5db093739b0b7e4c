import { expect, test } from 'vitest';
import { DatabaseReadOnly } from '../../../../lib/adapters/postgres/connection/sql.ts';
import { DiskShare } from '../../../../lib/adapters/postgres/pglite/disk-share.ts';

const MIB = 1024 ** 2;
const DAY_MS = 24 * 60 * 60 * 1000;

test('what is left of a nearly full disk is for accounts that wrote little today', () => {
  let isScarce = false;
  let now = 0;
  const disk = new DiskShare(
    () => isScarce,
    () => now,
  );
  disk.take('greedy', 300 * MIB);
  isScarce = true;
  expect(() => disk.take('greedy', 1)).toThrow(DatabaseReadOnly);
  disk.take('modest', 10 * MIB);
  expect(() => disk.take('modest', 10 * MIB)).toThrow('little of the disk is left');
  // What was refused was not written.
  disk.take('modest', 5 * MIB);
  now += DAY_MS;
  disk.take('greedy', 1);
});

test('with room enough nobody is refused', () => {
  const disk = new DiskShare(() => false);
  for (let n = 0; n < 100; n += 1) disk.take('greedy', 100 * MIB);
});
