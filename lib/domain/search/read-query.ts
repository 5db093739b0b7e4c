import { plainText } from '../text/tokens.ts';
import { namedCab } from '../vocabulary/body.ts';
import { STOP_WORDS } from '../vocabulary/short-terms.ts';
import { findKinds, groupBodies, toBodies } from './query-bodies.ts';
import type { Asked, QueryFilters } from './query-filters.ts';
import { putNames } from './query-names.ts';
import { joinQuantities } from './query-numbers.ts';
import { type QueryPart, readParts } from './query-parts.ts';
import { tokenize } from './query-tokens.ts';
import { isColor, type Name, type Term, toTerms } from './search-words.ts';

/** A query as filters, as far as its words name something, and the words that are left. */
export interface ReadQuery {
  filters: QueryFilters;
  words: string[];
  /** Of each word. */
  terms: Term[];
  /** The words as they were typed of what a truck is like, by the filter that they were read as. */
  typed?: Readonly<Record<string, readonly string[]>> | undefined;
  /** What nothing found may be like. */
  without?: Without | undefined;
  /** Words that were left out because nothing has them together with the others. */
  dropped?: string[] | undefined;
}

export interface Without {
  filters: QueryFilters;
  terms: Term[];
  /** As it was typed: `not white`. */
  texts: string[];
}

const MAX_WORDS = 12;

/**
 * Takes out of a query the words that name something: prices, miles, model years and classes, the account's makes and
 * models, fuels, states, conditions, bodies, transmissions, drives, rear wheels and cabs. As filters they are answered by
 * what a listing is, not by how it is written about. What `asked` filters already is left.
 */
export function readQuery(query: string, names: readonly Name[], asked: Asked): ReadQuery {
  const { text, tokens } = tokenize(query);
  const keys = tokens.map(({ key }) => key);
  const isInReach = ({ make }: Name) => !Array.isArray(asked.make) || asked.make.includes(make);
  const isAsked = (name: string) =>
    name !== 'make' && asked[name.replace(/_m(?:in|ax)$/, '') as keyof Asked] != null;
  const parts = putNames(joinQuantities(readParts(tokens, keys)), keys, names.filter(isInReach));
  const filters: QueryFilters = {};
  const typed: Record<string, string[]> = {};
  const without: Without = { filters: {}, terms: [], texts: [] };
  const dropped: string[] = [];
  const bodies: QueryPart[] = [];
  let rest = text;
  /** Takes the words of some tokens out of the rest. */
  const take = (at: number, end: number): string => {
    const [start = 0, to = 0] = [tokens[at]?.start, tokens[end - 1]?.end];
    rest = rest.slice(0, start) + ' '.repeat(to - start) + rest.slice(to);
    return text.slice(start, to);
  };
  const addTyped = (filter: string, { at, end }: QueryPart) => {
    typed[filter] = [...(typed[filter] ?? []), ...splitWords(take(at, end))];
  };

  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined || Object.keys(part.filters).some(isAsked)) continue;
    const { kind, name, at, end } = part;
    if (kind === 'not') {
      const things = listUnwanted(parts.slice(index + 1));
      for (const thing of things) merge(without.filters, leaveOut(thing));
      const last = things.at(-1) ?? part;
      const colors = last.keys.filter(isColor);
      without.terms.push(...toTerms(colors));
      const isRead = colors.length > 0 || Object.keys(leaveOut(last)).length > 0;
      (isRead ? without.texts : dropped).push(take(at, last.end));
      index = parts.indexOf(last);
    } else if (kind === 'body') bodies.push(part);
    else if (kind === 'dropped') dropped.push(take(at, end));
    else if (kind === 'filter' && !/^(?:make|model|class)$/.test(name)) addTyped(name, part);
    else if (Object.keys(part.filters).length > 0) take(at, end);
    if (kind !== 'body') merge(filters, part.filters);
  }

  const groups = groupBodies(bodies, parts.find(({ kind }) => kind === 'with')?.at);
  for (const part of bodies)
    if (part.body?.name === 'tractor' || groups.flat().includes(part)) addTyped('body_type', part);
  if (groups.length > 0) filters.body_type = [...new Set(groups.flatMap(toBodies))];
  preferMakers(filters, asked);
  const kinds = groups.flatMap(findKinds);
  const words = splitWords(rest).slice(0, MAX_WORDS);
  return {
    filters,
    words: [...kinds.map(([word]) => word), ...words],
    terms: [...kinds.map(([, term]) => term), ...toTerms(words)],
    typed,
    ...(without.texts.length > 0 ? { without } : {}),
    ...(dropped.length > 0 ? { dropped } : {}),
  };
}

/** The words of a text that say something of a truck. */
const splitWords = (text: string): string[] =>
  text
    .split(/[\s,;|'"’”\\/]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !STOP_WORDS.has(plainText(word)));

/** What stands behind a negation: one thing, or several of a kind joined by an `or`. */
function listUnwanted(parts: readonly QueryPart[]): QueryPart[] {
  const isJoin = (at: number) => /^(?:or|to)$/.test(parts[at]?.kind ?? '');
  let at = 0;
  while (isJoin(at)) at += 1;
  // A make with its model is one thing.
  if (parts[at]?.name === 'make' && parts[at + 1]?.name === 'model') at += 1;
  const things = parts.slice(at, at + 1);
  for (; isJoin(at + 1) && parts[at]?.name === parts[at + 2]?.name; at += 2)
    things.push(...parts.slice(at + 2, at + 3));
  return things;
}

/** The filters by which a thing is left out: none for ends of a range, and for one kind of a body. */
function leaveOut(thing: QueryPart): QueryFilters {
  if (thing.kind !== 'body')
    return /_m(?:in|ax)/.test(Object.keys(thing.filters).join()) ? {} : thing.filters;
  if (findKinds([thing]).length > 0) return {};
  const [body = null, ...others] = toBodies([thing]);
  const cab = others.length === 0 ? namedCab(body, []) : null;
  return { body_type: [body ?? '', ...others], ...(cab === null ? {} : { cab: [cab] }) };
}

/** Adds filters to those before: of classes what both mean, of two ends of a range the first. */
function merge(filters: QueryFilters, more: QueryFilters): void {
  for (const [name, values = []] of Object.entries<readonly (string | number)[] | undefined>(more)) {
    const before: readonly (string | number)[] = filters[name as keyof QueryFilters] ?? [];
    const common = before.filter((value) => values.includes(value));
    const all =
      /_m(?:in|ax)$/.test(name) && before.length > 0 ? before : [...new Set([...before, ...values])];
    Object.assign(filters, { [name]: name === 'class' && common.length > 0 ? common : all });
  }
}

/** Makes whose name stands in listings of others: they build engines too. */
const ENGINE_MAKERS = new Set(['Caterpillar', 'Mack', 'Volvo', 'International', 'Mercedes-Benz']);

/** A lone make that also builds engines is looked for as either. */
function preferMakers(filters: QueryFilters, asked: Asked): void {
  const { make, model } = filters;
  if (asked.make != null || model !== undefined || !make?.some((each) => ENGINE_MAKERS.has(each))) return;
  delete filters.make;
  filters.maker = make;
}

/**
 * The readings of these filters as the words that were typed, for lots that write of what a truck is like without saying
 * so in its field; null when there are none.
 */
export function asTyped(read: ReadQuery, which: (filter: string) => boolean): ReadQuery | null {
  const { filters, words, terms, typed = {} } = read;
  const chosen = Object.keys(typed).filter(which);
  const more = chosen.flatMap((filter) => typed[filter] ?? []).filter((text) => !words.includes(text));
  if (more.length === 0) return null;
  const others = Object.fromEntries(Object.entries(filters).filter(([filter]) => !chosen.includes(filter)));
  return { ...read, filters: others, words: [...more, ...words], terms: [...toTerms(more), ...terms] };
}
