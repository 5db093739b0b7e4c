import { plainText } from '../../truck/text/tokens.ts';
import { STOP_WORDS } from '../../truck/vocabulary/short-terms.ts';
import type { QueryFilters } from '../request.ts';
import { findKinds, joinBodies } from './query-bodies.ts';
import { putNames } from './query-names.ts';
import { joinQuantities } from './query-numbers.ts';
import { joinParts, type QueryPart, readParts } from './query-parts.ts';
import { tokenize } from './query-tokens.ts';
import { isColor, type Name, type Term, toTerms } from './search-words.ts';
import { toWords } from './words.ts';

/** A query as filters, as far as its words name something, and the words that are left. */
export interface ReadQuery {
  filters: QueryFilters;
  words: string[];
  /** Of each word. */
  terms: Term[];
  /** What nothing found may be like. */
  without?: Without | undefined;
  /** Words that are not looked for: too many, or nothing has them together with the others. */
  dropped?: string[] | undefined;
  /** The query as it was read, and its words that were read as filters; as none: they leave something out. */
  text: string;
  parts: [words: string, filters: QueryFilters][];
}

interface Without {
  filters: QueryFilters;
  terms: Term[];
  /** As it was typed: `not white`. */
  texts: string[];
}

const MAX_SOUGHT = 12;

/**
 * Takes out of a query the words that name something: prices, miles, model years and classes, the account's makes and
 * models, fuels, states, conditions, bodies, transmissions, drives, rear wheels and cabs. As filters they are answered by
 * what a listing is, not by how it is written about.
 *
 * @param namedFilters what is not read out of it; a range by its field
 */
export function readQuery(
  query: string,
  names: readonly Name[],
  namedFilters: ReadonlySet<string>,
): ReadQuery {
  const { text, tokens } = tokenize(query);
  const keys = tokens.map(({ key }) => key);
  const parts = joinUnwanted(joinBodies(putNames(joinQuantities(readParts(tokens, keys)), keys, names)));
  const filters: QueryFilters = {};
  const without: Without = { filters: {}, terms: [], texts: [] };
  const dropped: string[] = [];
  const read: ReadQuery['parts'] = [];
  const kinds: [string, Term][] = [];
  let rest = text;
  for (const part of parts) {
    const [start = 0, end = 0] = [tokens[part.at]?.start, tokens[part.end - 1]?.end];
    const typedText = text.slice(start, end);
    const free = omitAsked(part.filters, namedFilters);
    if (part.kind === 'not') {
      const colors = part.keys.filter(isColor);
      without.terms.push(...toTerms(colors));
      merge(without.filters, part.filters);
      const isLeftOut = colors.length > 0 || Object.keys(part.filters).length > 0;
      (isLeftOut ? without.texts : dropped).push(typedText);
      if (isLeftOut) read.push([typedText, {}]);
    } else if (part.kind === 'dropped') dropped.push(typedText);
    else if (Object.keys(free).length > 0) {
      merge(filters, free);
      read.push([typedText, free]);
      kinds.push(...findKinds(part));
    } else continue;
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  }

  const words = splitWords(rest);
  dropped.push(...words.splice(MAX_SOUGHT));
  return {
    text,
    parts: read,
    filters,
    words: [...kinds.map(([word]) => word), ...words],
    terms: [...kinds.map(([, term]) => term), ...toTerms(words)],
    ...(without.texts.length > 0 ? { without } : {}),
    ...(dropped.length > 0 ? { dropped } : {}),
  };
}

const omitAsked = (filters: QueryFilters, namedFilters: ReadonlySet<string>) =>
  Object.fromEntries(
    Object.entries(filters).filter(([name]) => !namedFilters.has(name.replace(/_m(?:in|ax)$/, ''))),
  );

/** The words of a text that say something of a truck. */
const splitWords = (text: string) =>
  text
    .split(/[\s,;|'"’”\\/]+/)
    .filter((word) => toWords(word).length > 0 && !STOP_WORDS.has(plainText(word)));

/** One thing, or several of a kind joined by an `or`; a make with its model is one thing. */
const UNWANTED =
  /^not: (?:(?:or|to): )*(?:filter:make (?=filter:model ))?(?:(?<what>filter:\w+|body|word|quantity):?\S* )(?:(?:or|to): \k<what>:?\S* )*/;

/** Makes a negation one part with what it leaves out. */
const joinUnwanted = (parts: readonly QueryPart[]) =>
  joinParts(parts, [UNWANTED], (sentence) => {
    const filters: QueryFilters = {};
    const isModel = sentence.some(({ name }) => name === 'model');
    for (const excludedPart of sentence)
      if (!(isModel && excludedPart.name === 'make')) merge(filters, leaveOut(excludedPart));
    return { filters, nouns: [] };
  });

/** Ends of a range, and one kind of a body, leave nothing out. */
const leaveOut = (excludedPart: QueryPart) =>
  /_m(?:in|ax)/.test(Object.keys(excludedPart.filters).join()) || findKinds(excludedPart).length > 0
    ? {}
    : excludedPart.filters;

/** Adds filters to those before; of two ends of a range the first counts. */
function merge(filters: QueryFilters, more: QueryFilters) {
  const all: Record<string, readonly (string | number)[] | undefined> = filters;
  for (const [name, values = []] of Object.entries(more)) {
    const before = all[name] ?? [];
    const isEnd = /_m(?:in|ax)$/.test(name) && before.length > 0;
    all[name] = isEnd ? before : [...new Set([...before, ...values])];
  }
}
