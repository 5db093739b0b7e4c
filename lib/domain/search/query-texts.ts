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

/** What some words of a query name, and the words as they were typed. */
export interface Taken<Value> {
  values: Value[];
  typed: string[];
}

/**
 * Takes the words that `named` understands out of `texts`, those that are most words together first; null when it
 * understands none.
 */
export function takeWords<Value>(
  texts: string[],
  named: (words: QueryWords) => readonly Value[],
): Taken<Value> | null {
  const values = new Set<Value>();
  const typed: string[] = [];
  for (let count = MAX_COUNT; count > 0; count -= 1) {
    for (let at = 0; at + count <= texts.length; at += 1) {
      const text = texts.slice(at, at + count).join(' ');
      const found = named({ text, key: foldKey(text), count, at, next: texts[at + count] });
      if (found.length === 0) continue;
      typed.push(...texts.splice(at, count));
      for (const value of found) values.add(value);
      at -= 1;
    }
  }
  return values.size > 0 ? { values: [...values], typed } : null;
}
