const MAX_REMEMBERED = 4_000;
/** As much of a text as vocabularies read. */
const MAX_LENGTH = 200;

/** The same function of a text, whose answers for short texts are remembered: lots repeat themselves. */
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

/** A piece of a text keeps the whole of it in memory: megabytes, for a word of a body that was posted. */
const copy = (text: string): string => text.split('').join('');

/** The value of `make`, made when it is first asked for: tables that a cold start may never need. */
export function once<Value>(make: () => Value): () => Value {
  let result: { value: Value } | undefined;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}
