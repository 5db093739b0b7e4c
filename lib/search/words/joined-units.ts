/** Lengths in feet and gears, which a query asks for as the one word that a listing has for them: `26ft`, `13speed`. */

const FEET = /(?<![\d.,-])(\d{1,2})[ -]?(?:['’′](?!['’′])|(?:ft|foot|feet|pies|pieds)(?![\p{L}\d]))/giu;

export const joinLengths = (query: string): string => query.replace(FEET, '$1ft ');

export const lengthWord = (feet: number | string): string => `${feet}ft`;

/** The words of the lengths in a text. */
export const lengthWords = (text: string): string[] =>
  [...text.matchAll(FEET)].map(([, feet = '']) => lengthWord(feet));

const GEARS = /(?<![\d.,\p{L}-])(\d{1,2})[ -]?(?:sp|spd|speeds?|vel|velocidades|vitesses)\b\.?/giu;

export const joinGears = (query: string): string => query.replace(GEARS, '$1speed ');

/** The words of the gears in a text. */
export const gearWords = (text: string): string[] =>
  [...text.matchAll(GEARS)].map(([, gears = '']) => `${gears}speed`);
