import type { ReadQuery } from './words/read-query.ts';
import type { Term } from './words/search-words.ts';

/** Each is a search of its own. */
const MAX_DROPPED = 4;

/**
 * Less and less of a query that finds nothing: first bodies, then all that was read of what a truck is like, as the words
 * that were typed; then without the rarest word, and the next. Of a query that is one word nothing is left out.
 */
export async function* readWithLess(
  query: ReadQuery,
  countWords: (terms: readonly Term[]) => Promise<number[]>,
): AsyncGenerator<ReadQuery> {
  yield* query.asTyped?.() ?? [];
  const counts = query.words.length > 0 ? await countWords(query.terms) : [];
  const rarestFirst = [...counts.keys()].sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
  const minWords = Object.keys(query.filters).length > 0 ? 0 : 1;
  for (let n = 1; n <= MAX_DROPPED && query.words.length - n >= minWords; n += 1)
    yield without(query, rarestFirst.slice(0, n));
}

function without({ words, terms, dropped = [], asTyped: _, ...rest }: ReadQuery, places: readonly number[]) {
  const isKept = (_: unknown, place: number) => !places.includes(place);
  const left = places.map((place) => words[place] ?? '');
  return {
    ...rest,
    words: words.filter(isKept),
    terms: terms.filter(isKept),
    dropped: [...dropped, ...left],
  };
}
