import { toList } from '../../contract/record/to-list.ts';
import { toTokens } from '../text/tokens.ts';
import { canonicalMake, isKnownMake, NO_HINTS } from '../vocabulary/make.ts';
import { MAKES } from '../vocabulary/makes.ts';
import { canonicalModel } from '../vocabulary/model.ts';
import type { Found } from '../vocabulary/phrases.ts';
import type { QueryPart } from './query-parts.ts';
import { type Name, toNamePhrases } from './search-words.ts';
import { toWords } from './words.ts';

/** Makes and models of the account that a query names. */

/** Ordinary words, and models, that are another name of a make. */
const ORDINARY_WORDS = new Set(
  toList(
    'WHITE, INT, RIDE, FREIGHT, CASCADIA, T680, VNL, VNR, VHD, OTTAWA, FL, INTER, INTERN, AUTO, KEN, VOL, BATTLE',
  ),
);
/** A name that this many models begin with is looked for as a word. */
const MAX_MODELS = 50;

/** The parts of a query with names of the account instead of other readings of their words. */
export function putNames(
  parts: readonly QueryPart[],
  keys: readonly string[],
  names: readonly Name[],
): QueryPart[] {
  const isUnwanted = (at: number) => parts.some(({ kind, end }) => kind === 'not' && end === at);
  // Makes first: they say whose models are meant.
  const makes = makePhrases(names)
    .all(keys.map(spellMake))
    .filter(({ value: [make = ''], at, count }) => isKnownMake(make) || isName(parts, at, at + count));
  const wanted = makes.flatMap(({ value, at }) => (isUnwanted(at) ? [] : value));
  const inReach = names.filter(({ make }) => wanted.length === 0 || wanted.includes(make));
  const phrases = modelPhrases(inReach);
  const models = phrases
    .all(keys.map((key) => phrases.repaired(spellModel(key, inReach))))
    .filter(({ value, at, count }) => {
      const isSure = wanted.length > 0 || /^(?=.*\p{L}).{3}/u.test(keys.slice(at, at + count).join(''));
      return isSure && value.length <= MAX_MODELS && isName(parts, at, at + count);
    });
  return replaceParts(replaceParts(parts, 'model', models), 'make', makes);
}

function replaceParts(
  parts: readonly QueryPart[],
  name: string,
  named: readonly Found<string[]>[],
): QueryPart[] {
  const others = parts.filter(
    (part) => !named.some(({ at, count }) => at < part.end && at + count > part.at),
  );
  const own = named.map(({ value, at, count }): QueryPart => {
    return { kind: 'filter', name, filters: { [name]: value }, at, end: at + count, keys: [] };
  });
  return [...others, ...own].sort((a, b) => a.at - b.at);
}

/**
 * False for numbers that count something, and for words that tell what trucks are like: one truck whose model is "Reefer
 * box 53" must not stand for all that are refrigerated. Letters with digits are codes of models, `P700`.
 */
function isName(parts: readonly QueryPart[], from: number, to: number): boolean {
  const inside = parts.filter(({ at, end }) => at < to && end > from);
  if (inside.some(({ kind, at, end }) => /^(?:quantity|dropped)$/.test(kind) && end - at > 1)) return false;
  return !inside.every(
    ({ kind, keys }) =>
      kind === 'filter' ||
      (kind === 'body' && !/^\w*\d\w*$/.test(keys.join(' '))) ||
      /^\d\d?$/.test(keys.join(' ')),
  );
}

/** A misspelled make as it is written, other words as they are; short words are too near to others: `autos`, Autocar. */
function spellMake(key: string): string {
  const { make, corrected, rest } = canonicalMake(key, NO_HINTS);
  const spelling = toTokens(make).join('');
  const isLong = key.length >= 7 || key.length === spelling.length;
  return corrected && rest === undefined && isLong && /^\p{L}+$/u.test(key) ? spelling : key;
}

/** A model by the factory's code that stands for it, `CA125SLP`. */
function spellModel(key: string, names: readonly Name[]): string {
  if (!/\p{L}\d|\d\p{L}/u.test(key)) return key;
  const model = names.map(({ make }) => canonicalModel(key, make)).find((each) => each !== key);
  return model === undefined ? key : toTokens(model).join('');
}

const makePhrases = (names: readonly Name[]) =>
  toNamePhrases(
    [...new Set(names.map(({ make }) => make))].flatMap((make) => {
      const others: readonly string[] = isKnownMake(make) ? MAKES[make as keyof typeof MAKES] : [];
      return [make, ...others.filter((spelling) => !ORDINARY_WORDS.has(spelling))].map((spelling) => [
        spelling,
        make,
      ]);
    }),
  );

/** Models by what they begin with, in whole words, and by the number or code that stands in them: `5500`. */
const modelPhrases = (names: readonly Name[]) =>
  toNamePhrases(
    names.flatMap(({ model }) => {
      const words = toWords(model);
      return words.flatMap((word, at) => {
        // Buyers leave out the letters behind a number: `268` for a 268A.
        const forms = [word, word.replace(/^(\d{2,})[a-z]{1,3}$/, '$1')];
        const codes = forms.filter((form) => /\d{3}/.test(form));
        return [...codes, ...forms.map((form) => [...words.slice(0, at), form].join(' '))].map(
          (spelling) => [spelling, model] as const,
        );
      });
    }),
  );
