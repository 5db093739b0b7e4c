import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { SearchInput, Sort } from '../../contract/search.ts';
import type { SearchPosition } from '../../ports/search.ts';
import { invalid } from '../context.ts';
import type { Reading } from './search-filters.ts';

/**
 * A cursor: which search it belongs to, where its page ended, and what the first page understood of makes, models and
 * words, so that the pages behind it search for the same even when the account has other names by then.
 */

const texts = z.array(z.string());
const words = z.array(
  z.array(
    z.array(z.object({ text: z.string().check(z.regex(/^[\p{L}\p{M}\p{N}]+$/u)), prefix: z.boolean() })),
  ),
);
const CursorReading = z.object({
  make: z.nullable(texts),
  model: z.nullable(texts),
  query: z.object({
    filters: z.object({
      make: z.optional(texts),
      model: z.optional(texts),
      year: z.optional(z.array(z.int())),
      fuel_type: z.optional(texts),
      condition: z.optional(texts),
      state: z.optional(texts),
      body_type: z.optional(texts),
    }),
    words: texts,
    terms: words,
  }),
});
const Cursor = z.tuple([
  z.string(),
  z.nullable(z.string()),
  z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  z.nullable(CursorReading),
]);

/** The key of a position, by sort. */
const KEY_FORMS: readonly [RegExp, RegExp][] = [
  [/^newest$/, /^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/],
  [/^distance$/, /^\d{1,5}(?:\.\d{1,20})?(?:e-\d{1,3})?$/],
  [/./, /^-?\d{1,10}$/],
];

type Search = SearchInput & { sort: Sort };

export function toCursor(query: Search, { key, dedupHash }: SearchPosition, reading: Reading | null): string {
  const parts = [fingerprintQuery(query, reading), key, dedupHash, reading];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws INVALID_PARAMS for a cursor of another search, or one that this service did not give. */
export function readCursor(
  cursor: string,
  query: Search,
): { after: SearchPosition; reading: Reading | null } {
  const parsed = Cursor.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!parsed.success) throw malformed();
  const [mark, key, dedupHash, reading] = parsed.data;
  if (mark !== fingerprintQuery(query, reading))
    throw invalid('cursor', 'belongs to another search: filters and sort must stay the same');
  const form = KEY_FORMS.find(([sort]) => sort.test(query.sort))?.[1];
  if (key !== null && !form?.test(key)) throw malformed();
  return { after: { key, dedupHash }, reading };
}

const malformed = () => invalid('cursor', 'is not one that this service gave');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A cursor goes on with the search it came from and with no other. */
function fingerprintQuery(query: Search, reading: Reading | null): string {
  const { cursor: _, limit: __, fields: ___, ...asked } = query;
  const text = JSON.stringify([Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1)), reading]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
