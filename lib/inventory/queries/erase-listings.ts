import { lockTimeout, selectLocked } from '../../db/fragments.ts';
import type { Sql, Statement } from '../../db/sql.ts';

/** What is to be erased, and by which request. */
interface Erasure {
  vin: string;
  /** Narrows it to one provider’s listing; '': the listing without a provider. */
  sourceProviderId: string | null;
  /** Narrows it to one dealer’s listings. */
  dealer: string | null;
  requestId: string;
  /** Key or person, for the audit. */
  actor: string;
}

/** Erases the listings of a VIN with their history, and the images that no other listing of the account names; returns how many. */
export function eraseListings(sql: Sql, accountId: string, erasure: Erasure): Promise<number> {
  const { vin, sourceProviderId, requestId, dealer, actor } = erasure;
  return sql.transaction(async (bound) => {
    const values = [accountId, vin, sourceProviderId, requestId, dealer, actor];
    const [erased] = await bound.query<{ listings: number; urls: string[] }>(ERASE, values);
    if (!erased) throw new Error('the erasure returned no row');
    if (erased.urls.length > 0) await bound.query(FORGET_IMAGES, [accountId, JSON.stringify(erased.urls)]);
    return erased.listings;
  }, 'ingest');
}

const deleteFrom = (table: string) =>
  `delete from ${table} d using target t where d.account_id = $1 and d.dedup_hash = t.dedup_hash`;

const ERASE: Statement = {
  text: `
    with ${lockTimeout('5s')}, target as materialized (${selectLocked(`
      select l.dedup_hash, l.images from lock_timeout, listings l
      where l.account_id = $1 and l.vin = $2 and l.version > 0 and ($3::text is null or l.source_provider_id = $3)
        and ($5::text is null or l.dealer = $5)
      order by l.dedup_hash for update of l`)}
    ), erased as (
      ${deleteFrom('listings')}
    ), searched as (
      ${deleteFrom('listing_search')}
    ), worded as (
      ${deleteFrom('listing_words')}
    ), logged as (
      ${deleteFrom('listing_events')}
    ), unqueued as (
      delete from jobs j using target t
      where j.account_id = $1 and j.kind = 'photos' and j.key = encode(t.dedup_hash, 'hex')
    ), issues_closed as (
      delete from issues i where i.account_id = $1 and i.vin = $2 and ($5::text is null or i.dealer = $5)
    ), audited as (
      insert into audit (action, target, request_id, detail, account_id, actor)
      select 'listing.erase', $1, $4, jsonb_build_object('vin', $2::text, 'listings', count(*)), $1, $6
      from target having count(*) > 0
    )
    select count(*)::int as listings, coalesce((
        select json_agg(distinct named.url) from target, json_array_elements_text(target.images) as named(url)), '[]') as urls
    from target`,
};

/** Their bytes are no longer served; housekeeping removes them from the object store. */
const FORGET_IMAGES: Statement = {
  text: `
    with urls as materialized (
      select json_array_elements_text($2::json) as url
    ), named as materialized (
      select distinct n.url from listings l cross join lateral json_array_elements_text(l.images) as n(url)
      where l.account_id = $1 and n.url in (select url from urls)
    ), sources as (
      delete from image_sources s where s.account_id = $1
        and s.url_hash in (select sha256(convert_to(url, 'UTF8')) from urls where url not in (select url from named))
      returning s.url_hash, s.image_hash
    )
    update stored_images i set unused_since = now()
    where i.account_id = $1 and i.hash in (select image_hash from sources)
      and not exists (select 1 from image_sources o where o.account_id = $1 and o.image_hash = i.hash
        and o.url_hash not in (select url_hash from sources))`,
};
