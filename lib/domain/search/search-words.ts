import { editDistance } from '../names/edit-distance.ts';
import { foldKey } from '../text/text.ts';
import { plainText } from '../text/tokens.ts';
import { BODIES } from '../vocabulary/bodies.ts';
import { canonicalMake, isKnownMake, NO_HINTS } from '../vocabulary/make.ts';
import { canonicalModel } from '../vocabulary/model.ts';
import { COLORS, SAME_EQUIPMENT } from '../vocabulary/short-terms.ts';
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

/** Words of listings beside makes and models. */
export const COMMON_WORDS: readonly string[] = [
  ...[...BODIES.keys()].flatMap(toWords),
  ...Object.keys(COLORS),
  'diesel',
  'gasoline',
  'electric',
  'used',
  'new',
];
/** The words of a color in all languages, by each of them. */
const COLOR_WORDS = new Map(
  Object.entries(COLORS).flatMap(([color, words]) => {
    const all = [color, ...words];
    return all.map((word) => [word, all] as const);
  }),
);
export const isColor = (text: string): boolean => COLOR_WORDS.has(plainText(text));
const LETTERS = /^\p{L}+$/u;

/**
 * What is looked for by the words of a query. A word that no make or model contains or begins with is also looked for
 * as the make it is short for (`pete`), and, when it is all letters, as the words of makes and models that it nearly
 * is: within Damerau-Levenshtein distance 2 for 7 or more letters, 1 for 4 to 6.
 */
export function toTerms(texts: readonly string[], names: readonly Name[]): Term[] {
  const known = new Set([
    ...COMMON_WORDS,
    ...names.flatMap(({ make, model }) => toWords(`${make} ${model}`)),
  ]);
  return texts.map((sent, at) => {
    // Its digits by themselves are in trucks of any engine.
    const text = sent.replace(ENGINE_SIZE, '$1l');
    const words = toWords(text);
    const joined = words.length > 1 ? [[toWord(words.join(''), known)]] : [];
    const apart = [joinCode(texts[at - 1], text), joinCode(text, texts[at + 1])].flatMap(
      (code) => code ?? [],
    );
    return [
      words.map((word) => toWord(word, known)),
      ...joined,
      ...apart.map(wholeWords),
      ...otherForms(texts, at).map(wholeWords),
      ...alternatives(plainText(text), known),
    ];
  });
}

/** Each form of a piece of equipment, with all of them. */
const FORMS = new Map(SAME_EQUIPMENT.flatMap((forms) => forms.map((form) => [form, forms] as const)));
const MAX_FORM = 3;
const ENGINE_SIZE = /^(\d{1,2}\.\d)l?$/i;

/** The other forms of the equipment that a word names, by itself or with its neighbours; `67`, as `6.7` is stored. */
function otherForms(texts: readonly string[], at: number): string[] {
  const [, size] = ENGINE_SIZE.exec(texts[at] ?? '') ?? [];
  if (size !== undefined) return [size.replace('.', '')];
  for (let count = MAX_FORM; count > 0; count -= 1)
    for (let from = Math.max(at - count + 1, 0); from <= at; from += 1) {
      const form = plainText(texts.slice(from, from + count).join(' '));
      const forms = FORMS.get(form);
      if (forms !== undefined) return forms.filter((other) => other !== form);
    }
  return [];
}

/** Stock numbers are written apart too: `LS 109`. */
function joinCode(letters = '', digits = ''): string | null {
  return /^\p{L}{1,4}$/u.test(letters) && /^\d{2,6}$/.test(digits) ? letters + digits : null;
}

/** Whole words are found faster than beginnings; what is a word already is not taken for the start of one. */
const toWord = (text: string, known: ReadonlySet<string>): SearchWord => ({
  text,
  prefix: !/^\d+$/.test(text) && !known.has(text),
});

function alternatives(word: string, known: ReadonlySet<string>): SearchWord[][] {
  const colors = COLOR_WORDS.get(word);
  if (colors !== undefined) return colors.filter((color) => color !== word).map(wholeWords);
  if ([...known].some((name) => name.startsWith(word))) return [];
  const { make, corrected, rest } = canonicalMake(word, NO_HINTS);
  // A model that the lot does not have is not looked for as its make.
  if (rest !== undefined) return [];
  if (isKnownMake(make) && !corrected) return [wholeWords(make)];
  if (!LETTERS.test(word)) return [];
  const near = nearestNames(
    word,
    [...known].filter((name) => LETTERS.test(name)),
  );
  if (near.length > 0) return near.map(wholeWords);
  return isKnownMake(make) ? [wholeWords(make)] : [];
}

const wholeWords = (name: string): SearchWord[] => toWords(name).map((text) => ({ text, prefix: false }));

/** The makes that a filter value means: as ingest names it, else the account's own of that or nearly that spelling. */
export function matchMakes(text: string, names: readonly Name[]): string[] {
  if (foldKey(text) === 'GM' || foldKey(text) === 'GENERALMOTORS') return ['Chevrolet', 'GMC'];
  const { make } = canonicalMake(text, NO_HINTS);
  if (isKnownMake(make)) return [make];
  return matchSpelling(text, [...new Set(names.map((name) => name.make))]);
}

/** The account's models that a filter value means, of these makes or of all; the value itself when there is none. */
export function matchModels(text: string, makes: readonly string[] | null, names: readonly Name[]): string[] {
  const inReach = names.filter(({ make, model }) => model !== '' && (makes?.includes(make) ?? true));
  const makesHere = new Set(inReach.map(({ make }) => make));
  const bare = [...makesHere].map((make) => canonicalModel(text, make)).find((model) => model !== text);
  return matchSpelling(bare ?? text, [...new Set(inReach.map(({ model }) => model))]);
}

function matchSpelling(text: string, existing: readonly string[]): string[] {
  const key = foldKey(text);
  const byKey = Map.groupBy(existing, foldKey);
  const same = byKey.get(key);
  if (same) return same;
  // T680 and T880 are two trucks, not one of them misspelled.
  const alike = [...byKey.keys()].filter((name) => digits(name) === digits(key));
  const found = nearestNames(key, alike).flatMap((name) => byKey.get(name) ?? []);
  return found.length > 0 ? found : [text];
}

const digits = (text: string) => text.replace(/\P{N}/gu, '');

/** The names nearest to a word, all that are equally near; none when none is near enough. */
function nearestNames(word: string, names: readonly string[]): string[] {
  let best = allowedDistance(word.length) + 1;
  let found: string[] = [];
  for (const name of names) {
    const allowed = Math.min(allowedDistance(Math.min(word.length, name.length)), best);
    if (allowed === 0) continue;
    const distance = editDistance(word, name, allowed);
    if (distance > allowed) continue;
    if (distance < best) found = [];
    best = distance;
    found.push(name);
  }
  return found;
}

/** How many letters of a misspelled name may be wrong. */
export function allowedDistance(letters: number): number {
  if (letters >= 7) return 2;
  return letters >= 4 ? 1 : 0;
}
