import { toNormalForm } from './text.ts';

/** Reads numbers as dealers write them: `26,000 lbs`, `$54,900.00`, `33k lbs`, `412,350 mi`. */

/** Words allowed around a number and the factor of each; 1 for words without meaning. */
export type Units = Readonly<Record<string, number>>;

const toUnits = (words: string, value: number): Units =>
  Object.fromEntries(words.split(' ').map((word) => [word, value]));

const POUNDS_PER_KG = 2.204_622_621_8;
export const POUNDS: Units = {
  ...toUnits('lb lbs pound pounds # gvwr gvw libra libras livre livres', 1),
  ...toUnits('kg kgs kilogram kilograms kilogrammes kilogramos kilo kilos', POUNDS_PER_KG),
  ...toUnits('t tonne tonnes', POUNDS_PER_KG * 1_000),
};
/** The names of currencies are in text/currency.ts. */
export const DOLLARS: Units = toUnits('$ dollars dollar americanos', 1);
export const MILES_PER_KM = 0.621_371_192;
export const MILES: Units = {
  ...toUnits('mi mile miles mis millas milles', 1),
  ...toUnits('km kms kilometers kilometres kilometros kilómetros kilomètres', MILES_PER_KM),
};
export const HORSEPOWER: Units = toUnits('hp bhp horsepower', 1);
export const FEET: Units = {
  ...toUnits("ft feet foot '", 1),
  ...toUnits('in inches "', 1 / 12),
  m: 3.280_84,
};
export const INCHES: Units = toUnits(`in inch inches " ''`, 1);

const MAX_LENGTH = 60;
const NUMBER = /^([+-]?)([^\d.,+-]*)(\d[\d,]*(?:\.\d*)?|\.\d+)((?:[^\d.,][^\d]*)?)$/;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/;
/** `54.900` may be 54,900 or 54.9. */
const AMBIGUOUS = /^\d{1,3}\.\d{3}$/;

/**
 * Reads a number exactly, from a JSON number or a text with known units; null if it is unreadable. The caller checks the
 * range: a JSON number like 1e999 is infinite.
 */
export function readNumber(raw: unknown, units: Units): number | null {
  if (typeof raw === 'number') return Number.isNaN(raw) ? null : raw;
  if (typeof raw !== 'string') return null;
  const text = raw.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text);
  if (text.length > MAX_LENGTH) return null;

  const match = NUMBER.exec(toNormalForm(text, 'NFKC').toLowerCase().trim());
  if (!match) return null;
  const [, sign, before = '', digits = '', after = ''] = match;
  if (digits.includes(',') && !GROUPED.test(digits)) return null;
  if (AMBIGUOUS.test(digits) && !isThousands(after)) return null;
  const scale = findScale(before, after, units);
  if (scale === null) return null;
  const value = Number(digits.replaceAll(',', '')) * scale;
  return sign === '-' ? -value : value;
}

/** Rounds to a whole number, half away from zero for positives; never -0. */
export function roundToInteger(value: number): number {
  return Math.round(value) + 0;
}

function isThousands(after: string): boolean {
  return /^\s*k\b/.test(after);
}

/** Multiplies the factors of all words around the number; null if one is unknown. */
function findScale(before: string, after: string, units: Units): number | null {
  let scale = 1;
  let rest = after.trim();
  if (isThousands(rest)) {
    scale = 1_000;
    rest = rest.slice(1);
  }
  for (const word of `${before} ${rest}`.split(/[\s.:]+/)) {
    if (word === '') continue;
    if (!Object.hasOwn(units, word)) return null;
    scale *= units[word] ?? 1;
  }
  return scale;
}
