import { toList } from '../truck/record/to-list.ts';
import type { SearchInput } from './schemas.ts';
import { type Reading, readByNames } from './search-filters.ts';
import type { ReadQuery } from './words/read-query.ts';
import type { Name, Term } from './words/search-words.ts';

/** Each is a search of its own. */
const MAX_DROPPED = 4;

/** What lots write of in texts without saying so in its field; bodies first, then all of it. */
const WRITTEN = [
  ['body_type'],
  toList('body_type, fuel_type, state, transmission, drivetrain, rear_wheels, currency, cab, condition'),
];

/**
 * Less and less of a query that finds nothing: what a truck is like as the words that were typed; then without the rarest
 * word, and the next. Of a query that is one word nothing is left out.
 */
export async function* readWithLess(
  query: SearchInput,
  names: readonly Name[],
  reading: Reading,
  countWords: (terms: readonly Term[]) => Promise<number[]>,
): AsyncGenerator<Reading> {
  const { words, terms, filters } = reading.query;
  for (const written of WRITTEN) {
    const asTyped = readByNames(query, names, written);
    if (asTyped.query.words.length > words.length) yield asTyped;
  }
  const counts = words.length > 0 ? await countWords(terms) : [];
  const rarestFirst = [...counts.keys()].sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
  const minWords = Object.keys(filters).length > 0 ? 0 : 1;
  for (let n = 1; n <= MAX_DROPPED && words.length - n >= minWords; n += 1)
    yield { ...reading, query: without(reading.query, rarestFirst.slice(0, n)) };
}

function without({ words, terms, dropped = [], ...rest }: ReadQuery, places: readonly number[]) {
  const isKept = (_: unknown, place: number) => !places.includes(place);
  return {
    ...rest,
    words: words.filter(isKept),
    terms: terms.filter(isKept),
    dropped: [...dropped, ...places.map((place) => words[place] ?? '')],
  };
}
