import { LIMITS } from '../fields.ts';
import type { VinDecoded, VinFacts } from '../listing/truck.ts';
import { foldWidth } from '../text/text.ts';

/** Vehicle identification numbers by 49 CFR 565 and ISO 3779. */

/** White space, dashes, invisible characters, and marks that scanners and spreadsheets add. */
const STRIPPED = /[\s\p{Pd}\p{Cc}\p{Cf}\u2212*='"`‘’“”]/gu;
const LEGAL = /^[A-HJ-NPR-Z0-9]{17}$/;

/** 49 CFR 565.15, table III: the worth of each character; I, O and Q have none. */
export const CHARACTER_VALUES = new Map(
  [...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'].map((char, index) => [
    char,
    Number('123456781234579234567890123456789'[index]),
  ]),
);
/** Table IV: the weight of each position. */
export const POSITION_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/** Table VII: position 10, repeating every 30 years from 1980. */
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
/** The first model year with 17 characters. */
const FIRST_YEAR = 1981;

/** Upper case, without white space and dashes. Idempotent. */
export function normaliseVin(text: string): string {
  return /^[A-Z0-9]{1,17}$/.test(text)
    ? text
    : foldWidth(text.toWellFormed()).toUpperCase().replace(STRIPPED, '');
}

/** True for 17 characters, counted in UTF-16 units and in code points. */
export function hasVinLength(vin: string): boolean {
  return vin.length === LIMITS.vinLength && [...vin].length === LIMITS.vinLength;
}

/** True for 17 characters that VINs use: digits, and letters other than I, O and Q. */
export function hasVinCharacters(vin: string): boolean {
  return LEGAL.test(vin);
}

/** Computes the check digit of position 9 by 49 CFR 565.15(c), `0` to `9` or `X`; null if a character is not allowed. */
export function computeCheckDigit(vin: string): string | null {
  if (!LEGAL.test(vin)) return null;
  let sum = 0;
  for (let index = 0; index < POSITION_WEIGHTS.length; index++) {
    sum += (CHARACTER_VALUES.get(vin.charAt(index)) ?? 0) * (POSITION_WEIGHTS[index] ?? 0);
  }
  const remainder = sum % 11;
  return remainder === 10 ? 'X' : String(remainder);
}

/**
 * Lists the model years that position 10 may mean, oldest first, from 1981 to the current year + 2. Position 7 does not
 * decide: its rule of 2010 applies only up to 10,000 lb.
 */
export function decodeModelYears(vin: string, currentYear: number): number[] {
  const offset = YEAR_CODES.indexOf(vin.charAt(9) || '?');
  if (offset < 0) return [];
  return [1980 + offset, 2010 + offset].filter(
    (year) => year >= FIRST_YEAR && year <= currentYear + LIMITS.yearsAhead,
  );
}

/** Finds VINs in a text with several: 17 characters with a correct check digit. */
export function findVins(text: string): string[] {
  const parts = text
    .slice(0, 200)
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return parts.filter((part) => computeCheckDigit(part) === part.charAt(8));
}

/** The United States, Canada and Mexico, where the check digit is law (WMI 1 to 5 and 7F to 70, SAE J1044). */
export function isNorthAmerican(vin: string): boolean {
  return /^(?:[1-5]|7[F-Z0-9])/.test(vin);
}

export function toVinFacts(vin: string, currentYear: number, decoded: VinDecoded | null): VinFacts {
  const { years_possible: years = [], ...facts } = decoded ?? {};
  return {
    wmi: vin.slice(0, 3),
    check_digit: computeCheckDigit(vin) === vin.charAt(8) ? 'valid' : 'invalid',
    model_years: years.length > 0 ? years : decodeModelYears(vin, currentYear),
    ...NO_FACTS,
    ...facts,
  };
}

/** The members of an answer, in the order people read them. */
const NO_FACTS = {
  make: null,
  model: null,
  series: null,
  year: null,
  vehicle_type: null,
  truck_class: null,
  gvwr_min: null,
  gvwr_max: null,
  body_type: null,
  cab: null,
  drivetrain: null,
  engine: null,
  engine_make: null,
  engine_model: null,
  displacement_l: null,
  cylinders: null,
  horsepower: null,
  fuel_type: null,
  manufacturer: null,
  plant_country: null,
};
