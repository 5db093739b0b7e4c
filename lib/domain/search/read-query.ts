import { isPlaceNamedNew } from '../place/places-named-new.ts';
import { readState, readStateName } from '../place/states.ts';
import { currencyIn } from '../text/currency.ts';
import { plainText, toTokens } from '../text/tokens.ts';
import { BODY_PHRASES, CAB_PHRASES, namedCab, toBodyTokens } from '../vocabulary/body.ts';
import type { Phrases } from '../vocabulary/phrases.ts';
import {
  DRIVE_PHRASES,
  knownFuel,
  readCondition,
  TRANSMISSION_WORDS,
  WHEEL_PHRASES,
} from '../vocabulary/resolve.ts';
import { STOP_WORDS } from '../vocabulary/short-terms.ts';
import { UNKNOWN_CONDITION } from './listing-terms.ts';
import { takeBodies } from './query-bodies.ts';
import type { Asked, QueryFilters } from './query-filters.ts';
import { isMakeOfOtherThings, readNames } from './query-names.ts';
import { type QueryNumbers, readNumbers } from './query-numbers.ts';
import { type QueryWords, splitQuery, takeWords, writeNumbers } from './query-texts.ts';
import { isColor, type Name, type Term, toTerms } from './search-words.ts';

/** A query as filters, as far as its words name something, and the words that are left. */
export interface ReadQuery {
  filters: QueryFilters;
  words: string[];
  /** Of each word. */
  terms: Term[];
  /** The words as they were typed of what a truck is like, by the filter that they were read as. */
  typed?: Partial<Record<TypedFilter, readonly string[]>> | undefined;
  /** What nothing found may be like. */
  without?: Without | undefined;
  /** Words that were left out because nothing has them together with the others. */
  dropped?: string[] | undefined;
}

export interface Without {
  filters: QueryFilters;
  terms: Term[];
  /** As it was typed: `not white`. */
  texts: string[];
}

type WordFilter = Exclude<keyof QueryFilters, keyof QueryNumbers>;
type TypedFilter = Exclude<WordFilter, 'make' | 'model' | 'maker'>;

/** Postal codes that are something else in lower case: words, or short for other things of trucks. */
const CODES_OF_STATES_ONLY_IN_CAPITALS = new Set(
  'al co de hi id in la ma mb md me mo ms mt nd ne oh ok on or pa pe sc sd sk'.split(' '),
);

/**
 * Takes out of a query the words that name something: prices, miles, model years and classes, the account's makes and
 * models, fuels, states, conditions, bodies, transmissions, drives, rear wheels and cabs. As filters they are answered by what a
 * listing is, not by how it is written about. What `asked` filters already is left.
 */
export function readQuery(query: string, names: readonly Name[], asked: Asked): ReadQuery {
  const isFree = (filter: string) => asked[filter as keyof Asked] == null;
  const { numbers, currency, rest, dropped } = readNumbers(writeNumbers(query), isFree);
  const texts = splitQuery(rest);
  const negations = takeNegations(texts, names);
  dropped.push(...negations.dropped);
  const filters: QueryFilters = { ...numbers };
  const typed: ReadQuery['typed'] = {};
  const take = (filter: TypedFilter, named: (words: QueryWords) => readonly string[]) => {
    const found = isFree(filter) ? takeWords(texts, named) : null;
    if (found === null) return;
    filters[filter] = found.values;
    typed[filter] = found.typed;
  };
  const { models } = readNames(texts, names, asked, filters);
  const years = isFree('year') && filters.year_min === undefined && filters.year_max === undefined;
  const year = years ? takeWords(texts, (word) => readYear(word, models)) : null;
  if (year !== null) filters.year = year.values;
  take('fuel_type', ({ text }) => listed(STOP_WORDS.has(text) ? null : knownFuel(text)));
  take('state', (word) => listed(readStateWords(word)));
  take('transmission', ({ text }) => transmissionsFor(text));
  take('drivetrain', named(DRIVE_PHRASES));
  take('rear_wheels', named(WHEEL_PHRASES));
  if (currency !== null && isFree('currency')) filters.currency = [currency];
  take('currency', ({ text }) => listed(CURRENCY_NAMES.test(text) ? currencyIn(text) : null));
  const bodies = isFree('body_type') ? takeBodies(texts) : null;
  if (bodies !== null) [filters.body_type, typed.body_type] = [bodies.bodies, bodies.typed];
  take('cab', named(CAB_PHRASES));
  take('condition', readConditionWords);
  preferMakers(filters, isFree('make'));
  const kinds = bodies?.kinds ?? [];
  const words = texts.filter(saysSomething);
  return {
    filters,
    words: [...kinds.map(({ word }) => word), ...words],
    terms: [...kinds.map(({ alternatives }) => toAnyBeginning(alternatives)), ...toTerms(words, names)],
    typed,
    ...(negations.without === null ? {} : { without: negations.without }),
    ...(dropped.length > 0 ? { dropped } : {}),
  };
}

/** Dollars are any; what else a currency is called may be another word. */
const CURRENCY_NAMES = /^(?:pesos?(?: mexicanos?)?|mx[np]|cad|cdn|usd|dlls?|d[oó]lares)$/i;

const saysSomething = (text: string) => !STOP_WORDS.has(plainText(text));

/** Very short words are not the beginning of another: `tri` of trim, `mid` of midnight. */
const toAnyBeginning = (beginnings: readonly string[]): Term =>
  beginnings.map((text) => [{ text, prefix: text.length > 3 }]);

/** What happened to a truck is looked for in what dealers write of it. */
const IS_A_HISTORY = /^(?:salvage|rebuilt|reman|refurb)/i;

/** Used is what is not known to be new; `Nuevo Laredo` is a place. */
function readConditionWords({ text, count, next }: QueryWords): readonly string[] {
  if (count > 1 || text.length < 3 || isPlaceNamedNew(text, next) || IS_A_HISTORY.test(text)) return [];
  const condition = readCondition(text);
  return condition === 'used' ? ['used', UNKNOWN_CONDITION] : listed(condition);
}

const WITHOUT = new Set(
  'no not without sin sans except excepto sauf excluding exclude excluyendo salvo hormis'.split(' '),
);
const isNegation = (text: string) => WITHOUT.has(plainText(text));

/**
 * Takes what a query does not want. `no sleeper` is a body as well, and its words are left. Words that name nothing are
 * dropped: a truck whose text says `no rust` must not be left out by its rust.
 */
function takeNegations(texts: string[], names: readonly Name[]) {
  const filters: Record<string, (string | number)[]> = {};
  const terms: Term[] = [];
  const typed: string[] = [];
  const dropped: string[] = [];
  for (let at = texts.length - 2; at >= 0; at -= 1) {
    if (!isNegation(texts[at] ?? '')) continue;
    const unwanted = readUnwanted(texts.slice(at + 1), names);
    for (const [name, values] of Object.entries<readonly (string | number)[]>(unwanted?.filters ?? {}))
      filters[name] = [...(filters[name] ?? []), ...values];
    terms.push(...(unwanted?.terms ?? []));
    if (isBody(texts.slice(at, at + 2))) continue;
    const taken = texts.splice(at, 1 + (unwanted?.count ?? 1)).join(' ');
    (unwanted === null ? dropped : typed).unshift(taken);
  }
  const isNone = terms.length === 0 && Object.keys(filters).length === 0;
  return { without: isNone ? null : { filters, terms, texts: typed }, dropped };
}

function isBody(texts: readonly string[]): boolean {
  const tokens = toBodyTokens(texts.join(' '));
  return BODY_PHRASES.startingAt(tokens, 0)?.count === tokens.length;
}

const MAX_UNWANTED = 4;

/** The most words at the beginning that name one thing. */
function readUnwanted(texts: readonly string[], names: readonly Name[]) {
  for (let count = Math.min(MAX_UNWANTED, texts.length); count > 0; count -= 1) {
    const first = texts.slice(0, count);
    if (first.some(isNegation)) continue;
    const { filters, words, terms } = readQuery(first.join(' '), names, {});
    const one = words.length === 0 ? toOneFilter(filters, first) : null;
    if (one !== null) return { filters: one, terms: [], count };
    const isColored = words.length === 1 && words.every(isColor) && Object.keys(filters).length === 0;
    if (isColored) return { filters: {}, terms, count };
  }
  return null;
}

const JOINS = new Set(['or', 'o', 'ou', 'and', 'y', 'et', 'nor', 'ni']);

/** Two makes side by side are one that is unwanted and one that is wanted. */
function toOneFilter({ maker, ...filters }: QueryFilters, texts: readonly string[]) {
  const { make = maker, ...others } = filters;
  const isMake = Object.keys(others).length === 0 && make !== undefined;
  const [[name, values = []] = [''], ...more] = Object.entries(isMake ? { make } : others);
  const isJoined = texts.some((text) => JOINS.has(plainText(text)));
  const isModel = name === 'model' || make === undefined;
  if (values.length === 0 || more.length > 0 || /_m(?:in|ax)$/.test(name)) return null;
  if (isMake ? values.length > 1 && !isJoined : !isModel) return null;
  const cab = name === 'body_type' && values.length === 1 ? namedCab(`${values[0]}`, []) : null;
  return { [name]: values, ...(cab === null ? {} : { cab: [cab] }) };
}

/**
 * The readings of these filters as the words that were typed, for lots that write of what a truck is like without saying
 * so in its field; null when there are none.
 */
export function asTyped(read: ReadQuery, which: (filter: string) => boolean): ReadQuery | null {
  const { filters, words, terms, typed = {} } = read;
  const chosen = Object.entries(typed).filter(([filter]) => which(filter));
  const more = chosen
    .flatMap(([, texts]) => texts)
    .filter((text) => saysSomething(text) && !words.includes(text));
  if (more.length === 0) return null;
  const others = Object.fromEntries(
    Object.entries(filters).filter(([filter]) => !(filter in typed && which(filter))),
  );
  return { ...read, filters: others, words: [...more, ...words], terms: [...toTerms(more, []), ...terms] };
}

/** A lone make that also builds engines is looked for as either. */
function preferMakers(filters: QueryFilters, isFree: boolean): void {
  const { make, model } = filters;
  if (!isFree || make === undefined || model !== undefined || !make.some(isMakeOfOtherThings)) return;
  delete filters.make;
  filters.maker = make;
}

const listed = <Value>(value: Value | null): Value[] => (value === null ? [] : [value]);

/** To buyers a box that shifts itself is an automatic. Makers of transmissions are looked up as words. */
const ALSO_AUTOMATIC = ['automatic', 'automated'];

function transmissionsFor(text: string): readonly string[] {
  const kind = TRANSMISSION_WORDS.startingAt(toTokens(text), 0);
  if (kind === null || kind.count !== toTokens(text).length) return [];
  return kind.value === 'automatic' ? ALSO_AUTOMATIC : [kind.value];
}

const named =
  (phrases: Phrases<string>) =>
  ({ text }: QueryWords): string[] => {
    const tokens = toTokens(text);
    const found = phrases.startingAt(tokens, 0);
    return found !== null && found.count === tokens.length ? [found.value] : [];
  };

/** A number of gallons is no year. */
function readYear({ text, count, next }: QueryWords, models: ReadonlyMap<string, unknown>): number[] {
  if (/^(?:gal|litr|lts?$|lb|kg|hp$)/i.test(next ?? '')) return [];
  return count === 1 && /^(?:199|20\d)\d$/.test(text) && !models.has(text) ? [Number(text)] : [];
}

/** Kansas is a state, and not where Kansas City is. */
function readStateWords({ text, count, next }: QueryWords): string | null {
  if (CODES_OF_STATES_ONLY_IN_CAPITALS.has(text)) return null;
  if (text.length === 2 && !/^(?:\p{Lu}{2}|\p{Ll}{2})$/u.test(text)) return null;
  if (count === 1 && /^(?:city|beach)$/i.test(next ?? '')) return null;
  // Longer short forms are words of other things: `wash`, `ore`, `camp`.
  return text.length === 2 ? readState(text) : readStateName(text);
}
