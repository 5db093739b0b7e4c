import { remember } from '../text/remember.ts';
import { toTokens } from '../text/tokens.ts';
import { BODY_PHRASES, CAB_PHRASES } from '../vocabulary/body.ts';
import { DRIVE_PHRASES, knownFuel, TRANSMISSION_WORDS } from '../vocabulary/resolve.ts';
import { STOP_WORDS } from '../vocabulary/short-terms.ts';
import { COMMON_WORDS } from './search-words.ts';

/** Phrases that say what a truck is like, whatever an account calls its makes and models. */
const PHRASES = [BODY_PHRASES, CAB_PHRASES, DRIVE_PHRASES, TRANSMISSION_WORDS];
const LETTERS = /^\p{L}+$/u;
/** Lengths and counts beside them: `reefer trailer 53`. */
const BESIDE = /^(?:\d+|trailers?)$/;

/** True for words that are all of the vocabulary of trucks, mere numbers apart. */
export const isVocabulary = remember((text): boolean => {
  const tokens = toTokens(text);
  let phrases = 0;
  for (let at = 0; at < tokens.length; ) {
    const count = countWords(tokens, at);
    if (count > 0) phrases += 1;
    else if (!isBeside(tokens[at] ?? '')) return false;
    at += Math.max(count, 1);
  }
  return phrases > 0 || tokens.some((token) => STOP_WORDS.has(token));
});

/** How many words from `at` on are one phrase. Letters with digits are codes of models, `P700`, as 4x4 is not. */
function countWords(tokens: readonly string[], at: number): number {
  const counts = PHRASES.map((phrases) => {
    const found = phrases.startingAt(tokens, at);
    const isCode = found?.count === 1 && phrases === BODY_PHRASES && !LETTERS.test(tokens[at] ?? '');
    return isCode ? 0 : (found?.count ?? 0);
  });
  const word = tokens[at] ?? '';
  const isNamed = COMMON_WORDS.includes(word) || (LETTERS.test(word) && knownFuel(word) !== null);
  return Math.max(...counts, isNamed ? 1 : 0);
}

const isBeside = (word: string) => STOP_WORDS.has(word) || BESIDE.test(word);
