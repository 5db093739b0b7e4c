import { expect, test } from 'vitest';
import { editDistance } from '../../../lib/truck/names/edit-distance.ts';
import * as fc from '../../support/oracles/fast-check.ts';

test('a distance counts up to its bound and no further', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 7 });
  fc.assert(
    fc.property(word, word, fc.constantFrom(1, 2), (one, other, max) => {
      expect(editDistance(one, other, max)).toBe(Math.min(editDistance(one, other), max + 1));
    }),
  );
});
