import { readState } from '../../truck/place/states.ts';
import type { Body } from '../../truck/vocabulary/bodies.ts';
import { BODY_PHRASES, toBodyTokens } from '../../truck/vocabulary/body.ts';
import type { PhraseMatch } from '../../truck/vocabulary/phrases.ts';
import { STOP_WORDS } from '../../truck/vocabulary/short-terms.ts';
import { MEANINGS, type Meaning } from './query-phrases.ts';
import type { Token } from './query-tokens.ts';

/** Words of a query that mean something together. */
export interface QueryPart extends Meaning {
  /** The first of its tokens, and the one behind the last. */
  at: number;
  end: number;
  keys: readonly string[];
  /** Of a body. */
  nouns: readonly PhraseMatch<Body | null>[];
}

/** The parts of a query from left to right, the longest first, without the words that say nothing of a truck. */
export function readParts(tokens: readonly Token[], keys: readonly string[]): QueryPart[] {
  const bodyKeys = keys.map((key) => toBodyTokens(key).join(''));
  const parts: QueryPart[] = [];
  for (let at = 0, end = 0; at < tokens.length; at = end) {
    const { value: meaning, count } = readMeaning(tokens, keys, at);
    const body = BODY_PHRASES.startingAt(bodyKeys, at);
    end = at + Math.max(body?.count ?? 0, count, 1);
    const place = { at, end, keys: keys.slice(at, end) };
    if (body === null || body.count <= count) parts.push({ ...meaning, ...place, nouns: [] });
    else if (body.value === null || body.value.name === 'other')
      parts.push({ kind: 'word', name: '', filters: {}, ...place, nouns: [] });
    else parts.push({ kind: 'body', name: body.value.name, filters: {}, ...place, nouns: [body] });
  }
  return parts.filter(({ kind }) => kind !== 'filler');
}

/**
 * Makes one part of those whose kinds and names, written one behind the other, are a sentence that `read` understands:
 * `bound:max number:50 scale:1000`.
 */
export function joinParts(
  parts: readonly QueryPart[],
  sentences: readonly RegExp[],
  read: (parts: readonly QueryPart[], groups: Groups) => Partial<QueryPart> | null,
): QueryPart[] {
  const [first] = parts;
  if (first === undefined) return [];
  const text = parts.map(({ kind, name }) => `${kind}:${name} `).join('');
  for (const sentence of sentences) {
    const match = sentence.exec(text);
    const matchedParts = parts.slice(0, match === null ? 0 : match[0].split(' ').length - 1);
    const part = matchedParts.length > 0 ? read(matchedParts, match?.groups ?? {}) : null;
    if (part === null) continue;
    const joinedPart = {
      ...first,
      end: matchedParts.at(-1)?.end ?? first.end,
      keys: matchedParts.flatMap(({ keys }) => keys),
      ...part,
    };
    return [joinedPart, ...joinParts(parts.slice(matchedParts.length), sentences, read)];
  }
  return [first, ...joinParts(parts.slice(1), sentences, read)];
}

export type Groups = Readonly<Record<string, string | undefined>>;

/** Postal codes that are words, too: states only in capitals at the end of a query. */
const WORDS = new Set(
  'al as co de hi id il in la ma mb md me mi mo ms mt nd ne oh ok on or pa pe sc sd sk va vi'.split(' '),
);

/** What the vocabularies say of so many words; of none where they say nothing. */
function readMeaning(tokens: readonly Token[], keys: readonly string[], at: number) {
  const { text = '', key = '' } = tokens[at] ?? {};
  const phrase = MEANINGS.startingAt(keys, at);
  const isSure = !WORDS.has(key) || (text !== key && at === tokens.length - 1);
  const isCode = /^(?:[A-Z]{2}|[a-z]{2})$/.test(text) && isSure && (phrase?.count ?? 1) === 1;
  const state = isCode ? readState(text) : null;
  const filters = state === null ? {} : { state: [state] };
  // Behind a number a unit, by itself a state: `300k mi`.
  const unit = phrase?.value.kind === 'unit' ? phrase.value : { kind: 'filter', name: 'state' };
  if (state !== null) return { value: { ...unit, filters }, count: 1 };
  const digits = /^\d{1,3}(?:[., ]\d{3})+$/.test(key) ? key.replace(/\D/g, '') : key;
  const kind = /^\d+(?:\.\d+)?$/.test(digits) ? 'number' : STOP_WORDS.has(key) ? 'filler' : 'word';
  return phrase ?? { value: { kind, name: digits, filters }, count: 0 };
}
