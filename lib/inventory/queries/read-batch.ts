import { maxStored } from '../../accounts/access.ts';
import { prepared, type Sql } from '../../db/sql.ts';
import { OPEN_ISSUES } from '../../issues/queries.ts';
import type {
  AccountState,
  ElsewhereListing,
  ListingLookup,
  RecordSource,
} from '../../pipeline/batch/stored-listings.ts';
import type { StoredListing } from '../../truck/listing/listing-change.ts';
import type { ListingDoc } from '../../truck/listing/truck.ts';
import { RECORD_VERSION } from './record-version.ts';

/** What is stored of the records about to be written. */
export async function readBatch(
  sql: Sql,
  accountId: string,
  requests: readonly ListingLookup[],
  source: RecordSource | null,
): Promise<AccountState> {
  const rows = JSON.stringify(requests.map((record, place) => ({ ...record, place })));
  const [row] = await sql.query<ReadRow>(READ, [accountId, rows, source?.id ?? null]);
  if (!row) throw new Error('the read answered no row');
  const stored = row.listings.map((listing) => toStored(listing, requests));
  return {
    now: row.now,
    onlyDealer: row.only_dealer,
    hasSeveralDealers: row.several_dealers,
    dealers: new Map(row.dealers.map(([slug, city, state, zip]) => [slug, { city, state, zip }])),
    listings: new Map(stored.map((listing) => [listing.dedupHash, listing])),
    elsewhere: Map.groupBy(row.elsewhere ?? [], ({ vin }) => vin),
    issues: toOpenIssues(row.issues, requests),
    room: row.room,
  };
}

interface ReadRow {
  now: number;
  only_dealer: string | null;
  several_dealers: boolean;
  dealers: [slug: string, city: string | null, state: string | null, zip: string | null][];
  listings: StoredRow[];
  elsewhere: (ElsewhereListing & { vin: string })[] | null;
  issues: [place: number, key: string][] | null;
  room: number | null;
}

function toOpenIssues(rows: ReadRow['issues'], requests: readonly ListingLookup[]): AccountState['issues'] {
  const byPlace = Map.groupBy(rows ?? [], ([place]) => place);
  return new Map(
    [...byPlace].map(([place, issues]) => [requests[place]?.dedupHash ?? '', issues.map(([, key]) => key)]),
  );
}

type StoredRow = Omit<StoredListing, 'dedupHash' | 'doc' | 'isOutdated'> & {
  place: number;
  doc: Omit<ListingDoc, 'images' | 'quality'> | null;
  images: string[] | null;
  isCurrent: boolean | null;
};

function toStored(
  { place, doc, images, deadImages, isCurrent, ...listing }: StoredRow,
  requests: readonly ListingLookup[],
): StoredListing {
  return {
    ...listing,
    dedupHash: requests[place]?.dedupHash ?? '',
    doc: doc && { ...doc, quality: listing.quality, images: images ?? [] },
    ...(deadImages ? { deadImages } : {}),
    ...(isCurrent === false ? { isOutdated: true } : {}),
  };
}

/**
 * One row: database time, the dealers that matter, and what is stored. A document travels only when the input
 * hash differs or the dealer would: an account that creates its dealer later gets its trucks assigned. So does that of a
 * listing whose dealer moved, unless it has a place of its own; the minute is for writers that read the old address. Listings
 * are looked up one by one (`limit 1`): an account that PostgreSQL takes for small would be read as a whole. What is stored is
 * counted only where a truck may come to it, in an index of its own.
 */
const READ = prepared({
  timeout: 'ingest',
  text: `
    with wanted as (
      select w.place, decode(w."dedupHash", 'hex') as hash, decode(w."inputHash", 'hex') as input_hash, w.dealer, w.vin,
        w."stockNumber" as stock
      from json_to_recordset($2::json) as w(
        place int, "dedupHash" text, vin text, "inputHash" text, dealer text, "stockNumber" text)
    ), only_dealer as (
      select min(slug) as slug from (select slug from dealers where account_id = $1 limit 2) few having count(*) = 1
    ), known as (
      select slug from dealers where account_id = $1 and slug in (select dealer from wanted)
    ), found as (
      select w.place, l.*, l.input_hash is not distinct from w.input_hash and case
          when w.dealer is not null then w.dealer = l.dealer or w.dealer not in (select slug from known)
          else l.dealer is not null or not exists (select 1 from only_dealer)
        end and case when d.moved_at > l.updated_at - interval '1 minute'
          then coalesce(l.doc->'location'->>'source', 'dealer') <> 'dealer' else true
        end as same
      from wanted w cross join lateral (
          select * from listings where account_id = $1 and dedup_hash = w.hash and version > 0 limit 1) l
        left join dealers d on d.account_id = $1 and d.slug = l.dealer
    ), named as (
      select array_agg(distinct dealer) filter (where not same) as dealers,
        coalesce(json_agg(json_build_object('place', place, 'version', version, 'status', status,
          'observedAt', case when outdated then 0 else date_part('epoch', observed_at) * 1000 end, 'price', price,
          'dealer', dealer, 'quality', quality, 'doc', case when same then null else doc end,
          'images', case when same then null else images end,
          'deadImages', case when same then null else (
            select coalesce(json_object_agg(s.url, s.reason), '{}')
            from json_array_elements_text(images) as named(url) join image_sources s
              on s.account_id = $1 and s.status = 'failed' and s.url_hash = sha256(convert_to(named.url, 'UTF8'))) end,
          'isCurrent', case when same then null else record_version = '${RECORD_VERSION}' end)),
          '[]') as listings
      from found
    )
    select date_part('epoch', clock_timestamp()) * 1000 as now,
      (select slug from only_dealer) as only_dealer,
      (select count(*) = 2 from (select 1 from dealers where account_id = $1 limit 2) few) as several_dealers,
      (select coalesce(json_agg(json_build_array(slug, city, state, zip)), '[]') from dealers
        where account_id = $1 and (slug in (select dealer from wanted) or slug in (select slug from only_dealer)
          or slug = any((select dealers from named)::text[]))) as dealers,
      (select listings from named) as listings,
      (select json_agg(json_build_object('vin', o.vin, 'provider', o.source_provider_id, 'price', o.price,
          'currency', o.currency, 'dealer', o.dealer)) from wanted w, lateral (
        select l.vin, l.source_provider_id, l.price, coalesce(l.doc->>'currency', 'USD') as currency, l.dealer
        from listings l
        where l.account_id = $1 and l.vin = w.vin and l.dedup_hash <> w.hash and l.version > 0
          and l.status = 'available' limit 5) o
        where not exists (select 1 from found f where f.place = w.place and f.same)) as elsewhere,
      (select ${maxStored('listings', '$1')} - (
          select count(*) from listing_search where account_id = $1 and status <> 'delisted')
        where exists (select 1 from wanted w where not exists (
          select 1 from found f where f.place = w.place and f.status <> 'delisted'))) as room,
      (${OPEN_ISSUES('$3')}) as issues`,
});
