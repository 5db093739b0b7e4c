import { once } from '../text/remember.ts';
import { editDistance } from './edit-distance.ts';

/** A word of a vocabulary, and how many slips away it is. */
export interface NearWord {
  word: string;
  distance: number;
}

/**
 * Makes the function that returns the words of a vocabulary within so many slips of a text. Two words are that near only
 * if some of the texts that they leave without as many of their letters are the same (Garbe's symmetric delete), so that
 * a strange word costs some look-ups, however large the vocabulary is. Nothing is built before the first look-up.
 */
export function indexNearWords(
  listWords: () => Iterable<string>,
  maxSlips: 1 | 2,
): (text: string) => NearWord[] {
  const index = once(() => {
    const byRest = new Map<string, string[]>();
    let longest = 0;
    for (const word of new Set(listWords())) {
      longest = Math.max(longest, word.length);
      for (const rest of withoutLetters(word, maxSlips)) {
        const words = byRest.get(rest);
        if (words === undefined) byRest.set(rest, [word]);
        else words.push(word);
      }
    }
    return { byRest, longest };
  });
  return (text) => {
    const { byRest, longest } = index();
    if (text.length > longest + maxSlips) return [];
    const candidates = new Set<string>();
    for (const rest of withoutLetters(text, maxSlips))
      for (const word of byRest.get(rest) ?? []) candidates.add(word);
    return [...candidates]
      .map((word) => ({ word, distance: editDistance(text, word, maxSlips) }))
      .filter(({ distance }) => distance <= maxSlips);
  };
}

/** The word itself, and what is left of it without up to `count` of its letters. */
function withoutLetters(word: string, count: number): Set<string> {
  const rests = new Set([word]);
  let shorter = [word];
  for (let left = count; left > 0; left -= 1) {
    shorter = shorter.flatMap((text) =>
      Array.from({ length: text.length }, (_, at) => text.slice(0, at) + text.slice(at + 1)),
    );
    for (const text of shorter) rests.add(text);
  }
  return rests;
}
