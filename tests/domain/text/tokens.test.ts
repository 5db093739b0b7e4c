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
