import { PRINTABLE_ASCII, toNormalForm } from '../text/normal-form.ts';

/** How texts are split into the words that a search looks for, the same for listings and for queries. */

const MAX_LENGTH = 64;
/** The ends of a VIN that people call a truck by. */
export const SERIAL_LENGTHS: readonly number[] = [8, 6];

const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;
/** How texts become words is part of the words that are stored. */
export const WORD_PATTERNS: readonly string[] = [MARKS, WORD].map(String);

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
  const words = text.split(/\s+/).flatMap((chunk) => {
    const parts = toWords(chunk);
    const size = /^(\d{2})(?:ft|in|sp|spd)$/.exec(parts[0] ?? '')?.[1];
    const more = parts.length > 1 ? toWords(parts.join('')) : [];
    return [...parts, ...more, ...(size === undefined ? [] : [size])];
  });
  return [...new Set(words)];
}
