/** How long an answer may be remembered: a revocation elsewhere holds within 5 s, requests under way included. */
const REMEMBER_MS = 4_000;
const MAX_REMEMBERED = 5_000;

export type Remembered<Value> = ReturnType<typeof rememberBriefly<Value>>;

/** Remembers who has a key or a session; `forget` is for whatever changes one in this process. */
export function rememberBriefly<Value>(
  now: () => number,
  expiresAt: (value: Value) => number | null = () => null,
) {
  let remembered = new Map<string, { value: Value; untilMs: number }>();
  return {
    forget(): void {
      remembered = new Map();
    },
    async read(hash: string, load: () => Promise<Value | null>): Promise<Value | null> {
      const entry = remembered.get(hash);
      if (entry && entry.untilMs > now()) return entry.value;
      const askedMs = now();
      // What is read before a change is remembered in a map that the change has replaced.
      const into = remembered;
      const value = await load();
      if (into.size >= MAX_REMEMBERED) into.clear();
      if (value === null) into.delete(hash);
      else into.set(hash, { value, untilMs: Math.min(askedMs + REMEMBER_MS, expiresAt(value) ?? Infinity) });
      return value;
    },
  };
}
