import { toNormalForm } from '../text/normal-form.ts';
import { foldKey } from '../text/text.ts';

/** The words of a query, out of which readers take what they understand. */

const MAX_WORDS = 12;

/** The words of a query as they were sent. */
export function splitQuery(query: string): string[] {
  return toNormalForm(query, 'NFC')
    .replace(/\bw\/\s?o(?=\W|$)/gi, ' without ')
    .replace(/\bw\//gi, ' with ')
    .split(/[\s,;|'"’”\\/]+/)
    .filter((text) => /[\p{L}\p{N}]/u.test(text))
    .slice(0, MAX_WORDS);
}

/** Some neighbouring words of a query. */
export interface QueryWords {
  text: string;
  key: string;
  count: number;
  at: number;
  /** The word behind them. */
  next: string | undefined;
}

const MAX_COUNT = 4;

/**
 * Takes the words that `named` understands out of `texts`, those that are most words together first, and returns what
 * they name. `all`: every such group, not only the first.
 */
export function takeWords<Value>(
  texts: string[],
  named: (words: QueryWords) => readonly Value[],
  howMany: 'first' | 'all' = 'first',
): Value[] | null {
  const taken: Value[] = [];
  for (let count = MAX_COUNT; count > 0; count -= 1) {
    for (let at = 0; at + count <= texts.length; at += 1) {
      const text = texts.slice(at, at + count).join(' ');
      const found = named({ text, key: foldKey(text), count, at, next: texts[at + count] });
      if (found.length === 0) continue;
      texts.splice(at, count);
      taken.push(...found);
      if (howMany === 'first') return taken;
      at -= 1;
    }
  }
  return taken.length > 0 ? [...new Set(taken)] : null;
}
