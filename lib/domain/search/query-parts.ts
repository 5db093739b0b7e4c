import { readState } from '../place/states.ts';
import type { Body } from '../vocabulary/bodies.ts';
import { BODY_PHRASES, toBodyTokens } from '../vocabulary/body.ts';
import type { Found } from '../vocabulary/phrases.ts';
import { STOP_WORDS } from '../vocabulary/short-terms.ts';
import { MEANINGS, type Meaning } from './query-phrases.ts';
import type { Token } from './query-tokens.ts';

/** Words of a query that mean something together. */
export interface QueryPart extends Meaning {
  /** The first of its tokens, and the one behind the last. */
  at: number;
  end: number;
  keys: readonly string[];
  /** Of a body. */
  nouns?: readonly Found<Body | null>[];
}

/** The parts of a query from left to right, the longest first, without the words that say nothing of a truck. */
export function readParts(tokens: readonly Token[], keys: readonly string[]): QueryPart[] {
  const bodyKeys = keys.map((key) => toBodyTokens(key).join(''));
  const parts: QueryPart[] = [];
  for (let at = 0, end = 0; at < tokens.length; at = end) {
    const { value: meaning, count } = readMeaning(tokens, keys, at);
    const body = BODY_PHRASES.startingAt(bodyKeys, at);
    const isBody = body !== null && body.count > count;
    // `No sleeper` is a body, and a sleeper that is not wanted.
    const isMore = !isBody || meaning.kind === 'not';
    end = at + (isMore ? Math.max(count, 1) : body.count);
    if (isBody) {
      const bodyEnd = at + body.count;
      const words = {
        kind: 'word',
        name: 'body_type',
        filters: {},
        at,
        end: bodyEnd,
        keys: keys.slice(at, bodyEnd),
      };
      parts.push(body.value === null ? words : { ...words, kind: 'body', nouns: [body] });
    }
    if (isMore && meaning.kind !== 'filler') parts.push({ ...meaning, at, end, keys: keys.slice(at, end) });
  }
  return parts;
}

/** Postal codes that are something else in lower case: words, or short for other things of trucks. */
const ONLY_IN_CAPITALS = new Set(
  'al co de hi id in la ma mb md me mo ms mt nd ne oh ok on or pa pe sc sd sk'.split(' '),
);

/** What the vocabularies say of so many words; of none where they say nothing. */
function readMeaning(tokens: readonly Token[], keys: readonly string[], at: number) {
  const { text = '', key = '' } = tokens[at] ?? {};
  const phrase = MEANINGS.startingAt(keys, at);
  const isCode = /^(?:\p{Lu}{2}|\p{Ll}{2})$/u.test(text) && !ONLY_IN_CAPITALS.has(text);
  const state = isCode && (phrase === null || phrase.count === 1) ? readState(text) : null;
  const filters = state === null ? {} : { state: [state] };
  // Behind a number a unit, by itself a state: `300k mi`, `84 CA`.
  if (state !== null && phrase?.value.kind === 'unit')
    return { value: { ...phrase.value, filters }, count: 1 };
  if (state !== null) return { value: { kind: 'filter', name: 'state', filters }, count: 1 };
  const digits = /^\d{1,3}(?:[., ]\d{3})+$/.test(key) ? key.replace(/\D/g, '') : key;
  const kind = /^\d+(?:\.\d+)?$/.test(digits) ? 'number' : STOP_WORDS.has(key) ? 'filler' : 'word';
  return phrase ?? { value: { kind, name: digits, filters }, count: 0 };
}
