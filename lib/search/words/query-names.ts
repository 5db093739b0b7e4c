import { toTokens } from '../../truck/text/tokens.ts';
import { canonicalMake, isKnownMake } from '../../truck/vocabulary/make.ts';
import type { QueryPart } from './query-parts.ts';
import { indexNames, type Name, type NameIndex, nearestName } from './search-words.ts';
import { toWords } from './words.ts';

/** Makes and models of the account that a query names. */

/** Ordinary words, and models, that are another name of a make. */
const ORDINARY_WORDS = new Set(
  'white int ride freight cascadia t680 vnl vnr vhd ottawa fl inter intern auto ken vol battle'.split(' '),
);
/** A name that this many models begin with is looked for as a word. */
const MAX_MODELS = 50;

/** The parts of a query with names of the account instead of other readings of their words. */
export function putNames(
  parts: readonly QueryPart[],
  keys: readonly string[],
  names: readonly Name[],
): QueryPart[] {
  // Makes first: they say whose models are meant.
  const makes = [...new Set(names.map(({ make }) => make))];
  const makeParts = putName('make', parts, keys.map(spellMake), indexNames(makes));
  const makeNames = makeParts.flatMap(({ filters }) => filters.make ?? []);
  const inReach = names.filter(({ make }) => makeNames.length === 0 || makeNames.includes(make));
  const index = indexNames(
    inReach.map(({ model }) => model),
    listBeginnings,
  );
  return putName('model', makeParts, keys, index);
}

const MAX_NAME_TOKENS = 5;

/** From left to right, the longest first. */
function putName(name: string, parts: readonly QueryPart[], typedKeys: readonly string[], index: NameIndex) {
  const keys = typedKeys.map((key) => nearestName(index, key) ?? key);
  const isMakeNamed = name === 'make' || parts.some((part) => part.name === 'make');
  const namedParts: QueryPart[] = [];
  for (let at = 0; at < keys.length; at = Math.max(at + 1, namedParts.at(-1)?.end ?? 0))
    for (let end = Math.min(at + MAX_NAME_TOKENS, keys.length); end > at; end -= 1) {
      const key = keys.slice(at, end).join('');
      const values = [...(index.get(key) ?? [])];
      const isFew = values.length > 0 && values.length <= MAX_MODELS;
      const isSure = (isMakeNamed ? /./ : /^(?=.*\p{L}).{3}/u).test(key);
      if (!isFew || !isSure || !(values.every(isKnownMake) || isName(parts, at, end))) continue;
      namedParts.push({ kind: 'filter', name, filters: { [name]: values }, at, end, keys: [], nouns: [] });
      break;
    }
  const others = parts.filter((part) => !namedParts.some(({ at, end }) => at < part.end && end > part.at));
  return [...others, ...namedParts].sort((a, b) => a.at - b.at);
}

/**
 * False for numbers that count something, and for words that tell what trucks are like: one truck whose model is "Reefer
 * box 53" must not stand for all that are refrigerated. Letters with digits are codes of models, `P700`.
 */
function isName(parts: readonly QueryPart[], from: number, to: number) {
  const insideParts = parts.filter(({ at, end }) => at < to && end > from);
  if (insideParts.some(({ kind, at, end }) => /^(?:quantity|dropped)$/.test(kind) && end - at > 1))
    return false;
  return !insideParts.every(
    ({ kind, keys }) =>
      kind === 'filter' ||
      (kind === 'body' && !/^\w*\d\w*$/.test(keys.join(' '))) ||
      /^\d\d?$/.test(keys.join(' ')),
  );
}

/** A make as it is written, by another name of it (`kw`); other words as they are. */
function spellMake(key: string) {
  const { make, corrected, rest } = canonicalMake(key);
  const isOther = corrected || rest !== undefined || ORDINARY_WORDS.has(key) || !isKnownMake(make);
  return isOther ? key : toTokens(make).join('');
}

/** What a model begins with, in whole words, and the number or code that stands in it: `5500`. */
function listBeginnings(model: string) {
  let beginning = '';
  return toWords(model)
    .slice(0, MAX_NAME_TOKENS)
    .flatMap((word) => {
      // Buyers leave out the letters behind a number: `268` for a 268A.
      const number = /^(\d{2,})[a-z]{1,3}$/.exec(word)?.[1];
      const forms = number === undefined ? [word] : [word, number];
      const beginnings = forms.map((form) => beginning + form);
      beginning += word;
      return [...beginnings, ...forms.filter((form) => /\d{3}/.test(form))];
    });
}
