import { toList } from '../../contract/record/to-list.ts';
import { editDistance } from '../names/edit-distance.ts';
import { foldKey } from '../text/text.ts';
import { canonicalMake, isKnownMake, NO_HINTS } from '../vocabulary/make.ts';
import { canonicalModel } from '../vocabulary/model.ts';
import type { Asked, QueryFilters } from './query-filters.ts';
import type { QueryWords } from './query-texts.ts';
import { takeWords } from './query-texts.ts';
import { isVocabulary } from './query-vocabulary.ts';
import { allowedDistance, COMMON_WORDS, type Name } from './search-words.ts';
import { toWords } from './words.ts';

/** Makes and models of the account that a query names. */

/** A name that this many models begin with is looked for as a word. */
const MAX_MODELS = 50;
const LETTERS = /^\p{L}+$/u;

/** Makes whose name stands in listings of others: they build engines too. */
const ENGINE_MAKERS = new Set(['Caterpillar', 'Mack', 'Volvo', 'International', 'Mercedes-Benz']);

export const isMakeOfOtherThings = (make: string): boolean => ENGINE_MAKERS.has(make);

type Models = ReadonlyMap<string, ReadonlySet<string>>;

/** Takes makes and models out of `texts` into `filters`. */
export function readNames(
  texts: string[],
  names: readonly Name[],
  asked: Asked,
  filters: QueryFilters,
): { models: Models } {
  const makesAsked = Array.isArray(asked.make) ? asked.make : null;
  const inReach = names.filter(({ make }) => makesAsked?.includes(make) ?? true);
  const makes = new Map(inReach.map(({ make }) => [make, foldKey(make)]));
  const found = takeWords(texts, (word) => findMakes(makes, word))?.values ?? null;
  if (found !== null) filters.make = found;
  const models = modelsByBeginning(
    found === null ? inReach : inReach.filter(({ make }) => found.includes(make)),
  );
  if (asked.model == null) {
    const isSure = (word: QueryWords) => found !== null || isDistinctive(word.key);
    const within = found ?? [...makes.keys()];
    const named = takeWords(texts, (word) => (isSure(word) ? findModels(models, word, within) : []));
    if (named !== null) filters.model = named.values;
  }
  return { models };
}

function findMakes(makes: ReadonlyMap<string, string>, word: QueryWords): string[] {
  const exact = [...makes].find(([, key]) => key === word.key);
  const isOrdinary = isVocabulary(word.text);
  if (exact && (isKnownMake(exact[0]) || !isOrdinary)) return [exact[0]];
  if (isOrdinary || ORDINARY_WORDS.has(word.key) || /^\d/.test(word.text)) return [];
  const { make, corrected } = canonicalMake(word.text, NO_HINTS);
  if (isKnownMake(make) && !corrected && makes.has(make)) return [make];
  const near = [...makes].find(([, key]) => isMisspelled(key, word));
  return near ? [near[0]] : [];
}

/** Ordinary words, and models, that are another name of a make. */
const ORDINARY_WORDS = new Set(
  toList(`
  WHITE, INT, RIDE, FREIGHT, CASCADIA, T680, VNL, VNR, VHD, OTTAWA, FL, INTER, INTERN, AUTO, KEN, VOL, BATTLE
`),
);

/** Short words are not taken for misspelled makes: there is food on food trucks. */
const isMisspelled = (makeKey: string, { key, text, count }: QueryWords) =>
  count === 1 && LETTERS.test(text) && isNearly(makeKey, key);

const isNearly = (name: string, key: string) =>
  Math.min(name.length, key.length) >= 7 &&
  LETTERS.test(name) &&
  editDistance(key, name, allowedDistance(key.length)) <= allowedDistance(key.length);

/** Models by what they begin with, in whole words, and by the number or code that stands in them: `5500`. */
function modelsByBeginning(names: readonly Name[]): Map<string, Set<string>> {
  const models = new Map<string, Set<string>>();
  for (const { model } of names) {
    let beginning = '';
    const add = (key: string) => models.set(key, (models.get(key) ?? new Set()).add(model));
    for (const word of toWords(model)) {
      // Buyers leave out the letters behind a number: `268` for a 268A.
      const number = /^(\d{2,})[a-z]{1,3}$/.exec(word)?.[1];
      if (number !== undefined) add(beginning + number);
      if (/\d{3}/.test(word)) for (const code of [word.toUpperCase(), number ?? []].flat()) add(code);
      beginning += word.toUpperCase();
      add(beginning);
    }
  }
  return models;
}

function findModels(models: Models, { key, text, count }: QueryWords, makes: readonly string[]): string[] {
  // One truck whose model is "Reefer box" must not stand for all that are refrigerated.
  if (isVocabulary(text)) return [];
  const exact = models.get(key) ?? findFactoryCode(models, text, makes);
  if (exact) return exact.size > MAX_MODELS ? [] : [...exact];
  if (count > 1 || !LETTERS.test(text)) return [];
  const near = [...models].filter(([beginning]) => isNearly(beginning, key));
  const found = new Set(near.flatMap(([, names]) => [...names]));
  return found.size > MAX_MODELS ? [] : [...found];
}

/** The models that a factory's code stands for: `CA125SLP`. */
function findFactoryCode(models: Models, text: string, makes: readonly string[]) {
  if (!/\p{L}\d|\d\p{L}/u.test(text)) return undefined;
  const names = makes.map((make) => canonicalModel(text, make)).filter((name) => name !== text);
  return names.map((name) => models.get(foldKey(name))).find((found) => found !== undefined);
}

/** Without a make, mere numbers and words that tell other things of trucks are no models. */
const isDistinctive = (key: string) =>
  key.length > 2 && /\p{L}/u.test(key) && !COMMON_WORDS.some((word) => foldKey(word) === key);
