import { currenciesIn, otherCurrencyIn } from '../text/currency.ts';
import { remember } from '../text/remember.ts';

/** Units and currencies, as names of columns and members say them: `Odometer (km)`, `GVW kg`, `CAD Price`. */

type UnitField = 'mileage' | 'gvwr' | 'price';

const KILOMETERS = /kil[oó]m[eéè]t|kms?$|^kms?/;
const MILES = /miles?$|^miles|millas|milles|odometermi$/;
const KILOGRAMS = /(?<!\p{L})k(?:gs?|ilos?|ilogram[a-zé]*)(?!\p{L})/iu;
const POUNDS = /(?<!\p{L})(?:lbs?|pounds?|libras?|livres?)(?!\p{L})/iu;

/** Nothing where a name says both: `Miles/KM`, `CAD/USD`. */
const onlyOne = (units: readonly string[]): string | null => (units.length === 1 ? (units[0] ?? null) : null);

/** `Kms`, `Odometer (km)`, `Kilometraje`, `Miles`: null where a name says no unit. */
function distanceIn(name: string): string | null {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return onlyOne([...(KILOMETERS.test(plain) ? ['km'] : []), ...(MILES.test(plain) ? ['mi'] : [])]);
}

const weightIn = (name: string): string | null =>
  onlyOne([...(KILOGRAMS.test(name) ? ['kg'] : []), ...(POUNDS.test(name) ? ['lb'] : [])]);

/** A currency that prices cannot be in stays in their text, which makes them unreadable. */
const currencyIn = (name: string): string | null => otherCurrencyIn(name) ?? onlyOne(currenciesIn(name));

const UNIT_IN: Readonly<Record<UnitField, (name: string) => string | null>> = {
  mileage: remember((name) => distanceIn(name)),
  gvwr: remember((name) => weightIn(splitWords(name))),
  price: remember((name) => currencyIn(splitWords(name))),
};
const MAX_NAME = 60;

/** `priceUsd`, `gvwr_kg` → their words. */
const splitWords = (name: string): string =>
  name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');

const hasUnit = (field: string): field is UnitField => Object.hasOwn(UNIT_IN, field);

/** The unit or currency that the name of a field's column says; null where it says none. */
export const unitNamed = (field: string, name: string): string | null =>
  hasUnit(field) ? UNIT_IN[field](name.slice(0, MAX_NAME)) : null;

/** `412,350`, `33k+` */
const isBareNumber = (text: string): boolean => /^\d[\d.,'\s]*k?[+*]*$/i.test(text);

/** Values that say no unit themselves. */
const BARE: Readonly<Record<UnitField, (text: string) => boolean>> = {
  mileage: isBareNumber,
  gvwr: isBareNumber,
  price: (text) => /[1-9]/.test(text) && currenciesIn(text).length === 0,
};

/** A value with the unit or currency that its column's name says, where it says none itself. */
export function addUnit(field: string, name: string, value: unknown): unknown {
  if (!hasUnit(field) || (typeof value !== 'number' && typeof value !== 'string')) return value;
  const unit = unitNamed(field, name);
  if (unit === null) return value;
  const text = String(value).trim();
  return BARE[field](text) ? `${text} ${unit}` : value;
}
