import { maxStored } from '../../accounts/access.ts';
import { HOME, lockTimeout, selectLocked } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';
import type { ListingStatus } from '../../truck/fields.ts';
import { CHANGED_NOW } from './search-row.ts';

/**
 * What follows when listings of account $1 turn to a status: search rows and history, as common table
 * expressions after `changed` (dedup_hash, version, price, was). `status`: a literal, or a column of `changed c`; `event`:
 * what the history calls it.
 */
export const followsStatus = (
  status: string,
  event = `case when ${status} = 'available' then 'relisted' else ${status} end`,
  runNo = 'null::bigint',
) => `searched as (
      update listing_search s set status = ${status}, ${CHANGED_NOW} from changed c
      where s.account_id = $1 and s.dedup_hash = c.dedup_hash
    ), logged as (
      insert into listing_events (account_id, dedup_hash, version, kind, at, old_price, new_price, run_no)
      select home.account_id, c.dedup_hash, c.version, ${event}, now(), c.price, c.price, ${runNo}
      from ${HOME}, changed c
    )`;

export interface StatusChange {
  vin: string;
  /** Narrows the change to one provider's listing; '': the listing without a provider. */
  sourceProviderId: string | null;
  status: ListingStatus;
}

export interface KnownStatus {
  vin: string;
  sourceProviderId: string;
  status: ListingStatus;
  /** It stays delisted: the account has as many listings as it may. */
  isRefused: boolean;
}

/**
 * Gives the listings of these VINs the status of the last change that names them, in one statement. Returns all of these
 * VINs as they were before, the freshest first; those that no change names are not locked. `dealer` narrows it to one dealer’s listings.
 */
export function setStatuses(
  sql: Sql,
  accountId: string,
  changes: readonly StatusChange[],
  dealer: string | null,
): Promise<KnownStatus[]> {
  const rows = changes.map(({ vin, sourceProviderId: p, status: s }, n) => ({ n, vin, p, s }));
  return sql.query(SET_STATUSES, [accountId, JSON.stringify(rows), dealer]);
}

/**
 * A listing is written once, with the last of the statuses that name it; that it was sold on the way is kept. What a
 * listing was is read from the locked row: the statement's snapshot may be older. What was delisted is for sale again as far
 * as the account has room; that it was sold is always kept.
 */
const SET_STATUSES: Statement = {
  timeout: 'ingest',
  text: `
    with ${lockTimeout('5s')}, wanted as materialized (
      select r.* from lock_timeout, json_to_recordset($2::json) as r(n int, vin text, p text, s text)
    ), target as materialized (${selectLocked(`
      select l.dedup_hash, l.vin, l.source_provider_id as provider, l.status, l.observed_at from listings l
      where l.account_id = $1 and l.vin = any((select array_agg(vin) from wanted)::text[]) and l.version > 0
        and ($3::text is null or l.dealer = $3)
        and exists (select 1 from wanted w where w.vin = l.vin and (w.p is null or w.p = l.source_provider_id))
      order by l.dedup_hash for update of l`)}
    ), turned as (
      select distinct on (t.dedup_hash) t.dedup_hash, t.status as was, w.s as status, now() as at,
        clock_timestamp() as seen_at, bool_or(w.s = 'sold') over (partition by t.dedup_hash) as is_sold
      from target t join wanted w on w.vin = t.vin and (w.p is null or w.p = t.provider)
      order by t.dedup_hash, w.n desc
    ), refused as (
      select dedup_hash from (
        select dedup_hash, row_number() over (order by dedup_hash) as place from turned
        where was = 'delisted' and status = 'available') back
      where place > (select ${maxStored('listings', '$1')} - (
        select count(*) from listing_search where account_id = $1 and status <> 'delisted'))
    ), changed as (
      update listings l set status = t.status, version = l.version + 1, input_hash = null,
        observed_at = t.seen_at, outdated = false, updated_at = t.at,
        sold_at = case when t.status = 'available' then null when t.is_sold and t.was <> 'sold' then t.at
          else l.sold_at end,
        delisted_at = case when t.status = 'delisted' then t.at end
      from turned t
      where l.account_id = $1 and l.dedup_hash = t.dedup_hash and t.was <> t.status
        and t.dedup_hash not in (select dedup_hash from refused)
      returning l.dedup_hash, l.version, l.price, t.was, t.status
    ), ${followsStatus('c.status')}, issues_closed as (
      delete from issues i using wanted w
      where i.account_id = $1 and i.vin = w.vin and w.s <> 'available' and ($3::text is null or i.dealer = $3)
    )
    select vin, provider as "sourceProviderId", status, dedup_hash in (select dedup_hash from refused) as "isRefused"
    from (
      select * from target
      union all
      select l.dedup_hash, l.vin, l.source_provider_id, l.status, l.observed_at from listings l
      where l.account_id = $1 and l.vin = any((select array_agg(vin) from wanted)::text[]) and l.version > 0
        and ($3::text is null or l.dealer = $3) and l.dedup_hash not in (select dedup_hash from target)
    ) known order by observed_at desc, dedup_hash`,
};
