import { LANGUAGES } from '../options.ts';
import { type Say, translate } from './translate.ts';
import { WORDS, type Word } from './words.ts';

/** Words, numbers and prices in the visitor's language. */

export interface Tongue {
  say: Say<Word>;
  number(value: number): string;
  /** Whole US dollars. */
  dollars(value: number): string;
}

export function createTongue(column: number): Tongue {
  const language = `${LANGUAGES[column]}-US`;
  const currency = {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 0,
  } as const;
  return {
    say: translate(WORDS),
    number: (value) => value.toLocaleString(language),
    dollars: (value) => value.toLocaleString(language, currency),
  };
}
