import { toNormalForm } from '../text/normal-form.ts';
import { foldKey } from '../text/text.ts';
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
const CODES = codesBySpelling([
  ...Object.entries(NORTH_AMERICA).flatMap(([code, name]): Spelling[] => [
    [code, code],
    [name, code],
  ]),
  ...splitTable(STATE_SPELLINGS),
]);
const IN_MEXICO = codesBySpelling([
  ...Object.entries(MEXICAN_STATES).map(([code]): Spelling => [code, code]),
  ...splitTable(MEXICAN_SPELLINGS),
]);

type Spelling = readonly [spelling: string, code: string];

/** True for a state of Mexico. */
export const isMexican = (state: string | null | undefined): boolean =>
  state != null && Object.hasOwn(MEXICAN_STATES, state);

/**
 * Code of a US state, Canadian province or Mexican state by code or name, with its country behind it or not; null when it
 * is none. Idempotent.
 */
export function readState(raw: unknown): string | null {
  if (typeof raw !== 'string' || raw.length > 200) return null;
  const whole = CODES.get(toKey(raw));
  if (whole !== undefined) return whole;
  const { rest, country } = splitCountry(raw);
  return country === null ? null : readStateIn(rest, country);
}

/** The same of a place in a country, if that is known: `BC` is in Mexico or in Canada, `CA` no province. */
export function readStateIn(text: unknown, country: Country | null): string | null {
  if (typeof text !== 'string' || text.length > 200) return null;
  if (country === 'MX') return readMexicanState(text);
  const state = CODES.get(toKey(text)) ?? null;
  return country === 'CA' && state === 'CA' ? null : state;
}

function readMexicanState(text: string): string | null {
  const state = IN_MEXICO.get(toKey(text)) ?? CODES.get(toKey(text)) ?? null;
  return isMexican(state) ? state : null;
}

/** A Mexican state that has the same short form as this US state or Canadian province. */
export function namesakeInMexico(state: string): string | null {
  return IN_MEXICO.get(state) ?? null;
}

function toKey(text: string): string {
  return foldKey(toNormalForm(text, 'NFKD').replace(/\p{M}/gu, ''));
}

function splitTable(table: Readonly<Record<string, string>>): Spelling[] {
  return Object.entries(table).flatMap(([code, spellings]) =>
    spellings.split(', ').map((spelling): Spelling => [spelling, code]),
  );
}

function codesBySpelling(spellings: readonly Spelling[]): ReadonlyMap<string, string> {
  return new Map(spellings.map(([spelling, code]) => [toKey(spelling), code]));
}
