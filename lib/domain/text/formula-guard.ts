/** Texts that a spreadsheet would take for a formula, such as `=1+1`, in the CSV files of the service. */

const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

/** Puts an apostrophe in front of what could be a formula; a negative number is none. */
export const addFormulaGuard = (text: string): string =>
  FORMULA.test(text) && !NEGATIVE_NUMBER.test(text) ? `'${text}` : text;

/** Removes the apostrophe that `addFormulaGuard` puts there, and no other. */
export const removeFormulaGuard = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
