import { toNormalForm } from '../text/normal-form.ts';
import { toTable } from '../text/table.ts';
import { folded } from './plain-speech.ts';

/** Letters that do not decompose into a plain letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = toTable({ æ: 'ae', œ: 'oe', Æ: 'AE', Œ: 'OE' });

/** Counts in words. Longer numbers in words are no words that the chat may say; `neuf` and `once` are words too. */
const NUMBERS = new Map(
  'two dos deux 2|three tres trois 3|four cuatro quatre 4|five cinco cinq 5|six seis 6|seven siete 7|eight ocho huit 8|nine nueve 9|ten diez dix 10|eleven 11|twelve doce douze 12'
    .split('|')
    .flatMap((line) => {
      const words = line.split(' ');
      return words.map((word): [string, string] => [word, words.at(-1) ?? '']);
    }),
);
const NUMBER_WORD = new RegExp(`(?<!\\w)(?:${[...NUMBERS.keys()].join('|')})(?!\\w)`, 'gi');

/** The text as checks compare it: plain Latin letters without accents, and counts in digits. */
export function toComparable(text: string): string {
  // `très` is no number.
  const counted = folded(text).replace(/tr[eè]s (?=bon|conf)/gi, '');
  return toNormalForm(counted, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[æœÆŒ]/g, (letter) => LETTERS[letter] ?? '')
    .replace(/\u2044/g, '/')
    .replace(NUMBER_WORD, (word) => NUMBERS.get(word.toLowerCase()) ?? word);
}

const ENDINGS: Readonly<Record<string, string>> = toTable({
  m: 'am',
  re: 'are',
  ve: 'have',
  ll: 'will',
  d: 'would',
  s: '',
});

/** Lower-case words between single blanks. What is no word stays as it is, which nothing allows. */
export function toWords(comparable: string): string {
  const text = comparable
    .toLowerCase()
    .replace(/\bwon't\b/g, 'will not')
    .replace(/\bcan(?:'t|not)\b/g, 'can not')
    .replace(/n't\b/g, ' not')
    .replace(/\bit's\b/g, 'it is')
    .replace(/'(m|re|ve|ll|d|s)\b/g, (_, ending: string) => ` ${ENDINGS[ending]}`)
    .replace(/\b([cdjlmnst]|qu)'/g, '$1e ');
  return ` ${text.replace(/[\s.,;:!?¡¿"'()[\]*_~/\u2026-]+/g, ' ').trim()} `;
}
