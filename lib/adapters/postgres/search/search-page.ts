import type { SearchRequest, SearchResult } from '../../../ports/search.ts';
import type { Sql } from '../connection/sql.ts';
import { areCurrent, toCurrentListings } from '../listings/current-listings.ts';
import { IMAGES, TIMES } from '../listings/listing-json.ts';
import { type Bind, hasWords, isFoundByWords, searchConditions } from './search-conditions.ts';
import { keyText, type Order, orderBy, toAfter, toOrder } from './search-order.ts';

/** A page of a search, by either of two ways, and how its listings are read. */

export type Page = Pick<SearchResult, 'listings' | 'next'>;

export interface PageRow {
  listings: string | null;
  are_current: boolean;
  next: [key: string | null, dedupHash: string] | null;
}

/** The page from the start of the index of its order; null when too few of the `max` listings there match. */
export async function walkToPage(
  sql: Sql,
  accountId: string,
  request: SearchRequest,
  max: number,
): Promise<Page | null> {
  const isBehindTheKeyed = request.after?.key === null;
  if (isBehindTheKeyed) return null;
  const { values, bind, order, conditions, position, rows } = searchParts(accountId, request);
  const where = [...conditions, ...hasWords(accountId, request.filters, bind)].join(' and ');
  const { key, nullable, direction } = order;
  const found = `
      select s.dedup_hash, ${key} as key from (
        select * from listing_search s
        where s.account_id = $1 ${nullable ? `and ${key} is not null` : ''} and ${position.keyed(key, 's.dedup_hash')}
        order by ${key} ${direction}, s.dedup_hash ${direction} limit ${max}
      ) s where ${where} limit ${rows}`;
  const row = await readPage(sql, found, order, request.limit, values);
  return row.found < rows ? null : toPage(row);
}

/** The page out of everything that matches. */
export async function sortToPage(sql: Sql, accountId: string, request: SearchRequest): Promise<Page> {
  const { values, bind, order, conditions, position, rows } = searchParts(accountId, request);
  const where = [...conditions, ...isFoundByWords(accountId, request.filters, bind)].join(' and ');
  const { key } = order;
  const found = `
      select s.dedup_hash, ${key} as key from listing_search s
      where ${where} and (${position.keyed(key, 's.dedup_hash')} or ${key} is null and ${position.keyless('s.dedup_hash')})
      order by ${orderBy(order, key, 's.dedup_hash')} limit ${rows}`;
  return toPage(await readPage(sql, found, order, request.limit, values));
}

async function readPage(sql: Sql, found: string, order: Order, shown: number, values: unknown[]) {
  const text = `
    with found as materialized (${found}
    ), page as materialized (
      select dedup_hash, key, row_number() over (order by ${orderBy(order, 'key', 'dedup_hash')}) as at from found
    )
    select ${selectPage(order, shown, 'true')}, (select count(*)::int from found) as found`;
  const [row] = await sql.query<PageRow & { found: number }>({ text }, values);
  if (!row) throw new Error('the search returned no row');
  return row;
}

/** What the statements of a search are put together from. */
export function searchParts(accountId: string, request: SearchRequest) {
  const values: unknown[] = [accountId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const order = toOrder(request, bind);
  const conditions = searchConditions(request.filters, bind);
  const position = toAfter(order, request.after, bind);
  // One more than the page shows tells whether there is another.
  return { values, bind, order, conditions, position, rows: request.limit + 1 };
}

/** The listings of `page`, and the last of them when more follow. */
export const selectPage = (order: Order, shown: number, isShown: string) => `
      (select string_agg(left(l.doc::text, -1) || ',' || substr(${REST}::text, 2), ',' order by p.at)
        from page p join listings l on l.account_id = $1 and l.dedup_hash = p.dedup_hash
        where p.at <= ${shown} and ${isShown}) as listings,
      ${areCurrent('page', `at <= ${shown} and ${isShown}`)} as are_current,
      (select json_build_array(${keyText(order, 'key')}, encode(dedup_hash, 'hex')) from page
        where at = ${shown} and (select count(*) from page) > ${shown}) as next`;

export async function toPage({ listings, are_current, next }: PageRow): Promise<Page> {
  return {
    listings: await toCurrentListings(`[${listings ?? ''}]`, are_current),
    next: next === null ? null : { key: next[0], dedupHash: next[1] },
  };
}

/** The members of a listing that stand outside its document. */
const REST = `json_build_object('quality', l.quality, 'images', ${IMAGES}, 'status', l.status, ${TIMES})`;
