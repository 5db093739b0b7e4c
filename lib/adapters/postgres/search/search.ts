import { writeSyncPoint } from '../../../contract/sync-point.ts';
import type { SearchRequest as AnyRequest, Search, SearchResult } from '../../../ports/search.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { areWordsCommon, countWords, joinConditions } from './search-conditions.ts';
import {
  type CellCounts,
  countByCells,
  countedColumns,
  countFacets,
  isCountedByCells,
  toFacets,
} from './search-counts.ts';
import { isWalked, keyText, orderBy } from './search-order.ts';
import {
  answeredPage,
  type Page,
  type PageRow,
  type SearchRequest,
  searchParts,
  selectPage,
  sortToPage,
  toPage,
  walkToPage,
} from './search-page.ts';

export interface SearchBounds {
  /** Most listings that are counted one by one. */
  counted: number;
  /** Most listings that are read in the order of a page before everything is sorted instead. */
  walked: number;
  /** Most changes beside the facet cells that a search adds up itself. */
  pending: number;
  /** Most makes and models of an account that a query is read by. */
  names: number;
}

export const SEARCH_BOUNDS: SearchBounds = { counted: 2_000, walked: 4_000, pending: 20_000, names: 2_000 };

/**
 * The first statement gathers what matches, up to a bound, by whatever index is narrowest, counts it and sorts it. Only
 * when there is more, the page is taken from the start of the index of its order; and when that start has too few that
 * match, everything that matches is sorted.
 */
export function postgresSearch(sql: Sql, bounds: SearchBounds = SEARCH_BOUNDS): Search {
  return {
    of: (accountId) => ({
      names: () => sql.query(NAMES, [accountId, bounds.names]),
      countWords: (terms) => countWords(sql, accountId, terms, bounds.counted),
      find: (request) => sql.transaction((bound) => find(bound, accountId, request, bounds)),
      findPage: (asked) =>
        sql.transaction(async (bound) => {
          const way = isWalked(asked) ? 'index' : 'table';
          const { syncedUntil, request, planBy } = await begin(bound, accountId, asked, way);
          return { ...(await findPage(bound, accountId, request, bounds, planBy)), syncedUntil };
        }),
    }),
  };
}

/** Without them a plan may read the table of all accounts from end to end, or take longer to start than to run. */
const NEVER = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin', 'jit'];

/**
 * Whether rows are read in the order of an index, page by page of the table at random, or in the order of the table
 * after the index has said which. The planner is often wrong about which is less, because what trucks are like hangs
 * together: nearly all that are new are of the last two model years.
 */
type Way = 'index' | 'table';

const set = (names: readonly string[], value: string) =>
  names.map((name) => `set_config('${name}', '${value}', true)`).join(', ');

const WAYS: Readonly<Record<Way, string>> = {
  index: `${set(['enable_indexscan'], 'on')}, ${set(['enable_bitmapscan'], 'off')}`,
  table: `${set(['enable_indexscan'], 'off')}, ${set(['enable_bitmapscan'], 'on')}`,
};

/** Sets the way for the statements that follow in the transaction. */
type PlanBy = (way: Way) => Promise<void>;

/** Sets how the transaction's statements are planned; returns how far changes are seen from here on, and how words are. */
async function begin(sql: Sql, accountId: string, asked: AnyRequest, way: Way) {
  const first = asked.filters.words === null ? way : 'index';
  const [row] = await sql.query<{ at: string; oldest: string; newest: string }>({
    text: `select ${SYNCED}, ${set(NEVER, 'off')}, ${set(['max_parallel_workers_per_gather'], '0')}, ${WAYS[first]}`,
  });
  if (!row) throw new Error('the settings returned no row');
  let current = first;
  const planBy: PlanBy = async (way) => {
    if (way !== current) await sql.query({ text: `select ${WAYS[way]}` });
    current = way;
  };
  const request: SearchRequest = {
    ...asked,
    newest: row.newest,
    areWordsCommon: await areWordsCommon(sql, accountId, asked.filters),
  };
  return { syncedUntil: writeSyncPoint(row.at, row.oldest), request, planBy };
}

/** The time and the oldest and newest transactions that may be open, as of before the statements that follow. */
const SYNCED = `${keyText({ type: 'timestamptz' }, 'now()')} as at, oldest_open_transaction()::text as oldest,
      pg_snapshot_xmax(pg_current_snapshot())::text as newest`;

async function find(
  sql: Sql,
  accountId: string,
  asked: AnyRequest,
  bounds: SearchBounds,
): Promise<SearchResult> {
  const byCells = isCountedByCells(asked.filters);
  const { syncedUntil, request, planBy } = await begin(sql, accountId, asked, byCells ? 'index' : 'table');
  const cells = byCells ? await countByCells(sql, accountId, request, bounds.pending) : null;
  if (cells !== null)
    return { ...(await findPage(sql, accountId, request, bounds, planBy)), ...cells, syncedUntil };
  await planBy('table');
  const { page, counts, farthest } = await gather(sql, accountId, request, bounds.counted);
  if (counts.count.exact) return { ...page, ...counts, syncedUntil };
  const first = await findPage(sql, accountId, narrowed(request, farthest), bounds, planBy);
  return { ...first, ...counts, syncedUntil };
}

/** The page alone, however many match. */
async function findPage(
  sql: Sql,
  accountId: string,
  request: SearchRequest,
  bounds: SearchBounds,
  planBy: PlanBy,
): Promise<Page> {
  if (isWalked(request)) {
    await planBy('index');
    const page = await walkToPage(sql, accountId, request, bounds.walked);
    if (page !== null) return page;
  }
  await planBy('table');
  return sortToPage(sql, accountId, request);
}

/** Nothing on the page by distance is farther away than the farthest of as many listings that are known to match. */
function narrowed(request: SearchRequest, farthest: number | null): SearchRequest {
  const { filters, sort } = request;
  if (sort !== 'distance' || filters.near === null || farthest === null) return request;
  const near = { ...filters.near, miles: Math.min(filters.near.miles, farthest * 1.000_001) };
  return { ...request, filters: { ...filters, near } };
}

interface GatheredRow extends PageRow {
  total: number;
  facets: [string, string, number][] | null;
  farthest: number | null;
}

/** All that match, if they are not more than `max`: counted, sorted, and the page of them. */
async function gather(sql: Sql, accountId: string, request: SearchRequest, max: number) {
  const { values, order, conditions, words, position, rows } = searchParts(accountId, request);
  const text = `
    with counted as materialized (
      select s.dedup_hash, ${order.key} as key, ${countedColumns(request.filters)} from listing_search s
      where ${joinConditions(conditions, ...words)} limit ${max + 1}
    ), first as (
      select dedup_hash, key from counted
      where ${position.keyed('key', 'dedup_hash')} or key is null and ${position.keyless('dedup_hash')}
      order by ${orderBy(order, 'key', 'dedup_hash')} limit ${rows}
    ), page as materialized (
      select *, row_number() over (order by ${orderBy(order, 'key', 'dedup_hash')}) as at from first
    ), total as (
      select count(*)::int as n from counted
    ), ${answeredPage(request, `(select n from total) <= ${max}`)}
    select ${selectPage(order)}, (select n from total) as total,
      ${countFacets(`(select * from counted limit ${max}) c`, request.filters)} as facets,
      ${request.sort === 'distance' ? `(select max(key) from page having count(*) = ${rows})` : 'null'} as farthest`;
  const [row] = await sql.query<GatheredRow>({ text }, values);
  if (!row) throw new Error('the search returned no row');
  const count = { value: Math.min(row.total, max), exact: row.total <= max };
  const counts: CellCounts = { count, facets: toFacets(row.facets), pending: 0 };
  return { page: await toPage(row), counts, farthest: row.farthest };
}

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
