/**
 * Texts that a spreadsheet would take for a formula, such as `=1+1`, in the CSV files of the service. Other readers
 * begin a cell at other separators as well, and pass over quotes and what is not seen.
 */

const BEGINNING = '(?<=^|[;|\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029])';
const FORMULA = '(?=\'*["\\p{Zs}\\p{Cf}]*[=+\\-@\\t\\r\\uFF1D\\uFF0B\\uFF0D\\uFF20])';
const UNGUARDED = new RegExp(BEGINNING + FORMULA, 'gu');
const GUARDED = new RegExp(`${BEGINNING}'${FORMULA}`, 'gu');
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/** Puts an apostrophe in front of what could be a formula; a negative number is none. */
export const addFormulaGuard = (text: string): string =>
  NEGATIVE_NUMBER.test(text) ? text : text.replace(UNGUARDED, "'");

/** Removes the apostrophes that `addFormulaGuard` puts there, and no other. */
export const removeFormulaGuard = (text: string): string =>
  text.includes("'") ? text.replace(GUARDED, '') : text;
