import { LIMITS } from '../fields.ts';
import { toText } from './text.ts';

/** Reads the model year from `2021`, `"2021"` or `"2021.0"`; else null. */
export function readYear(raw: unknown): number | null {
  const match = /^(\d{4})(?:\.0*)?$/.exec(toText(raw)?.trim() ?? '');
  return match ? Number(match[1]) : null;
}

/** Contract section 8: 1990 to the current year + 2. */
export function isListedYear(year: number, currentYear: number): boolean {
  return year >= LIMITS.yearMin && year <= currentYear + LIMITS.yearsAhead;
}

/** Age in years, 0 for this and coming model years. */
export function ageInYears(year: number, currentYear: number): number {
  return Math.max(0, currentYear - year);
}
