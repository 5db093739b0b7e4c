import type { ListingStatus } from '../../../contract/fields.ts';
import type { ListingChange, StoredListing } from '../../../domain/listing/listing-change.ts';
import { findOrigins } from '../../../domain/listing/origins.ts';
import { explainQuality } from '../../../domain/listing/quality.ts';
import type { ListingDoc, Quality } from '../../../domain/listing/truck.ts';
import { LockTimeout, RejectedByDatabase, WriteConflict } from '../../../ports/faults.ts';
import type {
  AccountListings,
  Listings,
  OnConflict,
  ReadAnswer,
  Wanted,
  WrittenBy,
} from '../../../ports/listings.ts';
import { type Sql, type Statement, sqlState } from '../connection/sql.ts';
import { parseHost, WAIT_FOR_IMAGE } from '../images/image-urls.ts';
import { ISSUES_WRITTEN, OPEN_ISSUES, toIssueParams } from '../issues/issue-writes.ts';
import { type Alike, PRICES_ALIKE, toPosition } from '../market/prices-alike.ts';
import { COUNTED_BY_WRITE } from '../search/facet-key.ts';
import { wordVector } from '../search/search-conditions.ts';
import { IMAGES } from './listing-json.ts';
import { RECORD_VERSION } from './record-version.ts';
import { lockTimeout, unlessHeld } from './row-locks.ts';
import { CHANGED_NOW, SEARCH_ROW, toSearchRow } from './search-row.ts';
import { setStatuses } from './status-change.ts';
import { sliceRows } from './write-slices.ts';

/**
 * The hot SQL of listings. Rows travel as one JSON text parameter, whatever their number: a batch is one read and
 * one write, and far from the limit of 65,535 parameters. Every row set is put in hash order, which is the order
 * in which all writers take row locks.
 */
export function postgresListings(
  sql: Sql,
  onConflict: OnConflict = sql.transactional ? 'lock' : 'relock',
): Listings {
  return {
    of: (accountId) => accountListings(sql, accountId, onConflict),
    optimistic: () => postgresListings(sql, 'throw'),
  };
}

function accountListings(sql: Sql, accountId: string, onConflict: OnConflict): AccountListings {
  return {
    onConflict,
    ...(sql.share ? { maxLocked: sql.share.maxRows } : {}),

    async read(wanted, source) {
      const rows = JSON.stringify(wanted.map(toWantedRow));
      const [row] = await sql.query<ReadRow>(READ, [accountId, rows, source?.id ?? null]);
      if (!row) throw new Error('the read answered no row');
      const stored = row.listings.map((tuple) => toStored(tuple, wanted));
      return {
        now: row.now,
        onlyDealer: row.only_dealer,
        hasSeveralDealers: row.several_dealers,
        dealers: new Map(row.dealers.map(([slug, city, state, zip]) => [slug, { city, state, zip }])),
        listings: new Map(stored.map((listing) => [listing.dedupHash, listing])),
        elsewhere: toElsewhere(row.elsewhere),
        sameStock: new Map(row.same_stock?.map(([place, vin]) => [wanted[place]?.dedupHash ?? '', vin])),
        issues: toOpenIssues(row.issues, wanted),
      };
    },

    async write(changes, by = NOBODY) {
      if (changes.length === 0 && by.issues === null) return new Set();
      const rows = changes.map((change) => ({
        hash: change.enriched.dedupHash,
        json: JSON.stringify(toWriteRow(change)),
      }));
      const stored = new Set<string>();
      let isFirst = true;
      for (const slice of sliceRows(rows, sql.share?.maxChars ?? Number.POSITIVE_INFINITY)) {
        try {
          const stated = isFirst ? by : { ...by, issues: null };
          for (const { hash } of await writeRows(sql, accountId, slice, onConflict, stated)) stored.add(hash);
          isFirst = false;
        } catch (error) {
          const isRefused = error instanceof LockTimeout || error instanceof RejectedByDatabase;
          // What an earlier slice stored stays; the rest is decided again, with its rows locked.
          if (!isRefused || isFirst) throw error;
          break;
        }
      }
      return stored;
    },

    async lockListings(dedupHashes, work, lockTimeoutMs) {
      const hashes = JSON.stringify([...new Set(dedupHashes)].sort());
      return sql.transaction(async (bound) => {
        await bound.query(LOCK_TIMEOUT, [`${lockTimeoutMs}ms`]);
        await unlessHeld(bound.query(HOLD, [accountId, hashes]));
        const result = await work(accountListings(bound, accountId, 'lock'));
        await bound.query(LET_GO, [accountId, hashes]);
        return result;
      }, 'ingest');
    },

    async findUnlocked(dedupHashes) {
      const hashes = JSON.stringify([...new Set(dedupHashes)]);
      const rows = await sql.query<{ hash: string }>(FIND_UNLOCKED, [accountId, hashes]);
      return new Set(rows.map(({ hash }) => hash));
    },

    async byVin(vin) {
      const [freshest, ...others] = await sql.query<VinRow>(BY_VIN, [accountId, vin]);
      return freshest ? toReadAnswer(await currentRow(freshest), others) : null;
    },

    async byVinInMarket(vin) {
      const [freshest, ...others] = await sql.query<InMarketRow>(BY_VIN_IN_MARKET, [accountId, vin]);
      if (!freshest) return null;
      const market_position = toPosition(freshest.alike, freshest.price);
      return toReadAnswer(await currentRow(freshest), others, { market_position });
    },

    erase: async (erasure) => (await import('./erase-listings.ts')).eraseListings(sql, accountId, erasure),

    setStatuses: (changes, dealer = null) => unlessHeld(setStatuses(sql, accountId, changes, dealer)),
  };
}

const NOBODY: WrittenBy = { source: null, issues: null };

async function writeRows(
  sql: Sql,
  accountId: string,
  rows: string,
  onConflict: OnConflict,
  { source, issues }: WrittenBy,
): Promise<{ hash: string }[]> {
  const values = [accountId, rows, source?.id ?? null, source?.runNo ?? null, ...toIssueParams(issues)];
  const write = (on: Sql) => on.query<{ hash: string }>(WRITE, values);
  try {
    // A refused row must not take down a transaction that goes on: hence the savepoint.
    return await unlessHeld(onConflict === 'lock' ? sql.transaction(write) : write(sql));
  } catch (error) {
    const isRefused = /^2[23]/.test(sqlState(error));
    if (onConflict === 'throw' && (isRefused || error instanceof LockTimeout))
      throw new WriteConflict('a listing could not be written at once', { cause: error });
    if (isRefused) throw new RejectedByDatabase(error);
    throw error;
  }
}

/** Joins the texts of two JSON objects, neither of them empty, without parsing them. */
function joinObjects(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`;
}

interface ReadRow {
  now: number;
  only_dealer: string | null;
  several_dealers: boolean;
  dealers: [slug: string, city: string | null, state: string | null, zip: string | null][];
  listings: StoredTuple[];
  elsewhere: [vin: string, provider: string, price: number][] | null;
  same_stock: [place: number, vin: string][] | null;
  issues: [place: number, subject: string][] | null;
}

function toElsewhere(rows: ReadRow['elsewhere']): ReadAnswer['elsewhere'] {
  const byVin = Map.groupBy(rows ?? [], ([vin]) => vin);
  return new Map(
    [...byVin].map(([vin, listings]) => [vin, listings.map(([, provider, price]) => ({ provider, price }))]),
  );
}

function toOpenIssues(rows: ReadRow['issues'], wanted: readonly Wanted[]): ReadAnswer['issues'] {
  const byPlace = Map.groupBy(rows ?? [], ([place]) => place);
  return new Map(
    [...byPlace].map(([place, issues]) => [
      wanted[place]?.dedupHash ?? '',
      issues.map(([, subject]) => subject),
    ]),
  );
}

/** Place in the list of what was wanted, then the listing: without names it is half the text. */
type StoredTuple = [
  place: number,
  version: number,
  status: ListingStatus,
  observedAt: number,
  price: number | null,
  dealer: string | null,
  quality: Quality,
  doc: Omit<ListingDoc, 'images' | 'quality'> | null,
  images: string[] | null,
  deadImages: Readonly<Record<string, string>> | null,
  isCurrent: boolean | null,
];

function toStored(
  [
    place,
    version,
    status,
    observedAt,
    price,
    dealer,
    quality,
    doc,
    images,
    deadImages,
    isCurrent,
  ]: StoredTuple,
  wanted: readonly Wanted[],
): StoredListing {
  const dedupHash = wanted[place]?.dedupHash ?? '';
  return {
    dedupHash,
    version,
    status,
    observedAt,
    price,
    dealer,
    quality,
    doc: doc && { ...doc, quality, images: images ?? [] },
    ...(deadImages ? { deadImages } : {}),
    ...(isCurrent === false ? { isOutdated: true } : {}),
  };
}

const toWantedRow = (
  { dedupHash, vin, inputHash, dealer, stockNumber, vinsAlike }: Wanted,
  place: number,
) => ({
  n: place,
  vin,
  h: dedupHash,
  i: inputHash,
  d: dealer,
  s: stockNumber,
  a: vinsAlike,
});

/**
 * One row: database time, the dealers that matter, and what is stored. A document travels only when the input
 * hash differs or the dealer would: an account that creates its dealer later gets its trucks assigned. So does that of a
 * listing whose dealer moved, unless it has a place of its own; the minute is for writers that read the old address.
 */
const READ: Statement = {
  prepared: true,
  role: 'ingest',
  text: `
    with wanted as (
      select w.n as place, decode(w.h, 'hex') as hash, decode(w.i, 'hex') as input_hash, w.d as dealer, w.vin,
        w.s as stock, w.a as alike
      from json_to_recordset($2::json) as w(n int, h text, vin text, i text, d text, s text, a json)
    ), only_dealer as (
      select min(slug) as slug from (select slug from dealers where account_id = $1 limit 2) few having count(*) = 1
    ), known as (
      select slug from dealers where account_id = $1 and slug in (select dealer from wanted)
    ), found as (
      select w.place, l.*, l.input_hash is not distinct from w.input_hash and case
          when w.dealer is not null then w.dealer = l.dealer or w.dealer not in (select slug from known)
          else l.dealer is not null or not exists (select from only_dealer)
        end and case when d.moved_at > l.updated_at - interval '1 minute'
          then coalesce(l.doc->'location'->>'source', 'dealer') <> 'dealer' else true
        end as same
      from wanted w join listings l on l.account_id = $1 and l.dedup_hash = w.hash and l.version > 0
        left join dealers d on d.account_id = $1 and d.slug = l.dealer
    ), named as (
      select array_agg(distinct dealer) filter (where not same) as dealers,
        coalesce(json_agg(json_build_array(place, version, status,
          case when outdated then 0 else date_part('epoch', observed_at) * 1000 end, price, dealer, quality,
          case when same then null else doc end, case when same then null else images end,
          case when same then null else (
            select coalesce(json_object_agg(s.url, s.reason), '{}')
            from json_array_elements_text(images) as named(url) join image_sources s
              on s.account_id = $1 and s.status = 'failed' and s.url_hash = sha256(convert_to(named.url, 'UTF8'))) end,
          case when same then null else record_version = '${RECORD_VERSION}' end)),
          '[]') as listings
      from found
    )
    select date_part('epoch', clock_timestamp()) * 1000 as now,
      (select slug from only_dealer) as only_dealer,
      (select count(*) = 2 from (select from dealers where account_id = $1 limit 2) few) as several_dealers,
      (select coalesce(json_agg(json_build_array(slug, city, state, zip)), '[]') from dealers
        where account_id = $1 and (slug in (select dealer from wanted) or slug in (select slug from only_dealer)
          or slug = any((select dealers from named)::text[]))) as dealers,
      (select listings from named) as listings,
      (select json_agg(json_build_array(o.vin, o.source_provider_id, o.price)) from wanted w, lateral (
        select l.vin, l.source_provider_id, l.price from listings l
        where l.account_id = $1 and l.vin = w.vin and l.dedup_hash <> w.hash and l.version > 0
          and l.status = 'available' and l.price is not null limit 5) o
        where not exists (select from found f where f.place = w.place and f.same)) as elsewhere,
      (select json_agg(json_build_array(w.place, o.vin)) from wanted w, json_array_elements_text(w.alike) near(vin),
        lateral (select l.vin from listings l where l.account_id = $1 and l.vin = near.vin and l.version > 0
          and l.doc->>'stock_number' = w.stock and (w.dealer is null or l.dealer = w.dealer) limit 1) o) as same_stock,
      (${OPEN_ISSUES('$3')}) as issues`,
};

function toWriteRow({ enriched, events, words, newImages }: ListingChange) {
  const { dedupHash, inputHash, stored, status, observedAt, feedId, doc } = enriched;
  const { images, quality, ...rest } = doc;
  return {
    h: dedupHash,
    i: inputHash,
    v: stored?.version ?? 0,
    s: status,
    o: observedAt,
    f: feedId,
    vin: doc.vin,
    p: doc.source_provider_id ?? '',
    d: rest,
    g: images,
    q: quality,
    ...toSearchRow(enriched),
    fresh: newImages.map((url) => ({ url, host: parseHost(url) })),
    words,
    e: events,
  };
}

/**
 * Of a row `t` of a batch, null for a new one: nothing is stored of it that would have to be looked up. Looked up one by
 * one (`limit 1`), since statistics of a growing account are old and would have all of it scanned.
 */
const KNOWN_HASH = 'case when t.v > 0 then t.hash end';

/**
 * A row that another writer locks for longer than `lock_timeout` is decided again under `lockListings`, instead of stalling
 * the batch until its statement times out.
 */
const WRITE: Statement = {
  prepared: true,
  role: 'ingest',
  text: `
    with ${lockTimeout('2s')}, input as materialized (
      select decode(r.h, 'hex') as hash, r.* from lock_timeout, json_to_recordset($2::json) as r(
        h text, i text, v int, s text, o float8, f text, vin text, p text, d json, q json, words text, e json,
        g json, fresh json, ${SEARCH_ROW.definitions})
    ), stored as (
      insert into listings as l (account_id, dedup_hash, vin, source_provider_id, status, version, input_hash, doc,
        record_version, images, price, dealer, quality, observed_at, feed_id, first_seen_at, updated_at, sold_at,
        delisted_at)
      select $1, hash, vin, p, s, v + 1, decode(i, 'hex'), d, '${RECORD_VERSION}', g, price, dealer, q,
        to_timestamp(o / 1000), f, now(), now(),
        case when s = 'sold' then now() end, case when s = 'delisted' then now() end
      from input order by hash
      on conflict (account_id, dedup_hash) do update set
        vin = excluded.vin, source_provider_id = excluded.source_provider_id,
        status = excluded.status, version = excluded.version, input_hash = excluded.input_hash, doc = excluded.doc,
        record_version = excluded.record_version, images = excluded.images, price = excluded.price, dealer = excluded.dealer, quality = excluded.quality,
        observed_at = excluded.observed_at, feed_id = excluded.feed_id, outdated = false, updated_at = excluded.updated_at,
        sold_at = case when excluded.status = 'available' then null
          when excluded.status = l.status or excluded.status <> 'sold' then l.sold_at else excluded.sold_at end,
        delisted_at = case when excluded.status = l.status then l.delisted_at else excluded.delisted_at end
      where l.version = excluded.version - 1
      returning dedup_hash
    ), taken as materialized (
      select i.* from stored t join input i on i.hash = t.dedup_hash
    ), before as materialized (
      select o.* from taken t, lateral (
        select * from listing_search where account_id = $1 and dedup_hash = ${KNOWN_HASH} limit 1) o
    ), searched as (
      insert into listing_search as s (account_id, dedup_hash, vin, status, ${SEARCH_ROW.columns}, updated_at)
      select $1, hash, vin, s, ${SEARCH_ROW.columns}, now() from taken
      on conflict (account_id, dedup_hash) do update set
        status = excluded.status, ${SEARCH_ROW.assignments}, ${CHANGED_NOW}
    ), worded as (
      insert into listing_words as w (account_id, dedup_hash, words_source, words)
      select $1, t.hash, t.words, ${wordVector('$1', 't.words')}
      from taken t left join lateral (
        select words_source from listing_words where account_id = $1 and dedup_hash = ${KNOWN_HASH} limit 1) k on true
      where k.words_source is distinct from t.words
      on conflict (account_id, dedup_hash) do update set
        words_source = excluded.words_source, words = excluded.words
    ), ${COUNTED_BY_WRITE}, logged as (
      insert into listing_events (account_id, dedup_hash, version, kind, at, old_price, new_price, run_no)
      select $1, hash, v + 1, event.kind, now(), event."oldPrice", event."newPrice", $4::bigint
      from taken, json_to_recordset(e) as event(kind text, "oldPrice" int, "newPrice" int)
    ), queued as (
      insert into image_sources as s (account_id, url_hash, url, host, waiting)
      select $1, sha256(convert_to(url, 'UTF8')), url, min(host), array_agg(hash)
      from taken, json_to_recordset(fresh) as named(url text, host text)
      group by url order by 2
      ${WAIT_FOR_IMAGE}
    ), ${ISSUES_WRITTEN}
    select encode(dedup_hash, 'hex') as hash from stored`,
};

const LOCK_TIMEOUT: Statement = { role: 'ingest', text: `select set_config('lock_timeout', $1, true)` };

/**
 * Locks existing rows and takes the place of absent ones, in hash order in one pass. DO UPDATE … WHERE false locks
 * without writing; a place taken is version 0, which no reader counts.
 */
const HOLD: Statement = {
  role: 'ingest',
  text: `
    insert into listings as l (account_id, dedup_hash, vin, source_provider_id, status, version, doc, quality,
      observed_at, first_seen_at, updated_at)
    select $1, decode(hash, 'hex'), '', '', 'available', 0, '{}', '{}', now(), now(), now()
    from json_array_elements_text($2::json) as wanted(hash) order by hash
    on conflict (account_id, dedup_hash) do update set version = l.version where false`,
};

const FIND_UNLOCKED: Statement = {
  role: 'ingest',
  text: `
    with wanted as (
      select decode(hash, 'hex') as hash from json_array_elements_text($2::json) as named(hash)
    ), unlocked as materialized (
      select dedup_hash from listings where account_id = $1 and dedup_hash in (select hash from wanted)
      for update skip locked
    )
    select encode(hash, 'hex') as hash from wanted where hash in (select dedup_hash from unlocked)
      or not exists (select from listings l where l.account_id = $1 and l.dedup_hash = wanted.hash)`,
};

const LET_GO: Statement = {
  role: 'ingest',
  text: `delete from listings where account_id = $1 and version = 0
    and dedup_hash in (select decode(hash, 'hex') from json_array_elements_text($2::json) as held(hash))`,
};

interface VinRow {
  doc: string;
  is_current: boolean;
  quality: string;
  images: string;
  provider: string;
  hash: string;
  status: ListingStatus;
  history: [price: number | null, at: number][] | null;
  observed: number;
  first_seen: number;
  updated: number;
  sold: number | null;
  delisted: number | null;
}

interface InMarketRow extends VinRow {
  price: number | null;
  /** What others ask for trucks like it. */
  alike: Alike[] | null;
}

/** Times leave the database as seconds: writing them out costs it more than all the rest of the look-up. */
const seconds = (column: string) => `date_part('epoch', ${column})`;

/** ISO 8601 of seconds since the epoch, cut to milliseconds; Postgres counts whole microseconds. */
function iso(at: number): string {
  // Most times of a listing are one moment, that of its last write.
  if (at !== lastAt) {
    lastIso = new Date(Math.floor(Math.round(at * 1e6) / 1e3)).toISOString();
    lastAt = at;
  }
  return lastIso;
}
let lastAt = Number.NaN;
let lastIso = '';
const isoOrNull = (at: number | null) => (at === null ? null : iso(at));

/** A row as the present record table has it; most are of it already and travel as they lie. */
async function currentRow<Row extends VinRow>(row: Row): Promise<Row> {
  if (row.is_current) return row;
  const { projectListing } = await import('../../../domain/listing/project-listing.ts');
  const { quality, ...doc } = projectListing({ ...JSON.parse(row.doc), quality: JSON.parse(row.quality) });
  return { ...row, doc: JSON.stringify(doc), quality: JSON.stringify(quality) };
}

/** Explained qualities by what is stored: listings lack the same few things. */
const explained = new Map<string, string>();
const MOST_EXPLAINED = 1_000;

/** JSON text of an object with the quality and its reasons. */
function explainedJson(stored: string): string {
  const known = explained.get(stored);
  if (known !== undefined) return known;
  const quality: Quality = JSON.parse(stored);
  const json = JSON.stringify({ quality: explainQuality(quality) });
  if (explained.size >= MOST_EXPLAINED) explained.clear();
  explained.set(stored, json);
  return json;
}

function toReadAnswer(freshest: VinRow, others: readonly VinRow[], more: object = {}): string {
  const rest = {
    origins: findOrigins(JSON.parse(freshest.doc)),
    status: freshest.status,
    price_history: (freshest.history ?? []).map(([price, at]) => ({ price, at: iso(at) })),
    sources: [freshest, ...others].map(({ provider, hash, status, observed }) => ({
      source_provider_id: provider === '' ? null : provider,
      dedup_hash: hash,
      status,
      observed_at: iso(observed),
    })),
    observed_at: iso(freshest.observed),
    first_seen_at: iso(freshest.first_seen),
    updated_at: iso(freshest.updated),
    sold_at: isoOrNull(freshest.sold),
    delisted_at: isoOrNull(freshest.delisted),
    ...more,
  };
  const answer = `{"images":${freshest.images},${JSON.stringify(rest).slice(1)}`;
  return joinObjects(freshest.doc, joinObjects(explainedJson(freshest.quality), answer));
}

/** A row per provider, the one that is answered first. */
const byVin = (more: string, join: string): Statement => ({
  prepared: true,
  text: `
    select ${more} l.doc::text as doc, l.record_version = '${RECORD_VERSION}' as is_current, l.quality::text as quality, (${IMAGES})::text as images, l.source_provider_id as provider,
      encode(l.dedup_hash, 'hex') as hash, l.status,
      (select json_agg(json_build_array(e.new_price, ${seconds('e.at')}) order by e.version)
        from listing_events e where e.account_id = $1 and e.dedup_hash = l.dedup_hash
          and (e.kind = 'created' or e.old_price is distinct from e.new_price)
          and not (e.kind <> 'created' and e.version = 1)) as history,
      ${seconds('l.observed_at')} as observed, ${seconds('l.first_seen_at')} as first_seen,
      ${seconds('l.updated_at')} as updated, ${seconds('l.sold_at')} as sold,
      ${seconds('l.delisted_at')} as delisted
    from listings l ${join} where l.account_id = $1 and l.vin = $2 and l.version > 0
    order by l.status = 'available' desc, l.observed_at desc, l.dedup_hash`,
});
const BY_VIN = byVin('', '');
const BY_VIN_IN_MARKET = byVin(
  `l.price, ${PRICES_ALIKE} as alike,`,
  'left join listing_search k on k.account_id = $1 and k.dedup_hash = l.dedup_hash',
);
