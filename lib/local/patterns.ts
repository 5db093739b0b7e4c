/**
 * The path patterns of vercel.json (`source` of rewrites and headers), path-to-regexp's grammar as far as the
 * platform documents it: `:name`, `:name*`, `:name+`, `:name?`, `:name(regex)` and `(regex)`. Strict and case
 * sensitive, as there.
 */
export interface PathPattern {
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
  let source = '';
  let read = 0;
  for (const token of pattern.matchAll(TOKEN)) {
    read += token[0].length;
    const [, slash = '', name, custom, group, times = '', escaped, literal] = token;
    if (name === undefined && group === undefined) {
      source += escapeRegex(escaped ?? literal ?? '');
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
    match(path) {
      const found = regex.exec(path);
      if (!found) return null;
      return Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']));
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
 * the destination's path uses none of them.
 */
export function compileDestination(destination: string): Destination {
  const mark = destination.indexOf('?');
  const path = mark === -1 ? destination : destination.slice(0, mark);
  const pairs = mark === -1 ? [] : [...new URLSearchParams(destination.slice(mark + 1))];
  const usedInPath = new Set([...path.matchAll(/:([A-Za-z_]\w*)/g)].map((found) => found[1]));
  return {
    fill(captured) {
      const names = Object.keys(captured).filter((name) => !/^\d/.test(name));
      const implied = names.some((name) => usedInPath.has(name))
        ? []
        : names
            .filter((name) => !pairs.some(([key]) => key === name))
            .map((name) => [name, `:${name}`] as const);
      const query = [...pairs, ...implied].map(
        ([key, value]) => `${encodeURIComponent(key)}=${queryText(substitute(value, captured))}`,
      );
      return { path: substitute(path, captured, '/'), query: query.join('&') };
    },
  };
}

function substitute(template: string, captured: Record<string, string>, slash = ''): string {
  const filled = template.replace(
    /(\/)?:([A-Za-z_]\w*)[*+?]?/g,
    (whole, before: string | undefined, name: string) => {
      if (!Object.hasOwn(captured, name)) return whole;
      const value = captured[name] ?? '';
      return value === '' && slash !== '' ? '' : `${before ?? ''}${value}`;
    },
  );
  return filled === '' ? slash : filled;
}

/** A path segment is already percent-encoded; only what would start another key is not. */
function queryText(segment: string): string {
  return segment.replaceAll('&', '%26').replaceAll('+', '%2B').replaceAll('#', '%23');
}
