import { HOME, lockTimeout } from '../../db/fragments.ts';
import { enqueue } from '../../db/jobs/enqueue.ts';
import { prepared, type Sql } from '../../db/sql.ts';
import { LockTimeout, RejectedByDatabase, WriteConflict } from '../../outside/faults.ts';
import { mapYielding } from '../../pipeline/batch/map-yielding.ts';
import type { OnConflict } from '../../pipeline/batch/stored-listings.ts';
import { wordVector } from '../../search/queries/search-conditions.ts';
import type { ListingChange } from '../../truck/listing/listing-change.ts';
import { RECORD_VERSION } from './record-version.ts';
import { CHANGED_BY_INSERT, SEARCH_ROW, toSearchRow } from './search-row.ts';

/** Writes changes, each only if its listing is still of the version that was read; returns the hashes of those stored. */
export async function writeBatch(
  sql: Sql,
  accountId: string,
  changes: readonly ListingChange[],
  { onConflict, runNo }: { onConflict: OnConflict; runNo: number | null },
): Promise<ReadonlySet<string>> {
  // In hash order, in which all writers take row locks.
  const ordered = changes.toSorted((a, b) => (a.enriched.dedupHash < b.enriched.dedupHash ? -1 : 1));
  const rows = await mapYielding(ordered, (change) => JSON.stringify(toWriteRow(change)));
  const write = (on: Sql) => on.query<{ hash: string }>(WRITE, [accountId, `[${rows.join(',')}]`, runNo]);
  try {
    // A refused row must not take down a transaction that goes on: hence the savepoint.
    const stored = await (onConflict === 'lock' ? sql.transaction(write) : write(sql));
    return new Set(stored.map(({ hash }) => hash));
  } catch (error) {
    if (onConflict === 'throw' && (error instanceof RejectedByDatabase || error instanceof LockTimeout))
      throw new WriteConflict('a listing could not be written at once', { cause: error });
    throw error;
  }
}

function toWriteRow({ enriched, events, words, hasNewImages }: ListingChange) {
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
    photos: hasNewImages,
    words,
    e: events,
  };
}

/**
 * Of a row `t` of a batch, null for a new one: nothing is stored of it that would have to be looked up. Looked up one by
 * one (`limit 1`): an account that PostgreSQL takes for small would be read as a whole.
 */
const KNOWN_HASH = 'case when t.v > 0 then t.hash end';

/**
 * A row that another writer locks for longer than `lock_timeout` is left to be decided again, instead of stalling the batch
 * until its statement times out.
 */
const WRITE = prepared({
  timeout: 'ingest',
  text: `
    with ${lockTimeout('2s')}, ${SEARCH_ROW.secret}, input as materialized (
      select decode(r.h, 'hex') as hash, r.* from lock_timeout, json_to_recordset($2::json) as r(
        h text, i text, v int, s text, o float8, f text, vin text, p text, d json, q json, words text, e json,
        g json, photos boolean, ${SEARCH_ROW.definitions})
    ), stored as (
      insert into listings as l (account_id, dedup_hash, vin, source_provider_id, status, version, input_hash, doc,
        record_version, images, price, dealer, quality, observed_at, feed_id, first_seen_at, updated_at, sold_at,
        delisted_at)
      select home.account_id, hash, vin, p, s, v + 1, decode(i, 'hex'), d, '${RECORD_VERSION}', g, price, dealer, q,
        to_timestamp(o / 1000), f, now(), now(),
        case when s = 'sold' then now() end, case when s = 'delisted' then now() end
      from ${HOME}, input order by hash
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
      select i.*, ${SEARCH_ROW.level} as market_level from stored t join input i on i.hash = t.dedup_hash
    ), searched as (
      insert into listing_search as s (account_id, dedup_hash, vin, status, ${SEARCH_ROW.columns}, updated_at)
      select home.account_id, hash, vin, s, ${SEARCH_ROW.columns}, now() from ${HOME}, taken
      on conflict (account_id, dedup_hash) do update set
        status = excluded.status, ${SEARCH_ROW.assignments}, ${CHANGED_BY_INSERT}
    ), worded as (
      insert into listing_words as w (account_id, dedup_hash, words_source, words)
      select home.account_id, t.hash, t.words, ${wordVector('$1', 't.words')}
      from ${HOME} cross join taken t left join lateral (
        select words_source from listing_words where account_id = $1 and dedup_hash = ${KNOWN_HASH} limit 1) k on true
      where k.words_source is distinct from t.words
      on conflict (account_id, dedup_hash) do update set
        words_source = excluded.words_source, words = excluded.words
    ), logged as (
      insert into listing_events (account_id, dedup_hash, version, kind, at, old_price, new_price, run_no)
      select home.account_id, hash, v + 1, event.kind, now(), event."oldPrice", event."newPrice", $3::bigint
      from ${HOME}, taken, json_to_recordset(e) as event(kind text, "oldPrice" int, "newPrice" int)
    ), queued as (${enqueue(`
      select home.account_id, 'photos', encode(hash, 'hex') from ${HOME}, taken where photos order by hash`)}
    )
    select encode(dedup_hash, 'hex') as hash from stored`,
});
