import { findCurrencies, findOtherCurrency } from '../text/currency.ts';
import { remember } from '../text/remember.ts';
import { toNormalForm } from '../text/text.ts';

/** Compares names of members and columns, and reads the units in them: `Odometer (km)`, `gvwr_kg`, `CAD Price`. */

/** The rest of a longer name is ignored. One letter may be 18 in its normal form. */
const MAX_NAME = 300;

/** Returns letters and digits in lower case, to compare names. */
export const foldName = remember((name) =>
  toNormalForm(name.slice(0, MAX_NAME), 'NFKC')
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, ''),
);

const UNIT_WORDS =
  /(?<!\p{L})(?:usd?|can|cad|cdn|mxn|mxp|mn|m n|pesos?|dlls?|dls|dlrs|d[oó]lares|dollars?|canadian|lbs?|pounds?|mi|kms?|inches|ft|feet|kgs?|kilos?|libras|livres|eur|euros?|gbp)(?!\p{L})/gu;

/** Splits a name into words in lower case, without parts in brackets. */
export const splitName = (name: string): string =>
  name
    .slice(0, MAX_NAME)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')
    .replace(/[_./#-]/g, ' ');

export const withoutUnits = (words: string): string => words.replace(UNIT_WORDS, ' ');

const UNITS: readonly (readonly [field: string, unit: string, pattern: RegExp])[] = [
  ['mileage', 'km', /kms?(?!\p{L})|kil[oó]m[eéè]t/iu],
  ['mileage', 'mi', /mi(?:les?|llas|lles)?(?!\p{L})/iu],
  ['gvwr', 'kg', /(?<!\p{L})k(?:gs?|ilos?|ilogram[a-zé]*)(?!\p{L})/iu],
  ['gvwr', 'lb', /(?<!\p{L})(?:lbs?|pounds?|libras?|livres?)(?!\p{L})/iu],
];
const MAX_TEXT = 60;

/** Lists the units in a text. A foreign currency is one of them, so that the price becomes unreadable. */
function listUnits(field: string, text: string): readonly string[] {
  const words = text.slice(0, MAX_TEXT);
  if (field === 'price') return [findOtherCurrency(words) ?? findCurrencies(words)].flat();
  return UNITS.filter(([of, , pattern]) => of === field && pattern.test(words)).map(([, unit]) => unit);
}

const toUnitFinder = (field: string) =>
  remember((name) => {
    const words = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');
    const [unit = null, ...otherUnits] = listUnits(field, words);
    return otherUnits.length === 0 ? unit : null;
  });
const FINDERS = new Map(['mileage', 'gvwr', 'price'].map((field) => [field, toUnitFinder(field)]));

/** Finds the unit or currency in the name of a field's column; null for none, or several as in `Miles/KM`. */
export const findUnit = (field: string, name: string): string | null =>
  FINDERS.get(field)?.(name.slice(0, MAX_TEXT)) ?? null;

/** Adds the unit or currency of a column's name to a value that has none. */
export function addUnit(field: string, name: string, value: unknown): unknown {
  const unit = findUnit(field, name);
  if (unit === null || (typeof value !== 'number' && typeof value !== 'string')) return value;
  const text = String(value).trim();
  // One digit is a code or a class.
  return /\d.*\d/.test(text) && listUnits(field, text).length === 0 ? `${text} ${unit}` : value;
}
