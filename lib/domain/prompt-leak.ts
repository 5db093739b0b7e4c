import { folded } from './plain-speech.ts';

/** Whether what the assistant says gives away its instructions. */

/** So many words in a row are no coincidence. */
const RUN = 6;
/** Text that hides other text: base64, hexadecimal, letters one by one. */
const ENCODED =
  /(?<![\p{L}\p{N}/+=_-])(?=[\w+/=-]*\d|[\w+/=-]*[A-Z][\w+/=-]*[a-z][\w+/=-]*[A-Z])[\w+/=-]{28,}(?![\p{L}\p{N}/+=_-])/u;
const SPELLED_OUT = /(?:(?<![\p{L}\p{N}])\p{L}[\s.,_*|/-]{1,3}){8,}/u;
const ABOUT_ITSELF =
  /\b(?:(?:my|the|these|own|following) (?:system |hidden |secret |original |initial |internal )?(?:prompt|instructions) (?:is|are|say|says|read|reads|begin|state|tell)|(?:system|developer|initial) (?:prompt|message|instructions?)|prompt del sistema|instrucciones del sistema|mis instrucciones (?:son|dicen)|(?:prompt|message|instructions?) (?:du )?système|mes instructions (?:sont|disent))\b/iu;

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
  const runs = runsOf(wordsOf(secret));
  const mark = bare(canary);
  let before: string[] = [];
  let tail = '';
  return {
    leaks(sentence) {
      const text = folded(sentence);
      const words = wordsOf(text);
      const said = [...before, ...words];
      before = said.slice(-(RUN - 1));
      const letters = tail + bare(text);
      tail = letters.slice(-mark.length + 1);
      return (
        letters.includes(mark) ||
        [...letters].reverse().join('').includes(mark) ||
        ENCODED.test(text) ||
        SPELLED_OUT.test(text) ||
        ABOUT_ITSELF.test(text) ||
        [...runsOf(said)].some((run) => runs.has(run))
      );
    },
  };
}

const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const wordsOf = (text: string) =>
  folded(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function runsOf(words: readonly string[]): Set<string> {
  return new Set(words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' ')));
}
