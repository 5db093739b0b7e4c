/** More marks on one letter than any language writes (UAX #15, Stream-Safe Text Format). */
const PILED_MARKS = /(\p{M}{30})\p{M}+/gu;
/** Texts in which nothing has to be looked for but spaces. */
export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Its own normal form, as most texts are. */
const ASCII = /^[\x00-\x7f]*$/;

/**
 * The Unicode normal form of a text, with at most 30 combining marks in a row: normalizing sorts each row, in quadratic
 * time, so that some hundred bytes of a compressed file would take minutes.
 */
export function toNormalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return ASCII.test(text) ? text : text.replace(PILED_MARKS, '$1').normalize(form);
}
