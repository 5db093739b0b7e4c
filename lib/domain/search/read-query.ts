import { readState } from '../place/place.ts';
import { foldKey } from '../text/text.ts';
import { BODIES } from '../vocabulary/bodies.ts';
import { canonicalBody } from '../vocabulary/body.ts';
import { editDistance } from '../vocabulary/make.ts';
import { knownFuel, readCondition } from '../vocabulary/resolve.ts';
import { allowedDistance, COMMON_WORDS, type Name, type Term, toTerms } from './search-words.ts';
import { toWords } from './words.ts';

/** A query as filters, as far as its words name something, and the words that are left. */
export interface ReadQuery {
  filters: QueryFilters;
  words: string[];
  terms: Term[];
}

/** What a query can name, by the names of the search's parameters. */
export interface QueryFilters {
  make?: string[] | undefined;
  model?: string[] | undefined;
  year?: number[] | undefined;
  fuel_type?: string[] | undefined;
  condition?: string[] | undefined;
  state?: string[] | undefined;
  body_type?: string[] | undefined;
}

const MAX_WORDS = 12;
/** A name that this many models begin with is looked for as a word. */
const MAX_MODELS = 50;
const LETTERS = /^\p{L}+$/u;
const BODY_NAMES = Object.keys(BODIES);
/** Postal codes that are something else in lower case: words, or short for other things of trucks. */
const CODES_OF_STATES_ONLY_IN_CAPITALS = new Set(
  'al co de hi id in la ma mb md me mo ms mt nd ne oh ok on or pa pe sc sd sk'.split(' '),
);

/** The words of a query as they were sent. */
export function splitQuery(query: string): string[] {
  return query
    .normalize('NFC')
    .split(/[\s,;|'"\\]+/)
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .slice(0, MAX_WORDS);
}

/**
 * Takes out of a query the words that are one of the account's makes, the beginning of models of it, a model year, a
 * fuel, a condition, a state, and beside any of these a body: as filters they are answered by indexes instead of texts.
 * What `asked` filters already is left.
 */
export function readQuery(
  query: string,
  names: readonly Name[],
  asked: { [Filter in keyof QueryFilters]?: unknown },
): ReadQuery {
  const texts = splitQuery(query);
  const filters: QueryFilters = {};
  const isFree = (filter: keyof QueryFilters) => asked[filter] == null;
  const take = (filter: Exclude<keyof QueryFilters, 'year'>, named: (words: QueryWords) => string[]) => {
    const found = takeWords(texts, named);
    if (found !== null) filters[filter] = found;
  };

  const makesAsked = Array.isArray(asked.make) ? asked.make : null;
  const inReach = names.filter(({ make }) => makesAsked?.includes(make) ?? true);
  const makes = new Map(inReach.map(({ make }) => [make, foldKey(make)]));
  take('make', (word) => [...makes].flatMap(([make, key]) => (isMake(key, word) ? [make] : [])).slice(0, 1));
  const [make] = filters.make ?? [];
  const models = modelsByBeginning(
    make === undefined ? inReach : inReach.filter((name) => name.make === make),
  );
  if (isFree('model'))
    take('model', (word) => (make !== undefined || isDistinctive(word.key) ? findModels(models, word) : []));
  const year = isFree('year') ? takeWords(texts, (word) => readYear(word, models)) : null;
  if (year !== null) filters.year = year;
  if (isFree('fuel_type')) take('fuel_type', ({ text }) => listed(knownFuel(text)));
  if (isFree('state')) take('state', (word) => listed(readStateWords(word)));
  if (isFree('condition'))
    take('condition', ({ text }) => listed(/^(?:new|used)$/i.test(text) ? readCondition(text) : null));
  if (isFree('body_type') && Object.keys(filters).length > 0) take('body_type', findBodies);
  return { filters, words: texts, terms: toTerms(texts, names) };
}

/** One to three neighbouring words of a query. */
interface QueryWords {
  text: string;
  key: string;
  count: number;
  /** The word behind them. */
  next: string | undefined;
}

const listed = <Value>(value: Value | null): Value[] => (value === null ? [] : [value]);

/** What the first words that name anything name, the most of them first; they are taken out of `texts`. */
function takeWords<Value>(texts: string[], named: (words: QueryWords) => Value[]): Value[] | null {
  for (const count of [3, 2, 1]) {
    for (let at = 0; at + count <= texts.length; at += 1) {
      const text = texts.slice(at, at + count).join(' ');
      const found = named({ text, key: foldKey(text), count, next: texts[at + count] });
      if (found.length === 0) continue;
      texts.splice(at, count);
      return found;
    }
  }
  return null;
}

/** Short words are not taken for misspelled makes: there is food on food trucks. */
function isMake(makeKey: string, { key, text, count }: QueryWords): boolean {
  return makeKey === key || (count === 1 && LETTERS.test(text) && isNearly(makeKey, key));
}

const isNearly = (name: string, key: string) =>
  Math.min(name.length, key.length) >= 7 &&
  LETTERS.test(name) &&
  Math.abs(name.length - key.length) <= allowedDistance(key.length) &&
  editDistance(key, name) <= allowedDistance(key.length);

/** Models by what they begin with, in whole words. */
function modelsByBeginning(names: readonly Name[]): Map<string, Set<string>> {
  const models = new Map<string, Set<string>>();
  for (const { model } of names) {
    let beginning = '';
    for (const word of toWords(model)) {
      beginning += word.toUpperCase();
      const same = models.get(beginning) ?? new Set();
      models.set(beginning, same.add(model));
    }
  }
  return models;
}

function findModels(
  models: ReadonlyMap<string, ReadonlySet<string>>,
  { key, text, count }: QueryWords,
): string[] {
  const exact = models.get(key);
  if (exact) return exact.size > MAX_MODELS ? [] : [...exact];
  if (count > 1 || !LETTERS.test(text)) return [];
  const near = [...models].filter(([beginning]) => isNearly(beginning, key));
  const found = new Set(near.flatMap(([, names]) => [...names]));
  return found.size > MAX_MODELS ? [] : [...found];
}

/** Without a make, mere numbers and words that tell other things of trucks are no models. */
const isDistinctive = (key: string) =>
  key.length > 2 && /\p{L}/u.test(key) && !COMMON_WORDS.some((word) => foldKey(word) === key);

function readYear({ text, count }: QueryWords, models: ReadonlyMap<string, unknown>): number[] {
  return count === 1 && /^(?:199|20\d)\d$/.test(text) && !models.has(text) ? [Number(text)] : [];
}

/** Kansas is a state, and not where Kansas City is. */
function readStateWords({ text, count, next }: QueryWords): string | null {
  if (CODES_OF_STATES_ONLY_IN_CAPITALS.has(text)) return null;
  if (text.length === 2 && !/^(?:\p{Lu}{2}|\p{Ll}{2})$/u.test(text)) return null;
  if (count === 1 && /^(?:city|beach)$/i.test(next ?? '')) return null;
  return readState(text);
}

/** The bodies with this word in their name, or that it is another name of. */
function findBodies({ text, count }: QueryWords): string[] {
  const body = canonicalBody(text);
  if (count > 1 || text.length < 3) return BODY_NAMES.filter((name) => name === body);
  return BODY_NAMES.filter((name) => name === body || name.split('_').includes(text.toLowerCase()));
}
