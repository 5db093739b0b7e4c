/**
 * Protects CSV files of the service against texts that a spreadsheet would read as a formula, such as `=1+1`. Some readers
 * begin cells at other separators, and skip quotes and invisible characters.
 */

const BEGINNING = '(?<=^|[;|\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029])';
const FORMULA = '(?=\'*["\\p{Zs}\\p{Cf}]*[=+\\-@\\t\\r\\uFF1D\\uFF0B\\uFF0D\\uFF20])';
const UNGUARDED = new RegExp(BEGINNING + FORMULA, 'gu');
const GUARDED = new RegExp(`${BEGINNING}'${FORMULA}`, 'gu');
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/** Puts an apostrophe in front of possible formulas, but not of negative numbers. */
export const addFormulaGuard = (text: string): string =>
  NEGATIVE_NUMBER.test(text) ? text : text.replace(UNGUARDED, "'");

/** Removes the apostrophes that `addFormulaGuard` puts there, and no other. */
export const removeFormulaGuard = (text: string): string =>
  text.includes("'") ? text.replace(GUARDED, '') : text;
