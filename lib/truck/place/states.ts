import { foldKey, toNormalForm } from '../text/text.ts';
import { type Country, splitCountry } from './countries.ts';
import {
  CANADIAN_PROVINCES,
  MEXICAN_SPELLINGS,
  MEXICAN_STATES,
  STATE_SPELLINGS,
  US_STATES,
} from './places.ts';

/** States of the US and Mexico, provinces of Canada: by code, name or what they are shortened to. */

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
 * Code of a US state, Canadian province or Mexican state by code or name, with its country behind it or not; null when it
 * is none. In a country, if that is known: `BC` is in Mexico or in Canada, `CA` no province. Idempotent.
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

/** A Mexican state that has the same short form as this US state or Canadian province. */
export function findNamesakeInMexico(state: string): string | null {
  return IN_MEXICO.get(state) ?? null;
}

function toKey(text: string): string {
  return foldKey(toNormalForm(text, 'NFKD').replace(/\p{M}/gu, ''));
}

function splitTable(table: Readonly<Record<string, string>>): Spelling[] {
  return Object.entries(table).flatMap(([code, spellings]) =>
    spellings.split('/').map((spelling): Spelling => [spelling, code]),
  );
}

function indexCodes(spellings: readonly Spelling[]): ReadonlyMap<string, string> {
  return new Map(spellings.map(([spelling, code]) => [toKey(spelling), code]));
}
