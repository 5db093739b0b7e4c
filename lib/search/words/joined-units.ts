import { toTable } from '../../truck/text/table.ts';

/** Lengths in feet and gears, which a query asks for as the one word that a listing has for them: `26ft`, `13speed`. */

const FEET = /(?<![\d.,-])(\d{1,2})[ -]?(?:['’′](?!['’′])|(?:ft|foot|feet|pies|pieds)(?![\p{L}\d]))/giu;

export const joinLengths = (query: string): string => query.replace(FEET, '$1ft ');

export const lengthWord = (feet: number | string): string => `${feet}ft`;

/** The words of the lengths in a text. */
export const lengthWords = (text: string): string[] =>
  [...text.matchAll(FEET)].map(([, feet = '']) => lengthWord(feet));

const IN_WORDS: Readonly<Record<string, number>> = toTable({
  five: 5,
  six: 6,
  eight: 8,
  nine: 9,
  ten: 10,
  thirteen: 13,
  fifteen: 15,
  eighteen: 18,
});
const GEARS =
  /(?<![\d.,\p{L}-])(\d{1,2}|five|six|eight|nine|ten|thirteen|fifteen|eighteen)[ -]?(?:sp|spd|speeds?|vel|velocidades|vitesses)\b\.?/giu;

const gearWord = (gears: string) => `${IN_WORDS[gears.toLowerCase()] ?? gears}speed`;

export const joinGears = (query: string): string =>
  query.replace(GEARS, (_, gears: string) => `${gearWord(gears)} `);

/** The words of the gears in a text. */
export const gearWords = (text: string): string[] =>
  [...text.matchAll(GEARS)].map(([, gears = '']) => gearWord(gears));
