import { expect, test, vi } from 'vitest';
import { editDistance } from '../../../lib/domain/names/edit-distance.ts';
import { indexNearWords } from '../../../lib/domain/names/near-words.ts';
import { validate } from '../../../lib/pipeline/validate.ts';
import * as fc from '../../support/oracles/fast-check.ts';

vi.mock('../../../lib/domain/names/edit-distance.ts', async (original) => ({
  editDistance: vi.fn(
    (await original<typeof import('../../../lib/domain/names/edit-distance.ts')>()).editDistance,
  ),
}));
const compared = vi.mocked(editDistance).mock;

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

/** Words that no vocabulary has, none twice. */
const strangeWords = (count: number, from: number) =>
  Array.from({ length: count }, (_, at) =>
    `x${String(from + at).padStart(5, '0')}q`.replace(/\d/g, (digit) => 'etarsincol'[Number(digit)] ?? ''),
  );

test('a record of strange words is compared with hardly any word of the vocabularies', () => {
  const records = Array.from({ length: 40 }, (_, at) => {
    const text = strangeWords(100, at * 100).join(' ');
    return {
      vin: '1FUJGLDR3HLHG7532',
      year: 2017,
      make: text,
      model: text,
      body_type: [text, text],
      cab: text,
    };
  });
  compared.calls.length = 0;
  validate(records, { currentYear: 2026, dualUseMakes: ['Ford'] });
  expect(compared.calls.length / records.length).toBeLessThan(25);
});
