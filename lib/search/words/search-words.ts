import { editDistance } from '../../truck/names/near-miss.ts';
import { foldKey } from '../../truck/text/text.ts';
import { plainText } from '../../truck/text/tokens.ts';
import { canonicalMake, isKnownMake } from '../../truck/vocabulary/make.ts';
import { canonicalModel } from '../../truck/vocabulary/model.ts';
import { toPhrases } from '../../truck/vocabulary/phrases.ts';
import { COLOR_FORMS, SAME_EQUIPMENT } from '../../truck/vocabulary/short-terms.ts';
import { toWords } from './words.ts';

/** Reading of makes, models and words as people spell them, against the names that exist. */

/** A make and one of its models that the account has listings of; '' where the model is not known. */
export interface Name {
  make: string;
  model: string;
}

export interface SearchWord {
  text: string;
  /** Also the beginning of a word. */
  prefix: boolean;
}

/** One word of the query: any of these, each of them one or more words that all have to occur. */
export type Term = readonly (readonly SearchWord[])[];

const COLOR_WORDS = new Set(COLOR_FORMS.flat());
export const isColor = (text: string): boolean => COLOR_WORDS.has(plainText(text));

/** Colors in all languages and pieces of equipment, by each of their forms. */
const SYNONYMS = toPhrases(() =>
  [...COLOR_FORMS, ...SAME_EQUIPMENT].flatMap((forms) => forms.map((form) => [form, forms] as const)),
);
const ENGINE_SIZE = /^(\d{1,2})\.(\d)l?$/i;

/** What is looked for by the words of a query: each of them, or another form of it, alone or with its neighbours. */
export function toTerms(texts: readonly string[]): Term[] {
  const plain = texts.map(plainText);
  const synonyms = SYNONYMS.all(plain);
  return texts.map((text, index) => {
    // The digits of an engine's size are in trucks of any engine; listings have them as `67` too.
    const words = toWords(text.replace(ENGINE_SIZE, '$1.$2l'));
    const size = ENGINE_SIZE.test(text) ? [text.replace(ENGINE_SIZE, '$1$2')] : [];
    const forms = synonyms.flatMap(({ value, at, count }) => {
      const typedPhrase = plain.slice(at, at + count).join(' ');
      return index >= at && index < at + count ? value.filter((form) => form !== typedPhrase) : [];
    });
    const isPrefix = (word: string) => !isColor(text) && !/^\d+$/.test(word);
    const alternatives = words.length > 1 ? [words, [words.join('')]] : [words];
    return [
      ...alternatives.map((all) => all.map((word) => ({ text: word, prefix: isPrefix(word) }))),
      ...[...size, ...forms].map(wholeWords),
    ];
  });
}

const wholeWords = (name: string) => toWords(name).map((text) => ({ text, prefix: false }));

/** The makes that a filter value means: as ingest names it, else the account's own of that or nearly that spelling. */
export function matchMakes(text: string, names: readonly Name[]): string[] {
  if (/^(?:GM|GENERALMOTORS)$/.test(foldKey(text))) return ['Chevrolet', 'GMC'];
  const { make } = canonicalMake(text);
  return isKnownMake(make)
    ? [make]
    : matchSpelling(
        text,
        names.map((name) => name.make),
      );
}

/** The account's models that a filter value means, of these makes or of all; the value itself when there is none. */
export function matchModels(text: string, makes: readonly string[] | null, names: readonly Name[]): string[] {
  const inReach = names.filter(({ make, model }) => model !== '' && (makes?.includes(make) ?? true));
  const bare = inReach.map(({ make }) => canonicalModel(text, make)).find((model) => model !== text);
  return matchSpelling(
    bare ?? text,
    inReach.map(({ model }) => model),
  );
}

/** The names of this spelling, or of one that is a slip away; the text itself when there is none. */
function matchSpelling(text: string, existing: readonly string[]) {
  const index = indexNames(existing);
  const key = toKey(text);
  return [...(index.get(key) ?? index.get(nearestName(index, key) ?? '') ?? [text])];
}

/** Names by how they are spelled; several may have one spelling. */
export type NameIndex = ReadonlyMap<string, ReadonlySet<string>>;

const toKey = (text: string) => foldKey(text).toLowerCase();

/** Each name by itself and by what else it is spelled like. */
export function indexNames(
  names: Iterable<string>,
  listOthers: (name: string) => string[] = () => [],
): NameIndex {
  const index = new Map<string, Set<string>>();
  for (const name of new Set(names))
    for (const key of [toKey(name), ...listOthers(name)])
      index.set(key, (index.get(key) ?? new Set()).add(name));
  return index;
}

/** Shorter words are too near to others. */
const MIN_MISSPELLED = 5;

/** The one spelling that is a slip away. T680 and T880 are two trucks, not one of them misspelled. */
export function nearestName(index: NameIndex, key: string): string | null {
  if (key.length < MIN_MISSPELLED || /\d/.test(key) || index.has(key)) return null;
  const [nearest, ...others] = [...index.keys()].filter((spelling) => editDistance(spelling, key, 1) === 1);
  return others.length === 0 ? (nearest ?? null) : null;
}
