/**
 * The path patterns of vercel.json (`source` of rewrites and headers), path-to-regexp's grammar as far as the
 * platform documents it: `:name`, `:name*`, `:name+`, `:name?`, `:name(regex)` and `(regex)`. Strict and case
 * sensitive, as there.
 */
export interface PathPattern {
  /** Names of the captures; a group without a name has its number. */
  names: readonly string[];
  /** The captured texts by name, as they stand in the path (not decoded); null when the path does not match. */
  match(path: string): Record<string, string> | null;
}

interface Segment {
  name: string;
  source: string;
}

const TOKEN =
  /(\/)?(?::([A-Za-z_]\w*)(\((?:[^()\\]|\\.)+\))?|(\((?:[^()\\]|\\.)+\)))([*+?])?|\\(.)|([^:()\\])/gy;
const ANY_SEGMENT = '[^/]+?';

/** Compiles a pattern. Throws a plain Error on a pattern it cannot read. */
export function compilePattern(pattern: string): PathPattern {
  const names: string[] = [];
  // What every match begins with: most paths differ in it.
  let prefix = '';
  let source = '';
  let read = 0;
  for (const token of pattern.matchAll(TOKEN)) {
    read += token[0].length;
    const [, slash = '', name, custom, group, times = '', escaped, literal] = token;
    if (name === undefined && group === undefined) {
      const text = escaped ?? literal ?? '';
      source += escapeRegex(text);
      if (names.length === 0) prefix += text;
      continue;
    }
    const segment: Segment = {
      name: name ?? String(names.length),
      source: (custom ?? group)?.slice(1, -1) ?? ANY_SEGMENT,
    };
    names.push(segment.name);
    source += repeated(segment, slash, times);
  }
  if (read !== pattern.length) throw new Error(`unreadable path pattern ${pattern} at character ${read}`);
  const regex = new RegExp(`^${source}$`);
  return {
    names,
    match(path) {
      const found = path.startsWith(prefix) ? regex.exec(path) : null;
      if (!found) return null;
      const captured: Record<string, string> = {};
      for (let index = 0; index < names.length; index++)
        captured[names[index] ?? ''] = found[index + 1] ?? '';
      return captured;
    },
  };
}

function repeated({ source }: Segment, slash: string, times: string): string {
  if (times === '') return `${slash}(${source})`;
  if (times === '?') return `(?:${slash}(${source}))?`;
  const many = `(?:${slash}((?:${source})(?:${slash}(?:${source}))*))`;
  return times === '*' ? `${many}?` : many;
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** A rewrite's destination, filled in: the path to go on with, and the query keys it adds (`vin=…`). */
export interface Destination {
  fill(captured: Record<string, string>): { path: string; query: string };
}

/**
 * Compiles `/api/v1/inventory/[vin]?vin=:vin`. As on the platform, captures go to the query by themselves when
 * the destination's path uses none of them. `names` are those the source captures.
 */
export function compileDestination(destination: string, names: readonly string[]): Destination {
  const mark = destination.indexOf('?');
  const path = compileTemplate(mark === -1 ? destination : destination.slice(0, mark), names);
  const pairs = mark === -1 ? [] : [...new URLSearchParams(destination.slice(mark + 1))];
  const named = names.filter((name) => !/^\d/.test(name));
  const implied = named.some((name) => path.names.has(name))
    ? []
    : named.filter((name) => !pairs.some(([key]) => key === name)).map((name) => [name, `:${name}`] as const);
  const query = [...pairs, ...implied].map(([key, value]) => ({
    key: encodeURIComponent(key),
    value: compileTemplate(value, names),
  }));
  return {
    fill: (captured) => ({
      path: path.fill(captured) || '/',
      query: query.map(({ key, value }) => `${key}=${queryText(value.fill(captured))}`).join('&'),
    }),
  };
}

interface Template {
  names: ReadonlySet<string>;
  fill(captured: Record<string, string>): string;
}

/** Texts and names in turn; a slash before an empty capture goes with it. */
function compileTemplate(text: string, known: readonly string[]): Template {
  const parts: { before: string; name: string | null }[] = [];
  let read = 0;
  for (const found of text.matchAll(/:([A-Za-z_]\w*)[*+?]?/g)) {
    const name = found[1] ?? '';
    if (!known.includes(name)) continue;
    parts.push({ before: text.slice(read, found.index), name });
    read = found.index + found[0].length;
  }
  parts.push({ before: text.slice(read), name: null });
  return {
    names: new Set(parts.flatMap(({ name }) => name ?? [])),
    fill(captured) {
      let filled = '';
      for (const { before, name } of parts) {
        const value = name === null ? null : (captured[name] ?? '');
        filled += value === '' && before.endsWith('/') ? before.slice(0, -1) : before + (value ?? '');
      }
      return filled;
    },
  };
}

/** A path segment is already percent-encoded; only what would start another key is not. */
function queryText(segment: string): string {
  return /[&+#]/.test(segment) ? segment.replace(/[&+#]/g, encodeURIComponent) : segment;
}
