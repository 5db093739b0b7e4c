import { LIMITS, type ListingStatus } from '../../../contract/fields.ts';
import { findOrigins } from '../../../domain/listing/origins.ts';
import { explainQuality } from '../../../domain/listing/quality.ts';
import type { ListingDoc, Quality } from '../../../domain/listing/truck.ts';
import { joinLookUps } from '../connection/join-look-ups.ts';
import { DatabaseDown, type Sql, type Statement } from '../connection/sql.ts';
import { type Alike, type Kind, PRICES_ALIKE, readAlike, toPosition } from '../market/prices-alike.ts';
import { IMAGES } from './listing-json.ts';
import { RECORD_VERSION } from './record-version.ts';

/** Returns the listing of a VIN as JSON text. */
export type ReadByVin = (accountId: string, vin: string) => Promise<string | null>;

/** Of a price history: its newest. */
const MAX_PRICES = 200;
/** More would wait for each other longer than a message takes. */
const MAX_JOINED = 20;

/** Reads the listings that are asked for in one turn of the event loop together. */
export function readByVin(sql: Sql): ReadByVin {
  const findRows = joinLookUps(async (accountId, vins) => {
    const rows = await sql.query<VinRow>(BY_VIN, [accountId, vins]);
    const byPlace = Map.groupBy(rows, ({ place }) => place);
    return vins.map((_, index) => byPlace.get(index) ?? []);
  }, MAX_JOINED);
  return async (accountId, vin) => {
    const [freshest, ...others] = (await findRows(accountId, vin)) ?? [];
    return freshest ? toReadAnswer(await currentRow(freshest), others) : null;
  };
}

/** Alone: what others ask for takes longer to find than a message, and nobody else should wait for it. */
export async function readByVinInMarket(sql: Sql, accountId: string, vin: string): Promise<string | null> {
  if (sql.isDistributed) return readInMarketOfCluster(sql, accountId, vin);
  const [freshest, ...others] = await sql.query<InMarketRow>(BY_VIN_IN_MARKET, [accountId, [vin]]);
  if (!freshest) return null;
  return toReadAnswer(await currentRow(freshest), others, (listing) => ({
    market_position: toPosition(freshest.alike, listing),
  }));
}

async function readInMarketOfCluster(sql: Sql, accountId: string, vin: string): Promise<string | null> {
  const [freshest, ...others] = await sql.query<OfKindRow>(BY_VIN_WITH_KIND, [accountId, [vin]]);
  if (!freshest) return null;
  // A worker that is away has nothing to compare with; the account's own is here.
  const alike = freshest.kind && (await readAlike(sql, accountId, freshest.kind).catch(ignoreAbsence));
  return toReadAnswer(await currentRow(freshest), others, (listing) => ({
    market_position: toPosition(alike, listing),
  }));
}

/** Joins the texts of two JSON objects, neither of them empty, without parsing them. */
function joinObjects(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`;
}

export interface VinRow {
  /** Index of the VIN among those asked for. */
  place: number;
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

/** What is answered of the other listings of a VIN; their rows hold no document. */
type Source = Pick<VinRow, 'provider' | 'hash' | 'status' | 'observed'>;

interface InMarketRow extends VinRow {
  /** What others ask for trucks like it. */
  alike: Alike[] | null;
}

function ignoreAbsence(error: unknown): null {
  if (error instanceof DatabaseDown) return null;
  throw error;
}

interface OfKindRow extends VinRow {
  kind: Kind | null;
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
export async function currentRow<Row extends VinRow>(row: Row): Promise<Row> {
  if (row.is_current) return row;
  const { projectListing } = await import('../../../domain/listing/project-listing.ts');
  const { quality, ...doc } = projectListing({ ...JSON.parse(row.doc), quality: JSON.parse(row.quality) });
  return { ...row, doc: JSON.stringify(doc), quality: JSON.stringify(quality) };
}

/** Explained qualities by what is stored: listings lack the same few things. */
const explained = new Map<string, string>();
const MAX_EXPLAINED = 1_000;

/** JSON text of an object with the quality and its reasons. */
function explainedJson(stored: string): string {
  const known = explained.get(stored);
  if (known !== undefined) return known;
  const quality: Quality = JSON.parse(stored);
  const json = JSON.stringify({ quality: explainQuality(quality) });
  if (explained.size >= MAX_EXPLAINED) explained.clear();
  explained.set(stored, json);
  return json;
}

export function toReadAnswer(
  freshest: VinRow,
  others: readonly Source[],
  more: (listing: ListingDoc) => object = () => ({}),
): string {
  const listing: ListingDoc = JSON.parse(freshest.doc);
  const rest = {
    origins: findOrigins(listing),
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
    ...more(listing),
  };
  const answer = `{"images":${freshest.images},${JSON.stringify(rest).slice(1)}`;
  return joinObjects(freshest.doc, joinObjects(explainedJson(freshest.quality), answer));
}

/** SQL of what only the listing that is answered needs: others may be many, and large. */
const ofFirst = (expression: string) => `case when p.turn = 1 then ${expression} end`;

/**
 * The listings of account $1 by VINs $2: a row per provider, the one that is answered first, the others without their
 * documents. The array is a sub-select's, because PostgreSQL would plan the statement anew for each length that it sees; each
 * listing is looked up by itself (`limit 1`), because an account that PostgreSQL takes for small would be read as a whole.
 */
export const byVin = (more: string, join: string): Statement => ({
  prepared: true,
  text: `
    select ${more} w.place::int - 1 as place, ${ofFirst('l.doc::text')} as doc, l.record_version = '${RECORD_VERSION}' as is_current, ${ofFirst('l.quality::text')} as quality, ${ofFirst(`(${IMAGES})::text`)} as images, l.source_provider_id as provider,
      encode(l.dedup_hash, 'hex') as hash, l.status,
      ${ofFirst(`(select json_agg(json_build_array(e.new_price, ${seconds('e.at')}) order by e.version)
        from (select version, new_price, at from listing_events e
          where e.account_id = $1 and e.dedup_hash = l.dedup_hash
            and (e.kind = 'created' or e.old_price is distinct from e.new_price)
            and not (e.kind <> 'created' and e.version = 1)
          order by version desc limit ${MAX_PRICES}) as e)`)} as history,
      ${seconds('l.observed_at')} as observed, ${seconds('l.first_seen_at')} as first_seen,
      ${seconds('l.updated_at')} as updated, ${seconds('l.sold_at')} as sold,
      ${seconds('l.delisted_at')} as delisted
    from unnest((select $2::text[])) with ordinality as w(vin, place)
      cross join lateral unnest(array(
        select s.dedup_hash from listings s where s.account_id = $1 and s.vin = w.vin and s.version > 0
        order by s.status = 'available' desc, s.observed_at desc, s.dedup_hash limit ${LIMITS.sources}
      )) with ordinality as p(hash, turn)
      cross join lateral (select * from listings where account_id = $1 and dedup_hash = p.hash limit 1) l ${join}
    order by w.place, p.turn`,
});
const BY_VIN = byVin('', '');
const WITH_SEARCH_ROW = 'left join listing_search k on k.account_id = $1 and k.dedup_hash = l.dedup_hash';
const BY_VIN_IN_MARKET = byVin(`${ofFirst(PRICES_ALIKE)} as alike,`, WITH_SEARCH_ROW);
const BY_VIN_WITH_KIND = byVin(
  `case when k.make is not null then json_build_array(k.make, k.model, k.model_year, k.truck_class) end as kind,`,
  WITH_SEARCH_ROW,
);
