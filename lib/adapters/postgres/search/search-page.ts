import type { SearchRequest as AnyRequest, SearchPage } from '../../../ports/search.ts';
import type { Sql } from '../connection/sql.ts';
import { IMAGES, TIMES } from '../listings/listing-json.ts';
import { RECORD_VERSION } from '../listings/record-version.ts';
import {
  type Bind,
  hasWords,
  isFoundByWords,
  joinConditions,
  searchConditions,
} from './search-conditions.ts';
import { keyText, type Order, orderBy, toAfter, toOrder } from './search-order.ts';

/** A page of a search, by either of two ways, and how its listings are read. */

export type Page = Omit<SearchPage, 'syncedUntil'>;

export interface SearchRequest extends AnyRequest {
  /** Of the transactions, as of before the statement. */
  newest: string;
  /** Most listings have the words: those that are read are asked for them, and the index of words is not. */
  areWordsCommon: boolean;
}

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
  const { values, order, conditions, words, position, rows } = searchParts(accountId, request, hasWords);
  const where = joinConditions(conditions, ...words);
  const { key, nullable, direction, indexed } = order;
  const inIndex = ['account' as const, ...indexed].flatMap((name) => conditions[name] ?? []).join(' and ');
  const found = `
      select s.dedup_hash, ${key} as key from (
        select * from listing_search s
        where ${inIndex} ${nullable ? `and ${key} is not null` : ''} and ${position.keyed(key, 's.dedup_hash')}
        order by ${key} ${direction}, s.dedup_hash ${direction} limit ${max}
      ) s where ${where} limit ${rows}`;
  const row = await readPage(sql, found, order, request, values);
  return row.found < rows ? null : toPage(row);
}

/** The page out of everything that matches; words that most listings have are asked for in the order of the page. */
export async function sortToPage(sql: Sql, accountId: string, request: SearchRequest): Promise<Page> {
  const { values, order, conditions, words, position, rows } = searchParts(accountId, request);
  const [first, last] = request.areWordsCommon ? [[], words] : [words, []];
  const { key } = order;
  const found = `
      select dedup_hash, key from (
        select s.dedup_hash, ${key} as key from listing_search s
        where ${joinConditions(conditions, ...first)}
          and (${position.keyed(key, 's.dedup_hash')} or ${key} is null and ${position.keyless('s.dedup_hash')})
        order by ${orderBy(order, key, 's.dedup_hash')}
      ) s where ${['true', ...last].join(' and ')} limit ${rows}`;
  return toPage(await readPage(sql, found, order, request, values));
}

async function readPage(sql: Sql, found: string, order: Order, request: SearchRequest, values: unknown[]) {
  const text = `
    with found as materialized (${found}
    ), page as materialized (
      select dedup_hash, key, row_number() over (order by ${orderBy(order, 'key', 'dedup_hash')}) as at from found
    ), ${answeredPage(request, 'true')}
    select ${selectPage(order)}, (select count(*)::int from found) as found`;
  const [row] = await sql.query<PageRow & { found: number }>({ text }, values);
  if (!row) throw new Error('the search returned no row');
  return row;
}

/** What the statements of a search are put together from. */
export function searchParts(
  accountId: string,
  request: SearchRequest,
  haveWords = request.areWordsCommon ? hasWords : isFoundByWords,
) {
  const values: unknown[] = [accountId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const order = toOrder(request, bind);
  const conditions = searchConditions(accountId, request.filters, request.newest, bind);
  const words = haveWords(accountId, request.filters, bind);
  const position = toAfter(order, request.after, bind);
  // One more than the page shows tells whether there is another.
  return { values, order, conditions, words, position, rows: request.limit + 1 };
}

/** Most bytes of a page's listings: the platform sends no answer of more than 4.5 MB. */
const MAX_PAGE_BYTES = 3_800_000;

/** The common table expression `answered`: the listings of `page` as JSON text, as many as one answer may hold. */
export const answeredPage = (
  { limit, withoutImages = false }: SearchRequest,
  isShown: string,
) => `answered as materialized (
      select * from (
        select p.*, t.json, t.is_current, sum(octet_length(t.json)) over (order by p.at) as bytes
        from page p join listings l on l.account_id = $1 and l.dedup_hash = p.dedup_hash, lateral (
          select left(l.doc::text, -1) || ',' || substr(${answerMembers(!withoutImages)}::text, 2) as json,
            l.record_version = '${RECORD_VERSION}' as is_current
        ) t
        where p.at <= ${limit} and ${isShown}
      ) written where bytes <= ${MAX_PAGE_BYTES} or at = 1
    )`;

/** The listings of `answered`, and the last of them when `page` has more. */
export const selectPage = (order: Order) => `
      (select string_agg(json, ',' order by at) from answered) as listings,
      (select coalesce(bool_and(is_current), true) from answered) as are_current,
      (select json_build_array(${keyText(order, 'key')}, encode(dedup_hash, 'hex')) from answered
        where (select count(*) from page) > (select count(*) from answered) order by at desc limit 1) as next`;

export async function toPage({ listings, are_current, next }: PageRow): Promise<Page> {
  return {
    listings: await toCurrentListings(`[${listings ?? ''}]`, are_current),
    next: next === null ? null : { key: next[0], dedupHash: next[1] },
  };
}

/** As the present record table has them; nearly always they are of it and pass as they lie. */
async function toCurrentListings(json: string, isCurrent: boolean): Promise<string> {
  if (isCurrent) return json;
  const { projectListing } = await import('../../../domain/listing/project-listing.ts');
  const listings: Parameters<typeof projectListing>[0][] = JSON.parse(json);
  return JSON.stringify(listings.map((listing) => projectListing(listing)));
}

/** The members of a listing that stand outside its document. */
const answerMembers = (withImages: boolean) =>
  `json_build_object('quality', l.quality, ${withImages ? `'images', ${IMAGES}, ` : ''}'status', l.status, ${TIMES})`;
