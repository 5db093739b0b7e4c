import type { Sql, Statement } from '../../db/sql.ts';
import type { FacetName } from '../../truck/record/record.ts';
import type { SearchPosition, SearchRequest } from '../request.ts';
import { writeSyncPoint } from '../sync-point.ts';
import { timeText } from './search-order.ts';
import { searchStatement } from './search-statement.ts';

/** Most matches that are counted. */
const MAX_COUNTED = 10_000;
/** Most makes and models of an account that a query is read by. */
const MAX_NAMES = 2_000;

/** Makes and models of the account's listings, up to a bound; model '' where a make has none that is known. */
export const readNames = (db: Sql, accountId: string) =>
  db.query<{ make: string; model: string }>(NAMES, [accountId, MAX_NAMES]);

interface SearchRow {
  listings: string | null;
  are_current: boolean;
  /** The last listing of the page when more follow. */
  next: SearchPosition | null;
  total: number;
  /** A price is the number of its band (price-bands.ts). */
  facets: [facet: FacetName, value: string, count: number][] | null;
}

/** A page of one account's listings, as JSON array text; sees every write that has ended. */
export async function findPage(db: Sql, accountId: string, request: SearchRequest, cap = MAX_COUNTED) {
  const { text, values } = searchStatement(accountId, request, cap);
  const [row] = await db.query<SearchRow>({ text }, values);
  if (!row) throw new Error('the search returned no row');
  return {
    listings: await toCurrentListings(`[${row.listings ?? ''}]`, row.are_current),
    next: row.next,
    /** Not exact: there are more than that. */
    count: { value: Math.min(row.total, cap), exact: row.total <= cap },
    facets: row.facets ?? [],
  };
}

export type SearchResult = Awaited<ReturnType<typeof findPage>>;

/**
 * Reads how far a search that begins later sees changes: everything that it cannot see is found by `syncedUntil`, as
 * `synced_until` on the wire. `newest` is the first transaction that is not found by its number.
 */
export async function readMoment(db: Sql) {
  const [now] = await db.query<{ at: string; oldest: string; newest: string }>(NOW);
  if (!now) throw new Error('the time returned no row');
  return { syncedUntil: writeSyncPoint(now.at, now.oldest), newest: now.newest };
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
async function toCurrentListings(json: string, isCurrent: boolean) {
  if (isCurrent) return json;
  const { projectListing } = await import('../../truck/listing/project-listing.ts');
  const listings: Parameters<typeof projectListing>[0][] = JSON.parse(json);
  return JSON.stringify(listings.map((listing) => projectListing(listing)));
}

/** Reads the distinct models by jumping along the index. */
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
