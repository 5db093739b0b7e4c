import { foldKey } from '../text/text.ts';
import { plainText } from '../text/tokens.ts';
import { type Country, splitCountry } from './countries.ts';
import {
  CANADIAN_PROVINCES,
  MEXICAN_SPELLINGS,
  MEXICAN_STATES,
  STATE_SPELLINGS,
  US_STATES,
} from './places.ts';

/** States of the US and Mexico, and provinces of Canada, by code, name or abbreviation. */

const NORTH_AMERICA = { ...MEXICAN_STATES, ...US_STATES, ...CANADIAN_PROVINCES };
const CODES = indexCodes([
  ...Object.entries(NORTH_AMERICA).flatMap(([code, name]): Spelling[] => [
    [code, code],
    [name, code],
  ]),
  ...splitTable(STATE_SPELLINGS),
]);
const IN_MEXICO = indexCodes([
  ...Object.entries(MEXICAN_STATES).map(([code]): Spelling => [code, code]),
  ...splitTable(MEXICAN_SPELLINGS),
]);

type Spelling = readonly [spelling: string, code: string];

/** True for a state of Mexico. */
export const isMexican = (state: string | null | undefined): boolean =>
  state != null && Object.hasOwn(MEXICAN_STATES, state);

/**
 * Reads the code of a US state, Canadian province or Mexican state, with or without its country; else null. `country` decides
 * ambiguous ones: `BC` is in Mexico or in Canada, and `CA` is no province. Idempotent.
 */
export function readState(raw: unknown, country: Country | null = null): string | null {
  if (typeof raw !== 'string' || raw.length > 200) return null;
  const state = findState(raw, country);
  if (state !== null) return state;
  const parts = splitCountry(raw);
  return parts.country === null ? null : findState(parts.rest, parts.country);
}

function findState(text: string, country: Country | null): string | null {
  const key = toKey(text);
  const state = (country === 'MX' ? IN_MEXICO.get(key) : undefined) ?? CODES.get(key) ?? null;
  const isElsewhere = country === 'MX' ? !isMexican(state) : country === 'CA' && state === 'CA';
  return isElsewhere ? null : state;
}

/** Returns the Mexican state with the abbreviation of this US state or Canadian province. */
export function findNamesakeInMexico(state: string): string | null {
  return IN_MEXICO.get(state) ?? null;
}

function toKey(text: string): string {
  return foldKey(plainText(text));
}

function splitTable(table: Readonly<Record<string, string>>): Spelling[] {
  return Object.entries(table).flatMap(([code, spellings]) =>
    spellings.split('/').map((spelling): Spelling => [spelling, code]),
  );
}

function indexCodes(spellings: readonly Spelling[]): ReadonlyMap<string, string> {
  return new Map(spellings.map(([spelling, code]) => [toKey(spelling), code]));
}
