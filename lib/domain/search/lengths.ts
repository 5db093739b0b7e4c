/** Lengths in feet, which a query asks for as the one word that a listing has for them: `26ft`. */

const FEET = /(?<![\d.,-])(\d{1,2})[ -]?(?:['’′](?!['’′])|(?:ft|foot|feet|pies|pieds)(?![\p{L}\d]))/giu;

export const joinLengths = (query: string): string => query.replace(FEET, '$1ft ');

export const lengthWord = (feet: number | string): string => `${feet}ft`;

/** The words of the lengths in a text. */
export const lengthWords = (text: string): string[] =>
  [...text.matchAll(FEET)].map(([, feet = '']) => lengthWord(feet));

/** How lengths are read is part of the words that are stored. */
export const LENGTH_PATTERN = String(FEET);
