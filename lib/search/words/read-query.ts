import { plainText } from '../../truck/text/tokens.ts';
import { namedCab } from '../../truck/vocabulary/body.ts';
import { STOP_WORDS } from '../../truck/vocabulary/short-terms.ts';
import { findKinds, joinBodies } from './query-bodies.ts';
import type { Asked, QueryFilters } from './query-filters.ts';
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
  /**
   * Other readings for lots that write of what a truck is like without saying so in its field: bodies, then all of it
   * looked for as the words that were typed.
   */
  asTyped?: (() => ReadQuery[]) | undefined;
  /** What nothing found may be like. */
  without?: Without | undefined;
  /** Words that are not looked for: too many, or nothing has them together with the others. */
  dropped?: string[] | undefined;
}

export interface Without {
  filters: QueryFilters;
  terms: Term[];
  /** As it was typed: `not white`. */
  texts: string[];
}

const MAX_SOUGHT = 12;

/** What is written in texts as well as in fields. */
const WRITTEN = [
  'body_type',
  'fuel_type',
  'state',
  'transmission',
  'drivetrain',
  'rear_wheels',
  'currency',
  'cab',
  'condition',
];

/**
 * Takes out of a query the words that name something: prices, miles, model years and classes, the account's makes and
 * models, fuels, states, conditions, bodies, transmissions, drives, rear wheels and cabs. As filters they are answered by
 * what a listing is, not by how it is written about. What `asked` filters already is left.
 */
export function readQuery(query: string, names: readonly Name[], asked: Asked): ReadQuery {
  const { text, tokens } = tokenize(query);
  const keys = tokens.map(({ key }) => key);
  const isInReach = ({ make }: Name) => !Array.isArray(asked.make) || asked.make.includes(make);
  const named = putNames(joinQuantities(readParts(tokens, keys)), keys, names.filter(isInReach));
  const parts = joinUnwanted(joinBodies(named));
  const filters: QueryFilters = {};
  const without: Without = { filters: {}, terms: [], texts: [] };
  const dropped: string[] = [];
  const kinds: [string, Term][] = [];
  let rest = text;
  /** Takes the words of some parts out of the rest. */
  const take = (part: QueryPart): string => {
    const [start = 0, end = 0] = [tokens[part.at]?.start, tokens[part.end - 1]?.end];
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
    return text.slice(start, end);
  };

  const clashing = findClashes(parts);
  for (const part of parts) {
    const free = omitAsked(part.filters, asked);
    const isRead = Object.keys(free).length > 0;
    if (part.kind === 'not') {
      const colors = part.keys.filter(isColor);
      without.terms.push(...toTerms(colors));
      merge(without.filters, part.filters);
      const isLeftOut = colors.length > 0 || Object.keys(part.filters).length > 0;
      (isLeftOut ? without.texts : dropped).push(take(part));
    } else if (part.kind === 'dropped' || Object.keys(part.filters).some((name) => clashing.includes(name)))
      dropped.push(take(part));
    else if (isRead) {
      take(part);
      merge(filters, free);
      kinds.push(...findKinds(part));
    }
  }

  const words = splitWords(rest);
  dropped.push(...words.splice(MAX_SOUGHT));
  const leave = (filtersLeft: readonly string[]) =>
    readQuery(query, names, { ...asked, ...Object.fromEntries(filtersLeft.map((name) => [name, true])) });
  return {
    filters,
    words: [...kinds.map(([word]) => word), ...words],
    terms: [...kinds.map(([, term]) => term), ...toTerms(words)],
    ...(without.texts.length > 0 ? { without } : {}),
    ...(dropped.length > 0 ? { dropped } : {}),
    asTyped: () =>
      [leave(['body_type']), leave(WRITTEN)].filter(
        ({ words: more }) => more.length > words.length + kinds.length,
      ),
  };
}

/** Ends of ranges that no truck is between: `before 2020 or after 2021`. */
function findClashes(parts: readonly QueryPart[]): string[] {
  const all: QueryFilters = {};
  for (const { filters } of parts) merge(all, filters);
  return (['year', 'price', 'mileage'] as const).flatMap((name) => {
    const [min = 0, max = Number.POSITIVE_INFINITY] = [all[`${name}_min`]?.[0], all[`${name}_max`]?.[0]];
    return min > max ? [`${name}_min`, `${name}_max`] : [];
  });
}

const omitAsked = (filters: QueryFilters, asked: Asked): QueryFilters =>
  Object.fromEntries(
    Object.entries(filters).filter(
      ([name]) => name === 'make' || asked[name.replace(/_m(?:in|ax)$/, '') as keyof Asked] == null,
    ),
  );

/** The words of a text that say something of a truck. */
const splitWords = (text: string): string[] =>
  text
    .split(/[\s,;|'"’”\\/]+/)
    .filter((word) => toWords(word).length > 0 && !STOP_WORDS.has(plainText(word)));

/** One thing, or several of a kind joined by an `or`; a make with its model is one thing. */
const UNWANTED =
  /^not: (?:(?:or|to): )*(?:filter:make (?=filter:model ))?(?:(?<what>filter:\w+|body|word|quantity):?\S* )(?:(?:or|to): \k<what>:?\S* )*/;

/** Makes a negation one part with what it leaves out. */
const joinUnwanted = (parts: readonly QueryPart[]): QueryPart[] =>
  joinParts(parts, [UNWANTED], (said) => {
    const filters: QueryFilters = {};
    const isModel = said.some(({ name }) => name === 'model');
    for (const thing of said) if (!(isModel && thing.name === 'make')) merge(filters, leaveOut(thing));
    return { filters, nouns: [] };
  });

/** The filters by which a thing is left out: none for ends of a range, and for one kind of a body. */
function leaveOut(thing: QueryPart): QueryFilters {
  const { body_type: [body = null, ...others] = [] } = thing.filters;
  if (/_m(?:in|ax)/.test(Object.keys(thing.filters).join()) || findKinds(thing).length > 0) return {};
  const cab = body === null || others.length > 0 ? null : namedCab(body, []);
  return cab === null ? thing.filters : { ...thing.filters, cab: [cab] };
}

/** Adds filters to those before; of two ends of a range the first counts. */
function merge(filters: QueryFilters, more: QueryFilters): void {
  const all: Record<string, readonly unknown[] | undefined> = { ...filters };
  for (const [name, values] of Object.entries(more))
    all[name] = /_m(?:in|ax)$/.test(name)
      ? (all[name] ?? values)
      : [...new Set([...(all[name] ?? []), ...(values ?? [])])];
  Object.assign(filters, all);
}
