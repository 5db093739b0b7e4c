const MAX_REMEMBERED = 4_000;
/** Longer texts are not cached. */
const MAX_LENGTH = 200;

/** Caches the results of a function for short texts, because lots repeat them. */
export function remember<Value>(read: (text: string) => Value): (text: string) => Value {
  const values = new Map<string, Value>();
  return (text) => {
    if (text.length > MAX_LENGTH) return read(text);
    const cached = values.get(text);
    if (cached !== undefined || values.has(text)) return cached as Value;
    if (values.size >= MAX_REMEMBERED) values.clear();
    const key = copy(text);
    const value = read(key);
    values.set(key, value);
    return value;
  };
}

/** Copies a text: a slice would keep the posted body in memory. */
const copy = (text: string): string => text.split('').join('');

/** Defers building a table until its first use, because a cold start may not need it. */
export function once<Value>(make: () => Value): () => Value {
  let result: { value: Value } | undefined;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}
