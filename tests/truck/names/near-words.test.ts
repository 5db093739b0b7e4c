import { expect, test } from 'vitest';
import { editDistance } from '../../../lib/truck/names/edit-distance.ts';
import { indexNearWords } from '../../../lib/truck/names/near-words.ts';
import * as fc from '../../support/oracles/fast-check.ts';

test('the words near a text are those that a comparison with every word finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 7 });
  fc.assert(
    fc.property(fc.uniqueArray(word), word, fc.constantFrom(1, 2), (words, text, slips) => {
      const found = indexNearWords(() => words, slips)(text);
      const all = words.map((each) => ({ word: each, distance: editDistance(text, each) }));
      expect(new Set(found)).toEqual(new Set(all.filter(({ distance }) => distance <= slips)));
      expect(words.filter((each) => editDistance(text, each, slips) <= slips)).toEqual(
        all.filter(({ distance }) => distance <= slips).map((near) => near.word),
      );
    }),
  );
});
