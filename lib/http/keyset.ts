import type { Page } from '../db/sql.ts';
import { invalid } from './context.ts';

/** Keyset pages: the cursor is the key of the last item, made opaque. One item more than asked for tells of a next page. */
export interface PageInput {
  limit: number;
  cursor?: string | undefined;
}

/** The keys of most lists: an id or a slug. */
const ID = /^[\w-]{1,80}$/;

/** Throws INVALID_PARAMS for a cursor that is not one of ours: none that is not of the form of the list's keys. */
export function startPage({ limit, cursor }: PageInput, form: RegExp = ID): Page {
  if (cursor === undefined) return { limit: limit + 1, after: null };
  const after = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!form.test(after) || encode(after) !== cursor)
    throw invalid('cursor', 'is not one that this service gave', {
      reason: 'malformed',
      fix: 'Send the next_cursor of the page before as it is, or leave cursor out to begin anew.',
      received: cursor,
    });
  return { limit: limit + 1, after };
}

export function toPage<Item>(rows: readonly Item[], limit: number, toKey: (item: Item) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: rows.length > limit && last !== undefined ? encode(toKey(last)) : null };
}

const encode = (key: string) => Buffer.from(key).toString('base64url');
