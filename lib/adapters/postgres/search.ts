import { FACETS, SEARCH_LIMITS } from '../../contract/search.ts';
import type { Search, SearchRequest, SearchResult } from '../../ports.ts';
import { IMAGES, TIMES } from './listing-json.ts';
import { LIVE_COLUMNS, liveCounts, NAMES_OF_COUNTS, storedCounts } from './search-facets.ts';
import { type Bind, conditionsOf, tsqueryOf } from './search-filters.ts';
import { type After, afterPosition, keyText, type Order, orderBy, orderOf } from './search-order.ts';
import type { Sql, Statement } from './sql.ts';

/** Where exact work ends. */
export interface SearchBounds {
  /** Most listings that are gathered to be counted, sorted and paged one by one. */
  gathered: number;
  /** A search that the sample expects to find more than this is not gathered at all. */
  expected: number;
  /** Most hits taken from the sample. */
  sampled: number;
  /** Most rows of the sample whose words are looked up. */
  read: number;
  /** Most appended facet changes that a search adds up itself. */
  unfolded: number;
}

export const SEARCH_BOUNDS: SearchBounds = {
  gathered: 10_000,
  expected: 6_000,
  sampled: 5_000,
  read: 3_000,
  unfolded: 20_000,
};

/**
 * Page, count and facets by one statement, planned for its own values: it is never prepared.
 *
 * Counting comes first and decides how the page is found. Few listings are gathered by whatever index finds them and
 * then sorted; many are met soon enough by walking the index of the order. What the cells answer (status, make, model)
 * is counted there; for everything else a run of the sample index tells few from many, and what many are.
 */
export function postgresSearch(sql: Sql, bounds: SearchBounds = SEARCH_BOUNDS): Search {
  return {
    of: (accountId) => ({
      names: () => sql.query(NAMES_OF_COUNTS, [accountId, bounds.unfolded]),
      async find(request) {
        const counted = isCounted(request) ? await run(sql, accountId, request, bounds, 'cells') : null;
        if (counted !== null && counted.unfolded <= bounds.unfolded) return counted;
        return run(sql, accountId, request, bounds, 'sample');
      },
    }),
  };
}

/** True when nothing is asked for but what the cells are kept by. */
function isCounted({ filters: { status: _, make: __, model: ___, ...rest } }: SearchRequest): boolean {
  return Object.values(rest).every((filter) => filter === null);
}

type Source = 'cells' | 'sample';

interface Row {
  listings: string | null;
  total: number;
  exact: boolean;
  facets: [string, string, number][] | null;
  next_key: string | null;
  next_hash: string | null;
  unfolded: number;
}

async function run(
  sql: Sql,
  accountId: string,
  request: SearchRequest,
  bounds: SearchBounds,
  source: Source,
): Promise<SearchResult> {
  const { statement, values } = searchStatement(accountId, request, bounds, source);
  const [row] = await sql.query<Row>(statement, values);
  if (!row) throw new Error('the search answered no row');
  const facets = (row.facets ?? []).flatMap(([name, value, count]) => {
    const facet = FACETS.find((known) => known === name);
    return facet === undefined ? [] : [[facet, value, count] as const];
  });
  return {
    listings: `[${row.listings ?? ''}]`,
    count: { value: row.total, exact: row.exact },
    facets,
    next: row.next_hash === null ? null : { key: row.next_key, dedupHash: row.next_hash },
    unfolded: row.unfolded,
  };
}

function searchStatement(accountId: string, request: SearchRequest, bounds: SearchBounds, source: Source) {
  const values: unknown[] = [accountId];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const { filters, limit } = request;
  const status = `s.status = any(${bind(filters.status)}::text[])`;
  const conditions = conditionsOf(filters, bind);
  const query =
    filters.words === null ? null : `to_tsquery('simple', ${bind(tsqueryOf(filters.words))}::text)`;
  const order = orderOf(request, bind);
  const position = afterPosition(order, request.after, bind);
  const rows = bind(limit + 1);
  const shown = bind(limit);
  const parts = { bind, bounds, filters, status, conditions, query, order, position, rows };
  const facetValues = SEARCH_LIMITS.facetValues;

  const text = `
    with ${source === 'cells' ? storedCounts(parts) : sampleOf(parts)},
    few as materialized (
      select s.dedup_hash, ${order.key} as key, ${LIVE_COLUMNS}
      from listing_search s${query === null ? '' : ' join listing_words w on w.account_id = $1 and w.dedup_hash = s.dedup_hash'}
      where s.account_id = $1 and ${[status, ...conditions, ...(query === null ? [] : [`w.words @@ ${query}`])].join(' and ')}
        and (select expected <= ${bounds.expected} from size)
      limit ${bounds.gathered + 1}
    ), way as materialized (
      select expected, expected > ${bounds.expected} as many,
        expected > ${bounds.expected} or (select count(*) from few) > ${bounds.gathered} as walked,
        (select count(*)::int from few) as gathered
      from size
    ), page as (
      (select dedup_hash, key from few f where not (select walked from way) and ${gatheredAfter(order, position)}
        order by ${orderBy(order, 'key', 'dedup_hash')} limit ${rows})
      ${walks(parts).join('\n      ')}
    ), numbered as (
      select dedup_hash, key, row_number() over (order by ${orderBy(order, 'key', 'dedup_hash')}) as at
      from page order by at limit ${rows}
    ), ${source === 'cells' ? 'counts as (select facet, value, n from cells)' : liveCounts(bounds, filters.make !== null)},
    told as (
      select facet, value, n, row_number() over (partition by facet order by n desc, value) as place from counts
    )
    select
      (select string_agg(left(l.doc::text, -1) || ',' || substr(${REST}::text, 2), ',' order by p.at)
        from numbered p join listings l on l.account_id = $1 and l.dedup_hash = p.dedup_hash
        where p.at <= ${shown}) as listings,
      ${source === 'cells' ? CELLS_TOTAL : sampleTotal(bounds)},
      (select json_agg(json_build_array(facet, value, n) order by n desc, value) from told
        where place <= ${facetValues}) as facets,
      (select ${keyText(order, 'key')} from numbered where at = ${shown} and ${moreThan(shown)}) as next_key,
      (select encode(dedup_hash, 'hex') from numbered where at = ${shown} and ${moreThan(shown)}) as next_hash,
      ${source === 'cells' ? '(select count(*)::int from unfolded)' : '0'} as unfolded`;
  return { statement: { text } satisfies Statement, values };
}

export interface Parts {
  bind: Bind;
  bounds: SearchBounds;
  filters: SearchRequest['filters'];
  status: string;
  conditions: string[];
  query: string | null;
  order: Order;
  position: After;
  /** Placeholder of one more than the page holds. */
  rows: string;
}

const moreThan = (shown: string) => `(select count(*) from numbered) > ${shown}`;

const CELLS_TOTAL = `(select expected::int from size) as total, true as exact`;
const sampleTotal = ({ gathered }: SearchBounds) => `
      (select case when not walked then gathered when many then round(expected)::int
        else greatest(round(expected)::int, ${gathered}) end from way) as total,
      (select not walked from way) as exact`;

/**
 * How many to expect: hits among a run of the sample, by the share of all hashes that the run covers. The run ends
 * when it has seen enough, so that a broad search reads little more than a narrow one.
 */
function sampleOf({ status, conditions, query, bounds }: Parts): string {
  const run = query === null ? bounds.sampled : bounds.read;
  return `
    run as materialized (
      select s.dedup_hash, ${LIVE_COLUMNS} from listing_search s
      where s.account_id = $1 and get_byte(s.dedup_hash, 0) < 16 and ${[status, ...conditions].join(' and ')}
      order by s.dedup_hash limit ${run}
    ), sample as materialized (
      select run.* from run${query === null ? '' : ` where (select w.words @@ ${query} from listing_words w where w.account_id = $1 and w.dedup_hash = run.dedup_hash)`}
    ), covered as materialized (
      select case when (select count(*) from run) < ${run} then 0.0625
        else (select (get_byte(h, 0) + (get_byte(h, 1) + (get_byte(h, 2) + 1) / 256.0) / 256.0) / 256.0
          from (select dedup_hash as h from run order by dedup_hash desc limit 1) last) end::float8 as share
    ), size as materialized (
      select (select count(*) from sample) / share as expected from covered
    )`;
}

/** The gathered rows after a position. */
function gatheredAfter(order: Order, { present, absent }: After): string {
  const missing = `(f.key is null and ${absent('f.dedup_hash')})`;
  if (present === null) return missing;
  const there = present('f.key', 'f.dedup_hash');
  return order.nullable ? `(${there} or ${missing})` : there;
}

/**
 * One walk along the order's index for each status, and for listings without a key. A condition that `is true` can
 * use no index, which leaves the planner none but the order's.
 */
function walks({ bind, filters, conditions, query, order, position, rows }: Parts): string[] {
  const hidden = [
    ...conditions,
    ...(query === null
      ? []
      : [
          `(select w.words @@ ${query} from listing_words w where w.account_id = $1 and w.dedup_hash = s.dedup_hash)`,
        ]),
  ].map((condition) => `(${condition}) is true`);
  return filters.status.flatMap((status) => {
    const own = `s.account_id = $1 and s.status = ${bind(status)}::text`;
    const walk = (more: string[], by: string) =>
      `union all (select s.dedup_hash, ${order.key} as key from listing_search s
        where ${[own, ...hidden, ...more, '(select walked from way)'].join(' and ')} order by ${by} limit ${rows})`;
    const { direction, key, nullable } = order;
    const there = position.present?.(key, 's.dedup_hash');
    return [
      ...(there === undefined
        ? []
        : [
            walk(
              [...(nullable ? [`${key} is not null`] : []), there],
              `${key} ${direction}, s.dedup_hash ${direction}`,
            ),
          ]),
      ...(nullable
        ? [walk([`${key} is null`, position.absent('s.dedup_hash')], `s.dedup_hash ${direction}`)]
        : []),
    ];
  });
}

/** The members of a listing that stand outside its document. */
const REST = `json_build_object('images', ${IMAGES}, 'status', l.status, ${TIMES})`;
