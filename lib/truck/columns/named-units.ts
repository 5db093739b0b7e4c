import { currenciesIn, otherCurrencyIn } from '../text/currency.ts';
import { remember } from '../text/remember.ts';

/** Units and currencies, as names of columns and members say them: `Odometer (km)`, `GVW kg`, `CAD Price`. */

const UNITS = {
  mileage: unitsBy([
    ['km', /kms?(?!\p{L})|kil[oó]m[eéè]t/iu],
    ['mi', /mi(?:les?|llas|lles)?(?!\p{L})/iu],
  ]),
  gvwr: unitsBy([
    ['kg', /(?<!\p{L})k(?:gs?|ilos?|ilogram[a-zé]*)(?!\p{L})/iu],
    ['lb', /(?<!\p{L})(?:lbs?|pounds?|libras?|livres?)(?!\p{L})/iu],
  ]),
  /** A currency that prices cannot be in stays in their text, which makes them unreadable. */
  price: (words: string): readonly string[] => {
    const other = otherCurrencyIn(words);
    return other === null ? currenciesIn(words) : [other];
  },
};

function unitsBy(patterns: readonly (readonly [unit: string, pattern: RegExp])[]) {
  return (words: string): readonly string[] =>
    patterns.flatMap(([unit, pattern]) => (pattern.test(words) ? [unit] : []));
}

const hasUnit = (field: string): field is keyof typeof UNITS => Object.hasOwn(UNITS, field);

const MAX_NAME = 60;

/** The unit or currency that the name of a field's column says; null where it says none, or several: `Miles/KM`. */
export const unitNamed = (field: string, name: string): string | null =>
  hasUnit(field) ? NAMED[field](name.slice(0, MAX_NAME)) : null;

const NAMED = { mileage: unitIn('mileage'), gvwr: unitIn('gvwr'), price: unitIn('price') };

function unitIn(field: keyof typeof UNITS) {
  return remember((name) => {
    const words = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');
    const [unit = null, ...others] = UNITS[field](words);
    return others.length === 0 ? unit : null;
  });
}

/** A value with the unit or currency that its column's name says, where it says none itself. */
export function addUnit(field: string, name: string, value: unknown): unknown {
  const unit = unitNamed(field, name);
  if (unit === null || !hasUnit(field) || (typeof value !== 'number' && typeof value !== 'string'))
    return value;
  const text = String(value).trim();
  // One digit is a code or a class.
  const isBare = /\d.*\d/.test(text) && UNITS[field](text.slice(0, MAX_NAME)).length === 0;
  return isBare ? `${text} ${unit}` : value;
}
