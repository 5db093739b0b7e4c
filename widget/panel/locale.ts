import { LANGUAGES } from '../options.ts';
import { type Say, translate } from './translate.ts';
import { WORDS, type Word } from './words.ts';

/** Words and prices in the visitor's language. */

export interface Locale {
  say: Say<Word>;
  /** Whole units of a currency, US dollars by default. */
  money(value: number, currency?: string): string;
}

export function createLocale(column: number): Locale {
  const language = `${LANGUAGES[column]}-US`;
  return {
    say: translate(WORDS),
    money: (value, currency = 'USD') =>
      value.toLocaleString(language, { style: 'currency', currency, maximumFractionDigits: 0 }),
  };
}
