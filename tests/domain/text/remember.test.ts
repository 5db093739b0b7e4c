import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { remember } from '../../../lib/domain/text/remember.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('a piece of a text is remembered without the rest of it', () => {
  const read = remember((text) => text);
  const used = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let at = 0; at < 100; at += 1) read(`a word of a text ${at}${'.'.repeat(1_000_000)}`.slice(0, 30));
  expect(used() - before).toBeLessThan(10_000_000);
  expect(read('a word of a text 0...........')).toBe('a word of a text 0...........');
});
