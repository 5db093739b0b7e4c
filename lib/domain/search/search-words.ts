import { foldKey } from '../text/text.ts';
import { BODIES } from '../vocabulary/bodies.ts';
import { canonicalBody } from '../vocabulary/body.ts';
import { canonicalMake, editDistance } from '../vocabulary/make.ts';
import { MAKES, MODELS_THAT_NAME_THE_MAKE } from '../vocabulary/makes.ts';
import { canonicalModel } from '../vocabulary/resolve.ts';

/** Reading of what people look for: words, makes and models as they spell them, against the names that exist. */

/** A make and one of its models that the account has listings of; '' where the model is not known. */
export interface Name {
  make: string;
  model: string;
}

export interface Word {
  text: string;
  /** Also the beginning of a word. */
  prefix: boolean;
}

/** One word of the query: any of these, each of them one or more words that all have to occur. */
export type Term = readonly (readonly Word[])[];

const MAX_TERMS = 12;
/** Words of listings beside makes and models. */
const COMMON = [...Object.keys(BODIES).flatMap(wordsOf), 'diesel', 'gasoline', 'electric', 'used', 'new'];
const BODY_NAMES = Object.keys(BODIES);
const LETTERS = /^\p{L}+$/u;
const NO_HINTS = { vin: '', year: null, isTruck: true };

/**
 * What is looked for by the words of a query. A word that no make or model contains or begins with is also looked for as the make it is
 * short for (`pete`), and, when it is all letters, as the words of makes and models that it nearly is: within
 * Damerau-Levenshtein distance 2 for 7 or more letters, 1 for 4 to 6.
 */
export function searchTerms(texts: readonly string[], names: readonly Name[]): Term[] {
  const known = new Set([...COMMON, ...names.flatMap(({ make, model }) => wordsOf(`${make} ${model}`))]);
  return texts.map((text) => [
    [literal(text, known)],
    ...joined(text, known),
    ...meant(text.toLowerCase(), known),
  ]);
}

/** The words of a query as they were sent. */
export function splitQuery(query: string): string[] {
  return query
    .normalize('NFC')
    .split(/[\s,;|'"\\]+/)
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .slice(0, MAX_TERMS);
}

/** A query as filters, as far as its words name what the account has, and the words that are left. */
export interface ReadQuery {
  make: string | null;
  model: string[] | null;
  year: number | null;
  body: string[] | null;
  terms: Term[];
}

/**
 * Takes out of a query the words that are one of the account's makes, the beginning of models of it, a model year, and
 * beside any of these a body: as filters they are answered by counts and indexes instead of texts. Whatever `asked`
 * filters already is left.
 */
export function readQuery(
  query: string,
  names: readonly Name[],
  asked: { make: readonly string[] | null; model: unknown; year: unknown; body: unknown },
): ReadQuery {
  const texts = splitQuery(query);
  const makes = [...new Set(names.map(({ make }) => make))].filter(
    (make) => asked.make?.includes(make) ?? true,
  );
  const make = takeName(texts, (key, word) => makes.filter((name) => isMake(name, key, word)))?.[0] ?? null;
  const inReach = names.filter((name) => name.model !== '' && (make ?? name.make) === name.make);
  const models = [
    ...new Set(inReach.flatMap((name) => ((asked.make?.includes(name.make) ?? true) ? [name.model] : []))),
  ];
  const model =
    asked.model === null
      ? takeName(texts, (key) =>
          make !== null || namesModel(key) ? models.filter((name) => beginsWith(name, key)) : [],
        )
      : null;
  const year = asked.year === null ? takeYear(texts, models) : null;
  const named = asked.body === null && (make ?? model ?? year) !== null;
  const body = named ? takeName(texts, (_, word) => bodiesOf(word)) : null;
  return { make, model, year, body, terms: searchTerms(texts, names) };
}

/** The bodies with this word in their name, or that it is another name of. */
function bodiesOf(word: string): string[] {
  if (word.length < 3) return [];
  const body = canonicalBody(word);
  return BODY_NAMES.filter((name) => name === body || name.split('_').includes(word.toLowerCase()));
}

/** What the first words that name anything name, the most of them first; they are taken out of `texts`. */
function takeName(texts: string[], named: (key: string, word: string) => string[]): string[] | null {
  for (const words of [3, 2, 1]) {
    for (let at = 0; at + words <= texts.length; at += 1) {
      const text = texts.slice(at, at + words).join('');
      const found = named(foldKey(text), words === 1 ? text : '');
      if (found.length === 0) continue;
      texts.splice(at, words);
      return found;
    }
  }
  return null;
}

/** Short words are not taken for misspelled makes: there is food on food trucks. */
function isMake(name: string, key: string, word: string): boolean {
  if (foldKey(name) === key) return true;
  const near = LETTERS.test(word) && Math.min(word.length, name.length) >= 7;
  return near && LETTERS.test(name) && editDistance(key, foldKey(name)) <= allowedDistance(word.length);
}

/** True when a model begins with these whole words. */
function beginsWith(model: string, key: string): boolean {
  const words = wordsOf(model);
  return words.some((_, at) => foldKey(words.slice(0, at + 1).join('')) === key);
}

/** Without a make, mere numbers and words that tell other things of trucks are no models. */
const namesModel = (key: string) =>
  key.length > 2 && /\p{L}/u.test(key) && !COMMON.some((word) => foldKey(word) === key);

function takeYear(texts: string[], models: readonly string[]): number | null {
  const isModel = (text: string) => models.some((model) => wordsOf(model).includes(text));
  const at = texts.findIndex((text) => /^(?:199|20\d)\d$/.test(text) && !isModel(text));
  return at < 0 ? null : Number(texts.splice(at, 1)[0]);
}

/** `T-680` is also looked for as `T680`. */
function joined(text: string, known: ReadonlySet<string>): Word[][] {
  const whole = text.replace(/[^\p{L}\p{N}]/gu, '');
  return whole === text ? [] : [[literal(whole, known)]];
}

/** Whole words are found many times faster than beginnings; what is a word already is not taken for the start of one. */
const literal = (text: string, known: ReadonlySet<string>): Word => ({
  text,
  prefix: !/^\d+$/.test(text) && !known.has(text.toLowerCase()),
});

function meant(word: string, known: ReadonlySet<string>): Word[][] {
  if (Object.hasOwn(MODELS_THAT_NAME_THE_MAKE, foldKey(word))) return [];
  if ([...known].some((name) => name.startsWith(word))) return [];
  const { make, corrected } = canonicalMake(word, NO_HINTS);
  if (isKnownMake(make) && !corrected) return [exactly(make)];
  if (!LETTERS.test(word)) return [];
  const near = nearest(
    word,
    [...known].filter((name) => LETTERS.test(name)),
  );
  if (near.length > 0) return near.map(exactly);
  return isKnownMake(make) ? [exactly(make)] : [];
}

const exactly = (name: string): Word[] => wordsOf(name).map((text) => ({ text, prefix: false }));

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

const isKnownMake = (make: string) => Object.hasOwn(MAKES, make);

/** True when the names that exist say nothing more about this make. */
export function isCanonicalMake(text: string): boolean {
  return isKnownMake(canonicalMake(text, NO_HINTS).make);
}

/** The makes that a filter value means: as ingest names it, else the account's own of that or nearly that spelling. */
export function makesMeant(text: string, names: readonly Name[]): string[] {
  if (foldKey(text) === 'GM' || foldKey(text) === 'GENERALMOTORS') return ['Chevrolet', 'GMC'];
  const { make } = canonicalMake(text, NO_HINTS);
  if (isKnownMake(make)) return [make];
  return spelled(text, [...new Set(names.map((name) => name.make))]);
}

/** The account's models that a filter value means, of these makes or of all; the value itself when there is none. */
export function modelsMeant(text: string, makes: readonly string[] | null, names: readonly Name[]): string[] {
  const inReach = names.filter(({ make, model }) => model !== '' && (makes?.includes(make) ?? true));
  const makesHere = new Set(inReach.map(({ make }) => make));
  const bare = [...makesHere].map((make) => canonicalModel(text, make)).find((model) => model !== text);
  return spelled(bare ?? text, [...new Set(inReach.map(({ model }) => model))]);
}

function spelled(text: string, existing: readonly string[]): string[] {
  const key = foldKey(text);
  const same = existing.filter((name) => foldKey(name) === key);
  if (same.length > 0) return same;
  const near = new Set(
    nearest(
      key,
      existing.map(foldKey).filter((name) => digitsOf(name) === digitsOf(key)),
    ),
  );
  const found = existing.filter((name) => near.has(foldKey(name)));
  return found.length > 0 ? found : [text];
}

/** T680 and T880 are two trucks, not one of them misspelled. */
const digitsOf = (text: string) => text.replace(/\P{N}/gu, '');

/** The names nearest to a word, all that are equally near; none when none is near enough. */
function nearest(word: string, names: readonly string[]): string[] {
  let best = allowedDistance(word.length) + 1;
  let found: string[] = [];
  for (const name of names) {
    const allowed = Math.min(allowedDistance(Math.min(word.length, name.length)), best);
    if (allowed === 0 || Math.abs(name.length - word.length) > allowed) continue;
    const distance = editDistance(word, name);
    if (distance > allowed) continue;
    if (distance < best) found = [];
    best = distance;
    found.push(name);
  }
  return found;
}

function allowedDistance(letters: number): number {
  if (letters >= 7) return 2;
  return letters >= 4 ? 1 : 0;
}
