/**
 * A table that is asked with texts of others: it has the given entries and nothing else, where a plain object also
 * answers `constructor` and `toString`.
 */
export function toTable<Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), entries);
}

/** A list of words, which stands as one text so that it fits on a page: `'sold, is sold, vendido'`. */
export const toList = (text: string): string[] => text.trim().split(/,\s+/);

/** A table of words by the first word of each item: `'trk truck, svc service'`. */
export const toPairs = (text: string): Record<string, string> =>
  Object.fromEntries(toList(text).map((pair) => [pair.split(' ', 1)[0], pair.slice(pair.indexOf(' ') + 1)]));
