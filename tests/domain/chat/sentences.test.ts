import { expect, test } from 'vitest';
import { MAX_SENTENCE, sentenceSplitter } from '../../../lib/domain/chat/sentences.ts';
import * as fc from '../../support/oracles/fast-check.ts';

function split(pieces: readonly string[]): string[] {
  const splitter = sentenceSplitter();
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
}

const speech = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '. ',
        '! ',
        '? ',
        '\n',
        '.) ',
        '." ',
        '…',
        ' ',
        'mi. ',
        'No. ',
        '1. ',
        '$45.9k',
        '3.5',
        '[[',
        ']]',
      ),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

test('the sentences joined are the text', () => {
  fc.assert(
    fc.property(speech, (text) => {
      expect(split([text]).join('')).toBe(text);
    }),
  );
});

test('it makes no difference how the text is cut into pieces', () => {
  fc.assert(
    fc.property(speech, fc.array(fc.nat(600), { maxLength: 20 }), (text, cuts) => {
      const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
      expect(split(pieces)).toEqual(split([text]));
      expect(split([...text])).toEqual(split([text]));
    }),
  );
});

test.each([
  ['It is $68,900. It has 412,350 miles.', ['It is $68,900. ', 'It has 412,350 miles.']],
  ['It costs $45.9k today. Yes', ['It costs $45.9k today. ', 'Yes']],
  ['Trucks:\n1. A Cascadia.\n2. A T680.\n', ['Trucks:\n', '1. A Cascadia.\n', '2. A T680.\n']],
])('%j is cut where a reader would', (text, sentences) => {
  expect(split([text])).toEqual(sentences);
});

test('what never ends is kept to its beginning, and memory stays small', () => {
  const endless = Array.from({ length: 5_000 }, () => 'word ');
  const sentences = split([...endless, 'end. ', 'Next.']);
  expect(sentences.map(({ length }) => length)).toEqual([MAX_SENTENCE, 5]);
});
