import { PRINTABLE_ASCII, toNormalForm } from './text.ts';

/** Splits texts into words to compare with a vocabulary. */

/** The rest of a longer text is not read. Some characters have many letters in their normal form (U+FDFA has 18). */
const MAX_LENGTH = 200;
const MAX_WORDS = 40;
/** Cyrillic and Greek letters that look like Latin ones, in lower case. */
const LOOKALIKES = new Map(
  [...'аaеeоoрpсcхxуyіiјjѕsԁdһhкkмmтtвbнhгrαaοoρpεeιiκkνvτtυyχxηn'.matchAll(/(.)(.)/gu)].map(
    ([, from = '', to = '']) => [from, to],
  ),
);

/** Returns lower case without accents; Latin letters replace those of other scripts that look like them. */
export function plainText(text: string): string {
  const bounded = text.slice(0, MAX_LENGTH);
  if (PRINTABLE_ASCII.test(bounded)) return bounded.toLowerCase();
  return toNormalForm(bounded, 'NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[\u0370-\u0527]/gu, (letter) => LOOKALIKES.get(letter) ?? letter);
}

/** Texts that need no replacement, as most texts and all vocabularies. */
const PLAIN_WORDS = /^[A-Za-z0-9 _-]{0,200}$/;
/** `8ft` */
const SIZE = /\d(?:ft|in)\b/i;

/**
 * Returns words of letters and digits: `26' Box w/ Liftgate & 4x4` → 26 ft box with liftgate and 4x4. Numbers are split
 * from their units.
 */
export function toTokens(text: string): string[] {
  if (PLAIN_WORDS.test(text) && !SIZE.test(text)) return splitWords(text.toLowerCase());
  const parted = plainText(text)
    .replace(/\bw\/\s?o(?=\W|$)/g, ' without ')
    .replace(/\bw\//g, ' with ')
    .replace(/[&+]/g, ' and ')
    .replace(/(\d)\s?(?:['’′](?!['’′])|ft\b)/g, '$1 ft ')
    .replace(/(\d)\s?(?:["”″]|''|in\b)/g, '$1 in ')
    .replace(/['’`]/g, '');
  return splitWords(parted);
}

const splitWords = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
