import * as z from 'zod/mini';
import { Sha256 } from '../../contract/json.ts';
import type { SearchInput, Sort } from '../../contract/search.ts';
import { TERM_FILTERS } from '../../domain/search/listing-terms.ts';
import type { SearchPosition } from '../../ports/search.ts';
import { invalid } from '../context.ts';
import { strangeCursor } from '../page.ts';
import { isSigned, type SigningPorts, sign } from '../signed-token.ts';
import type { Reading } from './search-filters.ts';

/**
 * A cursor: which search it belongs to, where its page ended, how far the first page saw changes, and what it understood
 * of makes, models and words, so that the pages behind it search for the same even when the account has other names by then.
 */

const texts = z.array(z.string());
const TEXT_FILTERS = ['make', 'model', 'class', 'fuel_type', 'condition', 'state', 'body_type'] as const;
const NUMBER_FILTERS = [
  ...(['year', 'year_min', 'year_max', 'price_min', 'price_max', 'mileage_min', 'mileage_max'] as const),
] as const;
const optional = <Schema extends z.ZodMiniType, Name extends string>(
  schema: Schema,
  names: readonly Name[],
) =>
  Object.fromEntries(names.map((name) => [name, z.optional(schema)])) as Record<
    Name,
    z.ZodMiniOptional<Schema>
  >;
const words = z.array(
  z.array(
    z.array(z.object({ text: z.string().check(z.regex(/^[\p{L}\p{M}\p{N}]+$/u)), prefix: z.boolean() })),
  ),
);
const filters = z.object({
  ...optional(texts, [...TEXT_FILTERS, ...TERM_FILTERS]),
  ...optional(z.array(z.int()), NUMBER_FILTERS),
});
const CursorReading = z.object({
  make: z.nullable(texts),
  model: z.nullable(texts),
  codes: z.optional(texts),
  query: z.object({
    filters,
    words: texts,
    terms: words,
    without: z.optional(z.object({ filters, terms: words, texts })),
    dropped: z.optional(texts),
  }),
});
const Cursor = z.tuple([z.string(), z.nullable(z.string()), Sha256, z.nullable(CursorReading), z.string()]);

type Search = SearchInput & { sort: Sort };

/** What a walk through the pages takes along from its first page. */
export interface Walk {
  reading: Reading | null;
  syncedUntil: string;
}

export function toCursor(
  query: Search,
  { key, dedupHash }: SearchPosition,
  walk: Walk,
  ports: SigningPorts,
): string {
  // As it is read again: what is signed has the same members in the same order.
  const reading = walk.reading && CursorReading.parse(walk.reading);
  const position = [key, dedupHash, reading, walk.syncedUntil] as const;
  const parts = [sign(ports, 'search-cursor', toSignedText(query, position)), ...position];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** @throws INVALID_PARAMS for a cursor of another search, or one that this service did not give. */
export function readCursor(
  cursor: string,
  query: Search,
  ports: SigningPorts,
): Walk & { after: SearchPosition } {
  const parsed = Cursor.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!parsed.success) throw strangeCursor(cursor);
  const [signature, ...position] = parsed.data;
  if (!isSigned(ports, 'search-cursor', toSignedText(query, position), signature))
    throw invalid('cursor', 'belongs to another search', { reason: 'conflicting', fix: OTHER_SEARCH });
  const [key, dedupHash, reading, syncedUntil] = position;
  return { after: { key, dedupHash }, reading, syncedUntil };
}

const OTHER_SEARCH = 'Send the filters and sort of the page before, or leave cursor out to begin anew.';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A cursor goes on with the search it came from and with no other, from where that search ended and nowhere else. */
function toSignedText(query: Search, position: readonly unknown[]): string {
  const { cursor: _, limit: __, fields: ___, ...asked } = query;
  return JSON.stringify([Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1)), position]);
}
