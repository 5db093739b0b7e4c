import type { Sql, Statement } from '../../db/sql.ts';
import type { Search, SearchRequest, SearchResult } from '../port.ts';
import { writeSyncPoint } from '../sync-point.ts';
import { countWords } from './search-conditions.ts';
import { timeText } from './search-order.ts';
import { searchStatement } from './search-statement.ts';

/** Most matches that are counted. */
const COUNTED = 10_000;
/** Most makes and models of an account that a query is read by. */
const MAX_NAMES = 2_000;

export function postgresSearch(sql: Sql, cap: number = COUNTED): Search {
  return {
    of: (accountId) => ({
      names: () => sql.query(NAMES, [accountId, MAX_NAMES]),
      countWords: (terms) => countWords(sql, accountId, terms, cap),
      find: (request) => find(sql, accountId, request, cap),
    }),
  };
}

interface SearchRow {
  listings: string | null;
  are_current: boolean;
  next: [key: string, dedupHash: string] | null;
  total: number;
  facets: SearchResult['facets'] | null;
}

async function find(sql: Sql, accountId: string, request: SearchRequest, cap: number): Promise<SearchResult> {
  const [now] = await sql.query<{ at: string; oldest: string; newest: string }>(NOW);
  if (!now) throw new Error('the time returned no row');
  const { text, values } = searchStatement(accountId, request, now.newest, cap);
  const [row] = await sql.query<SearchRow>({ text }, values);
  if (!row) throw new Error('the search returned no row');
  return {
    listings: await toCurrentListings(`[${row.listings ?? ''}]`, row.are_current),
    next: row.next === null ? null : { key: row.next[0], dedupHash: row.next[1] },
    syncedUntil: writeSyncPoint(now.at, now.oldest),
    count: { value: Math.min(row.total, cap), exact: row.total <= cap },
    facets: row.facets ?? [],
  };
}

/**
 * The time, and the oldest and the newest transaction that may be open. In a statement of its own before the search, so that
 * all it names is open or over for the search as well; on a cluster it is the coordinator that counts transactions.
 */
const NOW: Statement = {
  text: `select ${timeText('now()')} as at, oldest_open_transaction()::text as oldest,
    pg_snapshot_xmax(pg_current_snapshot())::text as newest`,
};

/** As the present record table has them; nearly always they are of it and pass as they lie. */
async function toCurrentListings(json: string, isCurrent: boolean): Promise<string> {
  if (isCurrent) return json;
  const { projectListing } = await import('../../truck/listing/project-listing.ts');
  const listings: Parameters<typeof projectListing>[0][] = JSON.parse(json);
  return JSON.stringify(listings.map((listing) => projectListing(listing)));
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
