import type { ReadQuery } from '../../domain/search/read-query.ts';
import type { Term } from '../../domain/search/search-words.ts';
import type { Reading } from './search-filters.ts';

/** Each try is a search of its own. */
const MAX_DROPPED = 4;

/**
 * The search with less of its words when nothing has them all: first bodies, then all that was read of what a truck is
 * like are looked for as the words that were typed, then the rarest word is left out, and the next, until something is
 * found. Of a query that is one word nothing is left out. The reading says which words were; null when nothing helps.
 */
export async function findWithLess<Found extends object>(
  { query, ...names }: Reading,
  search: {
    /** Null when nothing is found. */
    find: (reading: Reading) => Promise<Found | null>;
    countWords: (terms: readonly Term[]) => Promise<number[]>;
  },
): Promise<(Found & { reading: Reading }) | null> {
  const attempt = async (read: ReadQuery) => {
    const reading = { ...names, query: read };
    const result = await search.find(reading);
    return result && { ...result, reading };
  };
  for (const read of query.asTyped?.() ?? []) {
    const byWords = await attempt(read);
    if (byWords !== null) return byWords;
  }
  const counts = query.words.length > 0 ? await search.countWords(query.terms) : [];
  let rest: ReadQuery = query;
  const isLeft = () => rest.words.length > (Object.keys(rest.filters).length > 0 ? 0 : 1);
  for (let tries = 0; tries < MAX_DROPPED && isLeft(); tries += 1) {
    rest = withoutRarest(rest, counts);
    const result = await attempt(rest);
    if (result !== null) return result;
  }
  return null;
}

/** Takes the count of the word it leaves out of `counts` as well. */
function withoutRarest(read: ReadQuery, counts: number[]): ReadQuery {
  const { words, terms, dropped = [], asTyped: _, ...rest } = read;
  const rarest = counts.indexOf(Math.min(...counts));
  const others = <Item>(items: readonly Item[]) => items.filter((_, at) => at !== rarest);
  counts.splice(rarest, 1);
  return { ...rest, words: others(words), terms: others(terms), dropped: [...dropped, words[rarest] ?? ''] };
}
