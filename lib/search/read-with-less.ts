import { toList } from '../truck/text/table.ts';
import { type Query, type Reading, readByNames } from './search-filters.ts';
import type { ReadQuery } from './words/read-query.ts';
import type { Name } from './words/search-words.ts';

/** Each is a search of its own. */
const MAX_TRIED = 5;

/** What lots write of in texts without saying so in its field; bodies first, then all of it. */
const WRITTEN = [
  ['body_type'],
  toList('body_type, fuel_type, state, transmission, drivetrain, rear_wheels, currency, cab, condition'),
];

/**
 * Less and less of a query that finds nothing: what a truck is like as the words that were typed; then without one of the
 * words, the last first; then without all of them, where something else is asked for.
 */
export function* readWithLess(query: Query, names: readonly Name[], reading: Reading) {
  const { words, filters } = reading.query;
  for (const fieldNames of WRITTEN) {
    const asTyped = readByNames(query, names, fieldNames);
    if (asTyped.query.words.length > words.length) yield asTyped;
  }
  const places = [...words.keys()].reverse();
  const isByFilters = Object.keys(filters).length > 0 && places.length > 0;
  const left = places.slice(0, MAX_TRIED).map((place) => [place]);
  for (const out of [...(words.length > 1 ? left : []), ...(isByFilters ? [places] : [])])
    yield { ...reading, query: without(reading.query, out) };
}

function without({ words, terms, dropped = [], ...rest }: ReadQuery, places: readonly number[]) {
  const isKept = (_: unknown, place: number) => !places.includes(place);
  return {
    ...rest,
    words: words.filter(isKept),
    terms: terms.filter(isKept),
    dropped: [...dropped, ...words.filter((_, place) => places.includes(place))],
  };
}
