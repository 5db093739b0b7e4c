import { once } from '../text/remember.ts';
import { editDistance } from './edit-distance.ts';

/** A word of a vocabulary, and how many slips away it is. */
export interface NearWord {
  word: string;
  distance: number;
}

/**
 * Makes the function that returns the words of a vocabulary within so many slips of a text, of those that begin with the
 * same letter: slips hardly ever hit the first. Nothing is built before the first look-up.
 */
export function indexNearWords(
  listWords: () => Iterable<string>,
  maxSlips: 1 | 2,
): (text: string) => NearWord[] {
  const byLetter = once(() => Map.groupBy(new Set(listWords()), (word) => word.charAt(0)));
  return (text) =>
    (byLetter().get(text.charAt(0)) ?? [])
      .map((word) => ({ word, distance: editDistance(text, word, maxSlips) }))
      .filter(({ distance }) => distance <= maxSlips);
}
