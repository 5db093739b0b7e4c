const MAX_REMEMBERED = 4_000;
/** As much of a text as vocabularies read. */
const MAX_LENGTH = 200;

/** The same function of a text, whose answers for short texts are remembered: lots repeat themselves. */
export function remember<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (text.length > MAX_LENGTH) return read(text);
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as Value;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const value = read(text);
    known.set(text, value);
    return value;
  };
}

/** The value of `make`, made when it is first asked for: tables that a cold start may never need. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
