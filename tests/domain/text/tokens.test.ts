import { expect, test } from 'vitest';
import { toTokens } from '../../../lib/domain/text/tokens.ts';
import * as fc from '../../support/oracles/fast-check.ts';

test('a plain text has the words that it has beside a mark that says nothing', () => {
  const plain = fc.stringMatching(/^(?:[A-Za-z0-9 _-]|\d+ ?ft|\d+ ?in){0,40}$/);
  fc.assert(
    fc.property(plain, (text) => {
      const bounded = text.slice(0, 198);
      // The accent grave is dropped, after all that is replaced.
      expect(toTokens(bounded)).toEqual(toTokens(`${bounded} \``));
    }),
  );
});

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
