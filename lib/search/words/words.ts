import { PRINTABLE_ASCII, toNormalForm } from '../../truck/text/text.ts';

/** How texts are split into the words that a search looks for, the same for listings and for queries. */

const MAX_LENGTH = 64;
/** The ends of a VIN that people call a truck by. */
export const SERIAL_LENGTHS: readonly number[] = [8, 6];

const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;

/** Lower-case runs of letters and digits, without accents: buyers leave them out, and dealers too. */
export function toWords(text: string): string[] {
  const plain = PRINTABLE_ASCII.test(text) ? text : toNormalForm(text, 'NFKD').replace(MARKS, '');
  return (
    plain
      .toLowerCase()
      .match(WORD)
      ?.map((word) => word.slice(0, MAX_LENGTH)) ?? []
  );
}

/** The words of a listing, each once; `T-680` is also indexed as `t680`, and `26ft` as `26`. */
export function indexedWords(text: string): string[] {
  const words = new Set<string>();
  for (const chunk of text.split(/\s+/)) {
    const parts = toWords(chunk);
    for (const part of parts) words.add(part);
    if (parts.length > 1) for (const joined of toWords(parts.join(''))) words.add(joined);
    const size = /^(\d{2})(?:ft|in|sp|spd)$/.exec(parts[0] ?? '')?.[1];
    if (size !== undefined) words.add(size);
  }
  return [...words];
}

/** Lengths in feet and gears, which a query asks for as the one word that a listing has for them: `26ft`, `13speed`. */

const FEET = /(?<![\d.,-])(\d{1,2})[ -]?(?:['’′](?!['’′])|(?:ft|foot|feet|pies|pieds)(?![\p{L}\d]))/giu;
const GEARS = /(?<![\d.,\p{L}-])(\d{1,2})[ -]?(?:sp|spd|speeds?|vel|velocidades|vitesses)\b\.?/giu;

export const joinUnits = (text: string): string => text.replace(GEARS, '$1speed ').replace(FEET, '$1ft ');

/** Those words of a text. */
export const unitWords = (text: string): string[] => joinUnits(text).match(/\b\d{1,2}(?:ft|speed)\b/g) ?? [];
