/**
 * Makes a table that is safe to look up with received texts: a plain object also has `constructor` and `toString`.
 */
export function toTable<Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), entries);
}

/** Splits a list of words that is written as one text: `'sold, is sold, vendido'`. */
export const toList = (text: string): string[] => text.trim().split(/,\s+/);

/** Reads a table that is written as one text, by the first word of each item: `'trk truck, svc service'`. */
export const toPairs = (text: string): Record<string, string> =>
  Object.fromEntries(toList(text).map((pair) => [pair.split(' ', 1)[0], pair.slice(pair.indexOf(' ') + 1)]));
