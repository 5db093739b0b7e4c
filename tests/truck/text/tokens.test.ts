import { expect, test } from 'vitest';
import { toTokens } from '../../../lib/truck/text/tokens.ts';

test('no more is read than the bounds, however many letters a character stands for', () => {
  for (const text of [
    '\ufdfa'.repeat(300),
    '&'.repeat(200),
    `1'`.repeat(100),
    'a '.repeat(100),
    'x'.repeat(999),
  ]) {
    const tokens = toTokens(text);
    expect(tokens.length).toBeLessThanOrEqual(40);
    expect(tokens.join(' ').length).toBeLessThanOrEqual(200);
  }
});
