import { PRINTABLE_ASCII, toNormalForm } from './text.ts';

/** Words of a text as they are compared with a vocabulary. */

/** What is beyond either bound is not read; some characters are many letters in their normal form (U+FDFA is 18). */
const MAX_LENGTH = 200;
const MAX_WORDS = 40;
/** Cyrillic and Greek letters that look like Latin ones, in lower case. */
const LOOKALIKES = new Map(
  [...'аaеeоoрpсcхxуyіiјjѕsԁdһhкkмmтtвbнhгrαaοoρpεeιiκkνvτtυyχxηn'.matchAll(/(.)(.)/gu)].map(
    ([, from = '', to = '']) => [from, to],
  ),
);

/** Lower case without accents; letters of other scripts that only look Latin are Latin. */
export function plainText(text: string): string {
  const bounded = text.slice(0, MAX_LENGTH);
  if (PRINTABLE_ASCII.test(bounded)) return bounded.toLowerCase();
  return toNormalForm(bounded, 'NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[\u0370-\u0527]/gu, (letter) => LOOKALIKES.get(letter) ?? letter);
}

/** Nothing in it has to be replaced: most texts are so, and all of the vocabularies. */
const PLAIN_WORDS = /^[A-Za-z0-9 _-]{0,200}$/;
/** `8ft` */
const SIZE = /\d(?:ft|in)\b/i;

/**
 * Words of letters and digits: `26' Box w/ Liftgate & 4x4` → 26 ft box with liftgate and 4x4. Numbers are parted from
 * the units that stick to them.
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
