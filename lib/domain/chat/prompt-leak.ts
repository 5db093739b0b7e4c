import { folded } from './plain-speech.ts';

/**
 * Whether what the assistant says repeats its instructions. Disguises, codes and data are withheld because their words are
 * none that may be said.
 */

/** So many words in a row are no coincidence. */
const RUN = 6;
export interface LeakGuard {
  /** True when this sentence, after those before it, repeats instructions. */
  leaks(sentence: string): boolean;
}

/**
 * Remembers what was said, so that instructions in small pieces are found too.
 *
 * @param secret the instructions; nothing in them that the assistant has to say itself
 * @param canary a word that stands nowhere but in the instructions
 */
export function leakGuard(secret: string, canary: string): LeakGuard {
  const runs = toRuns(toWords(secret));
  const mark = bare(canary);
  /** The last words and letters said. */
  let before: string[] = [];
  let tail = '';
  return {
    leaks(sentence) {
      const words = [...before, ...toWords(sentence)];
      before = words.slice(-(RUN - 1));
      const letters = tail + bare(folded(sentence));
      tail = letters.slice(-mark.length + 1);
      return (
        letters.includes(mark) ||
        backwards(letters).includes(mark) ||
        [...toRuns(words)].some((run) => runs.has(run))
      );
    },
  };
}

const backwards = (text: string) => [...text].reverse().join('');
const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const toWords = (text: string) =>
  folded(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function toRuns(words: readonly string[]): Set<string> {
  return new Set(words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' ')));
}
