/**
 * A table that is asked with texts of others: it has the given entries and nothing else, where a plain object also
 * answers `constructor` and `toString`.
 */
export function toTable<Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), entries);
}
