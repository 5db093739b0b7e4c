import { FACETS, SEARCH_LIMITS } from '../../../contract/search.ts';
import type { Search, SearchRequest, SearchResult } from '../../../ports/search.ts';
import type { Sql, Statement } from '../connection/sql.ts';
import { areCurrent, toCurrentListings } from '../listings/current-listings.ts';
import { IMAGES, TIMES } from '../listings/listing-json.ts';
import { LIVE_COLUMNS, liveCounts, NAMES_OF_COUNTS, storedCounts } from './search-facets.ts';
import { type Bind, type Condition, conditionsOf, oneOf, priceSteps, tsqueryOf } from './search-filters.ts';
import { type After, afterPosition, keyText, type Order, orderBy, orderOf } from './search-order.ts';
import { hidden, partsOf, texts, walks } from './search-walks.ts';

/** Where exact work ends. */
export interface SearchBounds {
  /** Most listings that are gathered to be counted, sorted and paged one by one; fewer when found by words. */
  gathered: number;
  gatheredByWords: number;
  /** A search that the sample expects to find more than this is not gathered at all. */
  expected: number;
  expectedByWords: number;
  /** Most hits taken from the sample. */
  sampled: number;
  /** Most rows of the sample whose words are looked up, to tell few from many and then to count many. */
  probed: number;
  read: number;
  /** Most appended facet changes that a search adds up itself. */
  unfolded: number;
}

export const SEARCH_BOUNDS: SearchBounds = {
  gathered: 4_000,
  gatheredByWords: 2_000,
  expected: 2_500,
  expectedByWords: 6_000,
  sampled: 2_000,
  probed: 1_500,
  read: 5_000,
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

export type Source = 'cells' | 'sample';

interface Row {
  listings: string | null;
  areCurrent: boolean;
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
    listings: await toCurrentListings(`[${row.listings ?? ''}]`, row.areCurrent),
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
  const status = oneOf('s.status', filters.status, 'text', bind);
  const conditions = conditionsOf(filters, bind);
  const [expected, gathered] = mostGathered(filters, bounds);
  const query =
    filters.words === null ? null : `to_tsquery('simple', ${bind(tsqueryOf(filters.words))}::text)`;
  const order = orderOf(request, bind);
  const position = afterPosition(order, request.after, bind);
  const rows = bind(limit + 1);
  const shown = bind(limit);
  const statusAt = filters.status.map((value) => bind(value));
  const parts = { bind, bounds, filters, status, statusAt, conditions, query, order, position, rows };
  const walked = walks(parts, source);
  const facetValues = SEARCH_LIMITS.facetValues;

  const text = `
    with recursive ${partsOf(parts)}
    ${source === 'cells' ? storedCounts(parts) : probeOf(parts)},
    few as materialized (
      select s.dedup_hash, ${order.key} as key, ${LIVE_COLUMNS}
      from listing_search s${query === null ? '' : ' join listing_words w on w.account_id = $1 and w.dedup_hash = s.dedup_hash'}
      where s.account_id = $1 and ${[status, ...conditions.map(({ text }) => text), ...priceSteps(filters, bind), ...(query === null ? [] : [`w.words @@ ${query}`])].join(' and ')}
        and (select expected <= ${expected} from size)
      limit ${gathered + 1}
    ), way as materialized (
      select expected, expected > ${expected} as many,
        expected > ${expected} or (select count(*) from few) > ${gathered} as walked,
        (select count(*)::int from few) as gathered
      from size
    ), ${source === 'cells' ? '' : `${sampleOf(parts)},`}
    keyed as materialized (
      (select dedup_hash, key from few f where not (select walked from way) and ${gatheredAfter(order, position)}
        order by ${orderBy(order, 'key', 'dedup_hash')} limit ${rows})
      ${walked.keyed.join('\n      ')}
    ), page as (
      select dedup_hash, key from keyed
      ${walked.keyless.join('\n      ')}
    ), numbered as (
      select dedup_hash, key, row_number() over (order by ${orderBy(order, 'key', 'dedup_hash')}) as at
      from page order by at limit ${rows}
    ), ${source === 'cells' ? 'counts as (select facet, value, n from cells)' : liveCounts(gathered, filters.make !== null)},
    told as (
      select facet, value, n, row_number() over (partition by facet order by n desc, value) as place from counts
    )
    select
      (select string_agg(left(l.doc::text, -1) || ',' || substr(${REST}::text, 2), ',' order by p.at)
        from numbered p join listings l on l.account_id = $1 and l.dedup_hash = p.dedup_hash
        where p.at <= ${shown}) as listings,
      ${areCurrent('numbered', `at <= ${shown}`)} as "areCurrent",
      ${source === 'cells' ? CELLS_TOTAL : sampleTotal(gathered)},
      (select json_agg(json_build_array(facet, value, n) order by n desc, value) from told
        where place <= ${facetValues}) as facets,
      (select ${keyText(order, 'key')} from numbered where at = ${shown} and ${moreThan(shown)}) as next_key,
      (select encode(dedup_hash, 'hex') from numbered where at = ${shown} and ${moreThan(shown)}) as next_hash,
      ${source === 'cells' ? '(select count(*)::int from unfolded)' : '0'} as unfolded`;
  return { statement: { text } satisfies Statement, values };
}

/** More where an index finds nearly nothing but the hits, most where a walk would have to go along the lots of all makes. */
function mostGathered(
  filters: SearchRequest['filters'],
  bounds: SearchBounds,
): [expected: number, most: number] {
  if (filters.words !== null) return [bounds.expectedByWords, bounds.gatheredByWords];
  const { make, model, body_type, state, dealer, near } = filters;
  const told = [make && model, body_type && (make ?? state), dealer, near].some((filter) => filter !== null);
  const times = !told ? 1 : make !== null ? 1.25 : 2.4;
  return [Math.ceil(bounds.expected * times), Math.ceil(bounds.gathered * times)];
}

export interface Parts {
  bind: Bind;
  bounds: SearchBounds;
  filters: SearchRequest['filters'];
  status: string;
  /** Placeholder of each status. */
  statusAt: readonly string[];
  conditions: Condition[];
  query: string | null;
  order: Order;
  position: After;
  /** Placeholder of one more than the page holds. */
  rows: string;
}

const moreThan = (shown: string) => `(select count(*) from numbered) > ${shown}`;

const CELLS_TOTAL = `(select expected::int from size) as total, true as exact`;
const sampleTotal = (gathered: number) => `
      (select case when many then greatest(1, round((select count(*) from sample) / share))::int
        when walked then greatest(round(expected)::int, ${gathered}) else gathered end
        from way, rest_end) as total,
      (select not walked from way) as exact`;

/** Whether the listing of a row has the words. */
export const hasWords = (query: string, row: string) =>
  `(select w.words @@ ${query} from listing_words w where w.account_id = $1 and w.dedup_hash = ${row}.dedup_hash)`;

/** What the indexes for few begin with. Hidden, so that none of them is taken for the sample's, which alone needs no table. */
const LEADERS = new Set(
  ['make', 'body_type', 'state', 'dealer', 'fuel_type', 'cell'].map((name) => `s.${name}`),
);

/**
 * A run of the sample index in the order of the hashes, which is random, up to `to`: rows `name`, and in `name_end` how
 * far it came, as a hash and as a share of all hashes.
 */
function runOf(
  name: string,
  { status, conditions, query, order }: Parts,
  { to, share, most, only }: { to: string; share: number; most: number; only: string },
): string {
  const isLed = ({ column }: Condition) => LEADERS.has(column);
  const judged = [
    ...texts(conditions.filter((condition) => !isLed(condition))),
    ...hidden([...texts(conditions.filter(isLed)), status]),
  ];
  return `
    ${name}_read as materialized (
      select s.dedup_hash, ${order.key} as key, ${LIVE_COLUMNS} from listing_search s
      where s.account_id = $1 and get_byte(s.dedup_hash, 0) < 8 and s.dedup_hash < '\\x${to}' and ${only}
        and ${judged.join(' and ')}
      order by s.dedup_hash limit ${most}
    ), ${name}_end as materialized (
      select '\\x${to}'::bytea as at, ${share}::float8 as share where (select count(*) from ${name}_read) < ${most}
      union all
      (select h, ((get_byte(h, 0) + (get_byte(h, 1) + (get_byte(h, 2) + 1) / 256.0) / 256.0) / 256.0)::float8
        from (select dedup_hash as h from ${name}_read order by dedup_hash desc) last
        where (select count(*) from ${name}_read) >= ${most} limit 1)
    ), ${name} as materialized (
      select r.* from ${name}_read r${query === null ? '' : ` where ${hasWords(query, 'r')}`}
    )`;
}

/** How many to expect: hits among a short run of the sample, by the share of all hashes that it covers. */
function probeOf(parts: Parts): string {
  const { bounds, query } = parts;
  const most = query === null ? Math.ceil(bounds.sampled / 4) : bounds.probed;
  return `${runOf('probe', parts, { to: '04', share: 1 / 64, most, only: 'true' })},
    size as materialized (
      select (select count(*) from probe) / share as expected from probe_end
    )`;
}

/** What many are: the run goes on where the probe ended, only when they are many. */
function sampleOf(parts: Parts): string {
  const { bounds, query } = parts;
  const most = query === null ? Math.ceil(bounds.sampled * 0.75) : bounds.read;
  const only = '(select many from way) and s.dedup_hash > (select at from probe_end)';
  return `${runOf('rest', parts, { to: '08', share: 1 / 32, most, only })},
    sample as materialized (
      select * from probe where (select many from way) union all select * from rest
    ), bound as materialized (
      ${boundOf(parts)}
    )`;
}

/**
 * The key up to which hits that are known already, sampled or gathered before there were too many, fill a page: nothing
 * beyond it can be on the page.
 */
function boundOf({ order, position, rows }: Parts): string {
  if (position.present === null) return `select null::${order.type} as key, null::bytea as hash`;
  return `select f.key, f.dedup_hash as hash from (
        select key, dedup_hash from sample union all select key, dedup_hash from few where (select walked from way)
      ) f where f.key is not null and ${position.present('f.key', 'f.dedup_hash')}
      order by ${orderBy(order, 'f.key', 'f.dedup_hash')} limit 1 offset ${rows} - 1`;
}

/** The gathered rows after a position. */
function gatheredAfter(order: Order, { present, absent }: After): string {
  const missing = `(f.key is null and ${absent('f.dedup_hash')})`;
  if (present === null) return missing;
  const there = present('f.key', 'f.dedup_hash');
  return order.nullable ? `(${there} or ${missing})` : there;
}

/** The members of a listing that stand outside its document. */
const REST = `json_build_object('quality', l.quality, 'images', ${IMAGES}, 'status', l.status, ${TIMES})`;
