import { toNormalForm } from '../text/normal-form.ts';
import { folded } from './plain-speech.ts';
import { digitsForWords } from './spelled-numbers.ts';

/** Letters that do not decompose into a plain letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ı: 'i',
  Æ: 'AE',
  Œ: 'OE',
};
/** Letters and digits of other scripts, and letters in boxes and circles. */
const OTHER_SCRIPT = /(?![a-z])\p{L}|(?![0-9])\p{N}|[\u{1f100}-\u{1f1ff}]/iu;
const SPELLED_OUT = /(?<![a-z0-9])[a-z](?:[ .,*_|~-]{1,3}[a-z](?![a-z0-9])){3}/i;
/** `d€al`, `fin@nce`; an e-mail address has a host. */
const SYMBOL_IN_WORD = /[a-z][€£$|*][a-z]|[a-z]@[a-z-]+(?![a-z.-])/i;
const SINGLE_DIGITS = /(?<![\w.,])\d(?:[ .,*_|~-]{1,3}\d(?!\w)){2,}/g;

/**
 * The text as checks compare it: plain Latin letters without accents, and numbers in digits however they are written.
 * Returns null when the text is disguised or in another script, because then it cannot be checked.
 */
export function toComparable(text: string): string | null {
  const plain = toNormalForm(folded(text), 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[æœøßıÆŒ]/g, (letter) => LETTERS[letter] ?? '')
    .replace(/\u2044/g, '/');
  if (OTHER_SCRIPT.test(plain) || SPELLED_OUT.test(plain) || SYMBOL_IN_WORD.test(plain)) return null;
  const percent = plain.replace(/\bp(?:er ?|or ?|our ?)(?:cent|ciento)\b/gi, '%');
  return digitsForWords(percent.replace(SINGLE_DIGITS, (run) => run.replace(/\D/g, '')));
}
