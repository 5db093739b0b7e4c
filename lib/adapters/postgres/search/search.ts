import type { Search, SearchRequest, SearchResult } from '../../../ports/search.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { areCurrent, toCurrentListings } from '../listings/current-listings.ts';
import { IMAGES, TIMES } from '../listings/listing-json.ts';
import { type Bind, hasWords, isFoundByWords, searchConditions } from './search-conditions.ts';
import {
  type CellCounts,
  countByCells,
  countedColumns,
  countFacets,
  isCountedByCells,
  toFacets,
} from './search-counts.ts';
import { keyText, type Order, orderBy, toAfter, toOrder } from './search-order.ts';

export interface SearchBounds {
  /** Most listings that are counted one by one. */
  counted: number;
  /** Most changes beside the facet cells that a search adds up itself. */
  unfolded: number;
  /** Most makes and models of an account that a query is read by. */
  names: number;
}

export const SEARCH_BOUNDS: SearchBounds = { counted: 10_000, unfolded: 20_000, names: 2_000 };

/**
 * Two statements, planned for their own values. The first finds what matches, up to a bound, by whatever index is
 * narrowest, counts it and sorts it. Only when there is more, the second takes the page from the index of the order.
 */
export function postgresSearch(sql: Sql, bounds: SearchBounds = SEARCH_BOUNDS): Search {
  return {
    of: (accountId) => ({
      names: () => sql.query(NAMES, [accountId, bounds.names]),
      find: (request) =>
        sql.transaction(async (bound) => {
          await bound.query(PLANNER);
          return find(bound, accountId, request, bounds);
        }),
    }),
  };
}

/** Without them a plan may read the table of all accounts from end to end, or take longer to start than to run. */
const PLANNER: Statement = {
  text: `select ${['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit']
    .map((name) => `set_config('${name}', 'off', true)`)
    .join(', ')}, set_config('max_parallel_workers_per_gather', '0', true)`,
};

async function find(
  sql: Sql,
  accountId: string,
  request: SearchRequest,
  bounds: SearchBounds,
): Promise<SearchResult> {
  const { filters } = request;
  const cells = isCountedByCells(filters)
    ? await countByCells(sql, accountId, filters, bounds.unfolded)
    : null;
  if (cells !== null) return { ...(await findPage(sql, accountId, request)), ...cells };
  const { page, counts, farthest } = await gather(sql, accountId, request, bounds.counted);
  if (counts.count.exact) return { ...page, ...counts };
  return { ...(await findPage(sql, accountId, narrowed(request, farthest))), ...counts };
}

/** Nothing on the page by distance is farther away than the farthest of as many listings that are known to match. */
function narrowed(request: SearchRequest, farthest: number | null): SearchRequest {
  const { filters, sort } = request;
  if (sort !== 'distance' || filters.near === null || farthest === null) return request;
  const near = { ...filters.near, miles: Math.min(filters.near.miles, farthest * 1.000_001) };
  return { ...request, filters: { ...filters, near } };
}

type Page = Pick<SearchResult, 'listings' | 'next'>;

interface PageRow {
  listings: string | null;
  are_current: boolean;
  next: [key: string | null, dedupHash: string] | null;
}

interface GatheredRow extends PageRow {
  total: number;
  facets: [string, string, number][] | null;
  farthest: number | null;
}

/** All that match, if they are not more than `max`: counted, sorted, and the page of them. */
async function gather(sql: Sql, accountId: string, request: SearchRequest, max: number) {
  const { values, bind, order, conditions, position, rows, shown } = parts(accountId, request);
  const where = [...conditions, ...isFoundByWords(accountId, request.filters, bind)].join(' and ');
  const text = `
    with counted as materialized (
      select s.dedup_hash, ${order.key} as key, ${countedColumns(request.filters)} from listing_search s
      where ${where} limit ${max + 1}
    ), first as (
      select dedup_hash, key from counted
      where ${position.keyed('key', 'dedup_hash')} or key is null and ${position.keyless('dedup_hash')}
      order by ${orderBy(order, 'key', 'dedup_hash')} limit ${rows}
    ), page as materialized (
      select *, row_number() over (order by ${orderBy(order, 'key', 'dedup_hash')}) as at from first
    ), total as (
      select count(*)::int as n from counted
    )
    select ${selectPage(order, shown, `(select n from total) <= ${max}`)}, (select n from total) as total,
      ${countFacets(`(select * from counted limit ${max}) c`, request.filters)} as facets,
      ${request.sort === 'distance' ? `(select max(key) from page having count(*) = ${rows})` : 'null'} as farthest`;
  const [row] = await sql.query<GatheredRow>({ text }, values);
  if (!row) throw new Error('the search returned no row');
  const count = { value: Math.min(row.total, max), exact: row.total <= max };
  const counts: CellCounts = { count, facets: toFacets(row.facets), unfolded: 0 };
  return { page: await toPage(row), counts, farthest: row.farthest };
}

/** The page alone, however many match. */
async function findPage(sql: Sql, accountId: string, request: SearchRequest): Promise<Page> {
  const { values, bind, order, conditions, position, rows, shown } = parts(accountId, request);
  const where = [...conditions, ...hasWords(accountId, request.filters, bind)].join(' and ');
  const { key, nullable, direction } = order;
  const select = (condition: string, by: string) => `
        (select s.dedup_hash, ${key} as key from listing_search s where ${where} and ${condition}
        order by ${by} limit ${rows})`;
  const hash = `s.dedup_hash ${direction}`;
  const keyed = select(
    nullable
      ? `${key} is not null and ${position.keyed(key, 's.dedup_hash')}`
      : position.keyed(key, 's.dedup_hash'),
    `${key} ${direction}, ${hash}`,
  );
  const keyless = select(`${key} is null and ${position.keyless('s.dedup_hash')}`, hash);
  const text = `
    with found as materialized (
      ${nullable ? `${keyed} union all ${keyless} limit ${rows}` : keyed}
    ), page as materialized (
      select dedup_hash, key, row_number() over (order by ${orderBy(order, 'key', 'dedup_hash')}) as at from found
    )
    select ${selectPage(order, shown, 'true')}`;
  const [row] = await sql.query<PageRow>({ text }, values);
  if (!row) throw new Error('the search returned no row');
  return toPage(row);
}

function parts(accountId: string, request: SearchRequest) {
  const values: unknown[] = [accountId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const order = toOrder(request, bind);
  const conditions = searchConditions(request.filters, bind);
  const position = toAfter(order, request.after, bind);
  // One more than the page holds tells whether there is another.
  return { values, bind, order, conditions, position, rows: request.limit + 1, shown: request.limit };
}

/** The listings of `page`, and the last of them when more follow. */
const selectPage = (order: Order, shown: number, isShown: string) => `
      (select string_agg(left(l.doc::text, -1) || ',' || substr(${REST}::text, 2), ',' order by p.at)
        from page p join listings l on l.account_id = $1 and l.dedup_hash = p.dedup_hash
        where p.at <= ${shown} and ${isShown}) as listings,
      ${areCurrent('page', `at <= ${shown} and ${isShown}`)} as are_current,
      (select json_build_array(${keyText(order, 'key')}, encode(dedup_hash, 'hex')) from page
        where at = ${shown} and (select count(*) from page) > ${shown}) as next`;

async function toPage({ listings, are_current, next }: PageRow): Promise<Page> {
  return {
    listings: await toCurrentListings(`[${listings ?? ''}]`, are_current),
    next: next === null ? null : { key: next[0], dedupHash: next[1] },
  };
}

/** The members of a listing that stand outside its document. */
const REST = `json_build_object('quality', l.quality, 'images', ${IMAGES}, 'status', l.status, ${TIMES})`;

/** One step along the index for each model, none for its listings. */
const NAMES: Statement = {
  text: `
    with recursive name(make, model) as (
      (select s.make, s.model from listing_search s where s.account_id = $1 order by s.make, s.model limit 1)
      union all
      select next.make, next.model from name, lateral (
        (select s.make, s.model from listing_search s
          where s.account_id = $1 and s.make = name.make and s.model > name.model order by s.model limit 1)
        union all
        (select s.make, s.model from listing_search s
          where s.account_id = $1 and s.make > name.make order by s.make, s.model limit 1)
        limit 1
      ) next
    )
    select make, coalesce(model, '') as model from name limit $2`,
};
