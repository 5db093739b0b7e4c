import { expect, test } from 'vitest';
import { joinLookUps } from '../../lib/adapters/postgres/connection/join-look-ups.ts';

/** Look-ups, at most 3 a statement, that answer `account:key` and fail for an account `broken`. */
function recorded() {
  const asked: string[] = [];
  const lookUp = joinLookUps(async (accountId, keys) => {
    asked.push(`${accountId}:${keys.join(',')}`);
    if (accountId === 'broken') throw new Error('statement failed');
    return keys.map((key) => `${accountId}:${key}`);
  }, 3);
  return { asked, lookUp };
}

test('look-ups of one moment are asked together, an account apart, up to the limit', async () => {
  const { asked, lookUp } = recorded();
  const calls = ['a1', 'b1', 'a2', 'a3', 'a4', 'b1'].map(([account = '', key = '']) => lookUp(account, key));
  expect(await Promise.all(calls)).toEqual(['a:1', 'b:1', 'a:2', 'a:3', 'a:4', 'b:1']);
  expect(asked).toEqual(['a:1,2,3', 'b:1,1', 'a:4']);
  expect(await lookUp('a', '5')).toBe('a:5');
  expect(asked.at(-1)).toBe('a:5');
});

test('a statement that fails fails its own callers alone, and the next is asked anew', async () => {
  const { asked, lookUp } = recorded();
  const calls = [lookUp('broken', '1'), lookUp('a', '1'), lookUp('broken', '2')];
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  await expect(lookUp('broken', '3')).rejects.toThrow('statement failed');
  expect(asked).toEqual(['broken:1,2', 'a:1', 'broken:3']);
});
