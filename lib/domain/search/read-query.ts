import { readState, readStateName } from '../place/states.ts';
import { plainText, toTokens } from '../text/tokens.ts';
import { CAB_PHRASES } from '../vocabulary/body.ts';
import type { Phrases } from '../vocabulary/phrases.ts';
import { DRIVE_PHRASES, knownFuel, readCondition, TRANSMISSION_WORDS } from '../vocabulary/resolve.ts';
import { STOP_WORDS } from '../vocabulary/short-terms.ts';
import { joinLengths } from './lengths.ts';
import { takeBodies } from './query-bodies.ts';
import type { Asked, QueryFilters } from './query-filters.ts';
import { isMakeOfOtherThings, readNames } from './query-names.ts';
import { type QueryNumbers, readNumbers } from './query-numbers.ts';
import { type QueryWords, splitQuery, takeWords } from './query-texts.ts';
import { type Name, type Term, toTerms } from './search-words.ts';

/** A query as filters, as far as its words name something, and the words that are left. */
export interface ReadQuery {
  filters: QueryFilters;
  words: string[];
  /** Of each word. */
  terms: Term[];
  /** Words that were left out because nothing has them together with the others. */
  dropped?: string[] | undefined;
}

type WordFilter = Exclude<keyof QueryFilters, keyof QueryNumbers>;

/** Postal codes that are something else in lower case: words, or short for other things of trucks. */
const CODES_OF_STATES_ONLY_IN_CAPITALS = new Set(
  'al co de hi id in la ma mb md me mo ms mt nd ne oh ok on or pa pe sc sd sk'.split(' '),
);

/**
 * Takes out of a query the words that name something: prices, miles, model years and classes, the account's makes and
 * models, fuels, states, conditions, bodies, transmissions, drives and cabs. As filters they are answered by what a
 * listing is, not by how it is written about. What `asked` filters already is left.
 */
export function readQuery(query: string, names: readonly Name[], asked: Asked): ReadQuery {
  const isFree = (filter: string) => asked[filter as keyof Asked] == null;
  const { numbers, rest, dropped } = readNumbers(joinUnits(query), isFree);
  const texts = splitQuery(rest);
  dropped.push(...takeNegations(texts));
  const filters: QueryFilters = { ...numbers };
  const take = (filter: WordFilter, named: (words: QueryWords) => readonly string[]) => {
    const found = isFree(filter) ? takeWords(texts, named, 'all') : null;
    if (found !== null) filters[filter] = found;
  };
  const { models } = readNames(texts, names, asked, filters);
  const years = isFree('year') && filters.year_min === undefined && filters.year_max === undefined;
  const year = years ? takeWords(texts, (word) => readYear(word, models), 'all') : null;
  if (year !== null) filters.year = year;
  take('fuel_type', ({ text }) => listed(STOP_WORDS.has(text) ? null : knownFuel(text)));
  take('state', (word) => listed(readStateWords(word)));
  take('transmission', ({ text }) => transmissionsFor(text));
  take('drivetrain', named(DRIVE_PHRASES));
  const bodies = isFree('body_type') ? takeBodies(texts) : null;
  if (bodies !== null) filters.body_type = bodies.bodies;
  take('cab', named(CAB_PHRASES));
  take('condition', ({ text, count }) => listed(count === 1 && text.length > 2 ? readCondition(text) : null));
  preferMakers(filters, isFree('make'));
  const words = [...(bodies?.words ?? []), ...texts.filter((text) => !STOP_WORDS.has(plainText(text)))];
  return { filters, words, terms: toTerms(words, names), ...(dropped.length > 0 ? { dropped } : {}) };
}

const WITHOUT = new Set(['no', 'not', 'without', 'sin', 'sans']);

/** Nothing is found by what it lacks: takes a negation with the word behind it. */
function takeNegations(texts: string[]): string[] {
  const taken: string[] = [];
  for (let at = texts.length - 2; at >= 0; at -= 1)
    if (WITHOUT.has(plainText(texts[at] ?? ''))) taken.unshift(texts.splice(at, 2).join(' '));
  return taken;
}

/** Bodies as words: for lots that write of them without saying so in the field. */
export function bodiesAsWords(read: ReadQuery, names: readonly Name[]): ReadQuery {
  const { filters, words, terms } = read;
  const { body_type: bodies = [], ...others } = filters;
  const [body] = bodies;
  const more =
    body === undefined ? [] : toTokens(body.replaceAll('_', ' ')).filter((word) => !STOP_WORDS.has(word));
  return { ...read, filters: others, words: [...more, ...words], terms: [...toTerms(more, names), ...terms] };
}

/** A lone make that also builds engines is looked for as either. */
function preferMakers(filters: QueryFilters, isFree: boolean): void {
  const { make, model } = filters;
  if (!isFree || make === undefined || model !== undefined || !make.some(isMakeOfOtherThings)) return;
  delete filters.make;
  filters.maker = make;
}

/** `500 hp` and `26 ft` are one word each in listings. */
const joinUnits = (query: string) =>
  joinLengths(query.replace(/(?<!\d)(\d{3}) (?:hp|horsepower|caballos)\b/i, '$1hp'));

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
