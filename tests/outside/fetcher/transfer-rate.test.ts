import { expect, test } from 'vitest';
import { transferCheck } from '../../../lib/outside/fetcher/transfer-rate.ts';

/** Bytes by second, and whether the check ever said that they come too slowly. */
function isCutOff(bytesPerSecond: readonly number[]): boolean {
  let ms = 0;
  let bytes = 0;
  const isTooSlow = transferCheck(() => ms);
  return bytesPerSecond.some((some) => {
    ms += 1_000;
    bytes += some;
    return isTooSlow(bytes);
  });
}

const seconds = (count: number, bytes: number) => Array<number>(count).fill(bytes);

test('a server that drips is cut off, also after it began well; a slow line is not, nor a pause', () => {
  expect(isCutOff(seconds(60, 100))).toBe(true);
  expect(isCutOff([...seconds(60, 1_000_000), ...seconds(60, 100)])).toBe(true);
  expect(isCutOff(seconds(600, 12_000))).toBe(false);
  expect(isCutOff([...seconds(10, 50_000), ...seconds(9, 0), ...seconds(60, 50_000)])).toBe(false);
});
