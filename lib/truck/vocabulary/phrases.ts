import { indexNearWords } from '../names/near-miss.ts';
import { once, remember } from '../text/remember.ts';
import { toTokens } from '../text/tokens.ts';

/** Looks up phrases of a vocabulary in a sequence of words. */

/** A match: `count` words from `at` on mean `value`. */
export interface PhraseMatch<Value> {
  value: Value;
  at: number;
  count: number;
}

export interface Phrases<Value> {
  /** The longest phrase that begins with this word. */
  startingAt(tokens: readonly string[], at: number): PhraseMatch<Value> | null;
  /** All phrases from left to right; the longest wins, and none overlap. */
  all(tokens: readonly string[]): PhraseMatch<Value>[];
  /** Returns the vocabulary's spelling of a word: its singular, or the word that is one slip away. */
  repair(token: string): string;
}

const MAX_PHRASE_TOKENS = 5;
/** Shorter words are not corrected: they are too similar to others. */
const MIN_MISSPELLED = 6;

type Entries<Value> = Iterable<readonly [phrase: string, value: Value]>;

/** Phrases are compared without blanks: `flat bed` is `flatbed`. Nothing is built before the first look-up. */
export function toPhrases<Value>(listEntries: () => Entries<Value>): Phrases<Value> {
  const index = once(() => indexPhrases(listEntries()));
  const findNear = indexNearWords(() => {
    const { words, values } = index();
    return [...words, ...values.keys()].filter((word) => word.length >= MIN_MISSPELLED - 1);
  }, 1);

  /** Returns the only word of the vocabulary that is one slip away. */
  function findNearestWord(token: string): string | null {
    if (token.length < MIN_MISSPELLED || /\d/.test(token)) return null;
    const [nearest, ...others] = findNear(token);
    return nearest !== undefined && others.length === 0 ? nearest.word : null;
  }

  const repair = remember((token) => {
    const { words, values } = index();
    const form = [token, ...listSingulars(token)].find(
      (candidate) => words.has(candidate) || values.has(candidate),
    );
    return form ?? findNearestWord(token) ?? token;
  });

  function startingAt(tokens: readonly string[], at: number): PhraseMatch<Value> | null {
    const { values, longest } = index();
    let longestMatch: PhraseMatch<Value> | null = null;
    let key = '';
    for (let count = 1; count <= MAX_PHRASE_TOKENS && at + count <= tokens.length; count += 1) {
      key += tokens[at + count - 1] ?? '';
      if (key.length > longest) break;
      const value = values.get(key);
      if (value !== undefined) longestMatch = { value, at, count };
    }
    return longestMatch;
  }

  function all(tokens: readonly string[]): PhraseMatch<Value>[] {
    const matches: PhraseMatch<Value>[] = [];
    for (let at = 0; at < tokens.length; ) {
      const phrase = startingAt(tokens, at);
      if (phrase !== null) matches.push(phrase);
      at += phrase?.count ?? 1;
    }
    return matches;
  }

  return { startingAt, all, repair };
}

function indexPhrases<Value>(entries: Entries<Value>) {
  const values = new Map<string, Value>();
  const words = new Set<string>();
  let longest = 0;
  for (const [phrase, value] of entries) {
    const tokens = toTokens(phrase.replaceAll('_', ' '));
    const key = tokens.join('');
    values.set(key, value);
    longest = Math.max(longest, key.length);
    for (const token of tokens) words.add(token);
  }
  return { values, words, longest };
}

function listSingulars(token: string): string[] {
  if (token.length < 4 || !token.endsWith('s')) return [];
  const forms = [token.slice(0, -1)];
  if (token.endsWith('es')) forms.push(token.slice(0, -2));
  if (token.endsWith('ies')) forms.push(`${token.slice(0, -3)}y`);
  return forms;
}
